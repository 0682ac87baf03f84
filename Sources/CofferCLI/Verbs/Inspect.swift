internal import Coffer
internal import CofferBasics
internal import VaultFormat

extension Verb {
    static let inspect = Verb(
        "inspect",
        .looking,
        "Tell what anyone can see of a vault without a key",
        operands: [.optionalPath],
        details: """
            Nothing of it is authenticated: who can write the file can write all of this. coffer verify tells whether a \
            vault is what it should be, and takes what opens it.
            """,
        examples: [Example(call: "coffer inspect backup.coffer", purpose: "what opens a vault that came by mail")]
    ) { run in
        let path = try run.pathOperand()
        let inspection = try run.vaults.inspection(at: path)
        try run.isJSON
            ? run.output.write(json: inspection.json(of: path)) : run.write(inspection, of: path)
        for damage in inspection.damage {
            if case .unknownTail = damage { continue }
            run.messages.warning("\(path.printable): \(damage)")
            run.status = ExitCode.damaged.rawValue
        }
    }
}

extension Run {
    fileprivate func write(_ inspection: VaultInspection, of path: String) throws {
        var list = FactList()
        list.add("vault", path.printable)
        list.add("id", inspection.vault.description)
        list.add("format", "1.\(inspection.minorVersion)")
        list.add("generation", String(inspection.generation))
        list.add("size", output.size(inspection.fileByteCount))
        list.add("keys", output.size(inspection.keybagByteCount))
        list.add("snapshot", output.size(inspection.snapshotByteCount))
        list.add("log", output.size(inspection.log.byteCount))
        list.add("changes in the log", String(inspection.log.frameCount))
        list.add("reserve", output.size(inspection.log.reserveByteCount))
        list.add("unknown from byte", inspection.log.unknownOffset.map { String($0) })
        list.add("groups", String(inspection.groupCount))
        list.add("grants", inspection.grantCount > 0 ? String(inspection.grantCount) : nil)
        for slot in inspection.slots {
            let work = slot.derivation.map {
                " (\($0.memoryKiB / 1024) MiB, \($0.operations.counted("pass", "passes")))"
            }
            let device = slot.device.map { " \($0)" } ?? ""
            list.add("opens with", "\(slot.kind.title)\(device)\(work ?? "")")
        }
        for device in inspection.devices { list.add("machine", device.description) }
        try list.write(to: output, isColoured: printsColour)
    }
}

extension VaultInspection {
    fileprivate func json(of path: String) -> JSON {
        let logMembers: JSON = [
            "bytes": JSON(log.byteCount), "changes": JSON(log.frameCount),
            "reserveBytes": JSON(log.reserveByteCount),
            "unknownOffset": JSON(log.unknownOffset),
        ]
        return [
            "vault": .string(path), "id": .string(vault.description),
            "format": ["major": 1, "minor": JSON(minorVersion)],
            "generation": .integer(Int64(clamping: generation)), "bytes": JSON(fileByteCount),
            "keyBytes": JSON(keybagByteCount), "snapshotBytes": JSON(snapshotByteCount),
            "log": logMembers, "groups": JSON(groupCount), "grants": JSON(grantCount),
            "slots": .array(slots.map(\.json)), "devices": .array(devices.map { .string($0.description) }),
            "damage": .array(damage.map { .string("\($0)") }),
        ]
    }
}

extension VaultInspection.SlotSummary {
    fileprivate var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("id", .string(id.description)), ("kind", .string(kind.name)), ("created", JSON(KeychainDate(created))),
        ]
        if let derivation {
            members.append(("memoryMiB", JSON(derivation.memoryKiB / 1024)))
            members.append(("passes", JSON(derivation.operations)))
        }
        if let device { members.append(("device", .string(device.description))) }
        return .object(members)
    }
}
