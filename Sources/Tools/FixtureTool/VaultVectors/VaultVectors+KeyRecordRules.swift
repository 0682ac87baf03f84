// Section 8.6: key records in any order, and who is at fault if an entry does not open in the end.

extension VaultVectors {
    static let keyRecordRules: [Vector] = inAnyOrder.map(\.onDesk) + names + doubled + otherCommitments + wrongEntries

    private static let inAnyOrder: [Vector] = [
        vault("key_record_before_device", "the wraps of a machine, in the log before the machine itself").wraps(),
        vault("key_record_structure_key_before_device", "the same with a structure key that does not open")
            .wraps(broken: 16),
        vault("key_record_always_key_before_device", "the same with an always key that does not open")
            .wraps(broken: 17),
        vault("key_record_match_key_before_device", "the same with a match key that does not open").wraps(broken: 18),
        vault("key_record_data_key_before_device", "the same with a data key that does not open").wraps(broken: 20),
        vault("keybag_data_key_before_device")
            .comment("a data key of a machine that comes in the log, and with it does not open")
            .keybag { vault in
                vault.keybag.append(wrapOfDesk(20, isBroken: true, in: vault))
                vault.append([.key(vault.deviceEntry(vault.device("desk")))])
            },
        // A machine that lacks the match key of a group, until it comes in the log.
        vault("match_key_added_in_log", "a machine before its passphrase, and a match key that the log has for it")
            .whole(unlock: [.device("desk")]) { vault in
                let desk = vault.addDevice("desk")
                let key = vault.addWork(.dk)
                let items = vault.append(vault.item("at work", key: key))
                vault.append([.key(vault.matchKeyEntry(vault.group("work"), desk))])
                return items
            },
        vault("key_record_8193", "a key record in a vault whose keybag has 8,192 entries").record { vault in
            let count = 8192 - vault.keybag.entries.count
            vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
            return .key(vault.dataKeyEntry(vault.dataKey(.ck)))
        },
    ]

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
    private func wraps(broken: UInt16? = nil) -> Vector {
        whole(failures: broken == nil ? nil : 1) { vault in
            let desk = vault.device("desk")
            let types: [UInt16] = [20, 18, 17, 16]
            vault.append(types.map { .key(Self.wrapOfDesk($0, isBroken: $0 == broken, in: vault)) })
            vault.append([.key(vault.deviceEntry(desk))])
            var items = vault.append(vault.item("kim"))
            let put = vault.put(vault.placed(vault.item("on desk", key: vault.dataKey(.dku, owner: desk))))
            if broken == 20 {
                vault.append([put.failing])
            } else {
                items += vault.append(vault.item("on desk", key: vault.dataKey(.dku, owner: desk)))
            }
            return items
        }
    }

    /// A machine before its passphrase, and a key record that it refuses; `lap` is another machine.
    private func onDeskAlone(_ make: (VaultSketch, SketchDevice) -> SketchEntry) -> Vector {
        whole(unlock: [.device("desk")], failures: 1) { vault in
            vault.addDevice("desk")
            vault.add(.dk)
            let items = vault.append(vault.item("kim", key: vault.dataKey(.dk)))
            vault.append([.key(make(vault, vault.device("lap")))])
            return items
        }
    }

    // MARK: - Names

    /// A key record with the name of the group `work`, which `edit` makes wrong.
    private func name(
        of group: String = "work",
        box: @escaping SketchBox.Edit = { _ in },
        entry edit: (inout SketchEntry) -> Void = { _ in }
    ) -> Vector {
        Self.vault("key_record_name_\(name)", comment).record { vault in
            var entry = vault.groupNameEntry(vault.group(group), box)
            edit(&entry)
            return .key(entry)
        }
    }

    private static let names: [Vector] = [
        vault("tag", "a name with another tag").name(entry: { $0.body.flip(20) }),
        vault("does_not_open", "a name that does not open").name(entry: { $0.body.flip($0.body.count - 1) }),
        vault("empty", "a name of no bytes").name(box: { $0.content = [] }),
        vault("not_utf8", "a name that is not UTF-8").name(box: { $0.content = [0x6D, 0xFF] }),
        vault("of_other_group", "the name of another group").name(box: { $0.content = Array("mail".utf8) }),
        vault("1025", "a name of 1,025 bytes, in a box of the same size").name(of: String(repeating: "n", count: 1025)),
        vault("key_record_name_box_too_large", "a box too large for a name, without its match key")
            .onDeskAlone { vault, _ in vault.groupNameEntry(vault.group(String(repeating: "n", count: 1045))) },
        vault("key_record_name_box_0", "a name without a box, and without its match key").onDeskAlone { vault, _ in
            var entry = vault.groupNameEntry(vault.group("work"))
            entry.body = Array(entry.body[..<48])
            return entry
        },
        vault("twice", "a copy of a name that the keybag has").name(of: "mail"),
    ]

    // MARK: - Entries that exist already

    /// A copy of an entry that the keybag has, in a vault with the device `desk`.
    private static func doubled(_ type: String, _ comment: String, _ make: @escaping (VaultSketch) -> SketchEntry)
        -> Vector
    {
        vault("key_record_\(type)_twice", "a copy of \(comment) that the keybag has").record { vault in
            vault.addDevice("desk")
            return .key(make(vault))
        }
    }

    private static let doubled: [Vector] = [
        doubled("device", "a device") { $0.deviceEntry($0.device("desk")) },
        doubled("structure_key", "a structure key") { $0.structureKeyEntry(device: $0.device("desk")) },
        doubled("match_key", "a match key") { $0.matchKeyEntry($0.group(), $0.device("desk")) },
        doubled("data_key", "a data key") { $0.dataKeyEntry($0.dataKey()) },
        vault("key_record_device_twice_in_log", "a machine that is added twice in the log").record { vault in
            let entry = vault.deviceEntry(vault.device("desk"))
            vault.append([.key(entry)])
            return .key(entry)
        },
    ]

    // MARK: - Commitments that differ

    private static let otherCommitments: [Vector] = [
        vault("key_record_always_keys_differ", "an always key for another device, with another commitment")
            .onDeskAlone { vault, lap in vault.alwaysKeyEntry(lap) { $0.key = zeros(32) } },
        vault("key_record_match_keys_differ", "a match key for another device, with another commitment")
            .onDeskAlone { vault, lap in vault.matchKeyEntry(vault.group(), lap) { $0.key = zeros(32) } },
    ]

    // MARK: - Entries that are wrong

    private static let wrongEntries: [Vector] = [
        vault("key_record_empty", "a key record of no bytes").record { _ in SketchRecord(kind: 3, body: []) },
        vault("key_record_structure_key_without_device", "root 2 without a device id").record { vault in
            .key(vault.structureKeyEntry(device: vault.device("desk")) { $0.fields.put(zeros(16), at: 8) })
        },
        vault("key_record_structure_key_commitment")
            .comment("a structure key of the machine with the commitment of the keybag, and another key")
            .record { vault in
                let (desk, key) = (vault.device("desk"), vault.structureKey)
                vault.keybag.append(vault.deviceEntry(desk))
                return .key(vault.structureKeyEntry(device: desk) { ($0.key, $0.committedKey) = (zeros(32), key) })
            }.onDesk,
        // A machine before its passphrase that lacks the match key of `work`.
        vault("key_record_match_key_commitment")
            .comment("a match key of the machine with the commitment of another, without UR")
            .whole(unlock: [.device("desk")], failures: 1) { vault in
                let desk = vault.addDevice("desk")
                vault.add(.dk)
                vault.add(vault.group("work"))
                let items = vault.append(vault.item("kim", key: vault.dataKey(.dk)))
                vault.append([.key(vault.matchKeyEntry(vault.group("work"), desk) { $0.committedKey = zeros(32) })])
                return items
            },
        vault("key_record_commitment", "a data key with the commitment of another")
            .record { vault in .key(vault.dataKeyEntry(vault.dataKey(.ck)) { $0.committedKey = zeros(32) }) },
    ]
}

extension Vector {
    /// The vector, for the machine `desk` in addition to the passphrase.
    var onDesk: Vector {
        var vector = self
        guard !settings.contains(where: { $0.key == "device" }) else { return vector }
        vector.settings.insert(("device", VaultSketch(name).device("desk").unlock), at: 1)
        return vector
    }
}
