internal import Coffer
internal import CofferBasics

extension CommandRun {
    /// Shows what anyone can see of a vault without a key.
    func writeOutline() throws {
        let path = try pathOperand()
        let outline = try vaults.outline(at: path)
        try isJSON ? output.write(json: outline.json(of: path)) : write(outline, of: path)
        for damage in outline.damage where !damage.isUnknownTail {
            messages.warning("\(path.printable): \(damage.description)")
            status = ExitCode.damaged.rawValue
        }
    }

    fileprivate func write(_ outline: VaultOutline, of path: String) throws {
        var list = FactList()
        list.add("vault", path.printable)
        list.add("id", outline.id)
        list.add("format", "1, draft \(outline.draft)")
        list.add("generation", String(outline.generation))
        list.add("size", output.size(outline.fileByteCount))
        list.add("keys", output.size(outline.keybagByteCount))
        list.add("snapshot", output.size(outline.snapshotByteCount))
        list.add("log", output.size(outline.logByteCount))
        list.add("changes in the log", String(outline.changeCount))
        list.add("reserve", output.size(outline.reserveByteCount))
        list.add("unknown from byte", outline.unknownOffset.map { String($0) })
        list.add("groups", String(outline.groupCount))
        list.add("grants", outline.grantCount > 0 ? String(outline.grantCount) : nil)
        for slot in outline.slots {
            let work = slot.work.map { " (\($0.memoryKiB / 1024) MiB, \($0.passes.counted("pass", "passes")))" }
            list.add("opens with", "\(slot.kind)\(work ?? "")")
        }
        for device in outline.devices { list.add("machine", device) }
        try list.write(to: output, isColored: printsColor)
    }
}

extension VaultOutline {
    fileprivate func json(of path: String) -> JSON {
        let logMembers: JSON = [
            "bytes": JSON(logByteCount), "changes": JSON(changeCount), "reserveBytes": JSON(reserveByteCount),
            "unknownOffset": JSON(unknownOffset),
        ]
        return [
            "vault": .string(path), "id": .string(id),
            "format": ["major": 1, "draft": JSON(draft)],
            "generation": .integer(Int64(clamping: generation)), "bytes": JSON(fileByteCount),
            "keyBytes": JSON(keybagByteCount), "snapshotBytes": JSON(snapshotByteCount),
            "log": logMembers, "groups": JSON(groupCount), "grants": JSON(grantCount),
            "slots": .array(slots.map(\.json)), "devices": .array(devices.map { .string($0) }),
            "damage": .array(damage.map { .string($0.description) }),
        ]
    }
}

extension VaultOutline.Slot {
    /// The slot as JSON, with what a passphrase costs.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("id", .string(id)), ("kind", .string(name)), ("created", JSON(created)),
        ]
        if let work {
            members.append(("memoryMiB", JSON(work.memoryKiB / 1024)))
            members.append(("passes", JSON(work.passes)))
        }
        if case .device(let id) = kind { members.append(("device", .string(id))) }
        return .object(members)
    }
}
