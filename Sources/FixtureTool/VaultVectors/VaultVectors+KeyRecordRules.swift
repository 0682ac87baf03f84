// Section 8.6: key records in any order, and who is at fault if an entry does not open in the end.

extension VaultVectors {
    static let keyRecordRules: [Vector] = [
        wraps("key_record_before_device", "the wraps of a machine, in the log before the machine itself"),
        wraps("key_record_structure_key_before_device", "the same with a structure key that does not open", broken: 16),
        wraps("key_record_always_key_before_device", "the same with an always key that does not open", broken: 17),
        wraps("key_record_match_key_before_device", "the same with a match key that does not open", broken: 18),
        wraps("key_record_data_key_before_device", "the same with a data key that does not open", broken: 20),
        keybag(
            "keybag_data_key_before_device",
            "a data key of a machine that comes in the log, and with it does not open"
        ) { vault in
            vault.keybag.entries.append(wrapOfDesk(20, isBroken: true, in: vault))
            vault.append([.key(vault.deviceEntry(vault.device("desk")))])
        },
        matchKeyInLog, oneTooMany,
    ].map(onDesk)

    /// The vector, for the machine `desk` in addition to the passphrase.
    private static func onDesk(_ vector: Vector) -> Vector {
        var vector = vector
        guard !vector.settings.contains(where: { $0.key == "device" }) else { return vector }
        let desk = VaultSketch(vector.name).device("desk")
        vector.settings.insert(("device", desk.unlock), at: 1)
        return vector
    }

    /// Returns the wrap of `type` for the machine `desk`.
    private static func wrapOfDesk(_ type: UInt16, isBroken: Bool, in vault: VaultSketch) -> SketchEntry {
        let desk = vault.device("desk")
        var entry =
            switch type {
            case 16: vault.structureKeyEntry(device: desk)
            case 17: vault.alwaysKeyEntry(desk)
            case 18: vault.matchKeyEntry(vault.group(), desk)
            default: vault.dataKeyEntry(vault.dataKey(.dku, owner: desk))
            }
        if isBroken { entry.body.flip(entry.body.count - 1) }
        return entry
    }

    /// A machine that is added in the log after its wraps, of which that of the type `broken` does not open.
    private static func wraps(_ name: String, _ comment: String, broken: UInt16? = nil) -> Vector {
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        let types: [UInt16] = [20, 18, 17, 16]
        vault.append(types.map { .key(wrapOfDesk($0, isBroken: $0 == broken, in: vault)) })
        vault.append([.key(vault.deviceEntry(desk))])
        var items = vault.append(vault.item("kim"))
        let put = vault.put(vault.placed(vault.item("on desk", key: vault.dataKey(.dku, owner: desk))))
        if broken == 20 {
            vault.append([put.failing])
        } else {
            items += vault.append(vault.item("on desk", key: vault.dataKey(.dku, owner: desk)))
        }
        let body = vault.build().bytes
        guard broken != nil else { return success(name, comment, body, readable: items) }
        return vector(name, "record failure", comment, body, readable: items, [("records failed", "1")])
    }

    /// A machine that lacks the match key of a group, until it comes in the log.
    private static var matchKeyInLog: Vector {
        let name = "match_key_added_in_log"
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        vault.add(desk)
        vault.add(vault.group("work"))
        let key = vault.dataKey(.dk, group: "work")
        vault.keybag.entries.append(vault.dataKeyEntry(key))
        let items = vault.append(vault.item("at work", key: key))
        vault.append([.key(vault.matchKeyEntry(vault.group("work"), desk))])
        return success(
            name,
            "a machine before its passphrase, and a match key that the log has for it",
            vault.build().bytes,
            unlock: [("device", desk.unlock)],
            readable: items
        )
    }

    private static var oneTooMany: Vector {
        record("key_record_4097", "a key record in a vault whose keybag has 4,096 entries") { vault, _ in
            let count = 4096 - vault.keybag.entries.count
            vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
            return .key(vault.dataKeyEntry(vault.dataKey(.ck)))
        }
    }
}
