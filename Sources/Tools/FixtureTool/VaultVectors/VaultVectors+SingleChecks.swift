// Vaults that break one check, where no other check makes up for it: most are read without the keys of what is wrong.

extension VaultVectors {
    static let singleChecks: [Vector] = keybagChecks + recordChecks

    // MARK: - Keybag

    private static let keybagChecks: [Vector] = [
        vault("keybag_unknown_flags", "a flag that is not assigned, of an entry of unknown type")
            .small("keybag failure") { vault in
                var entry = SketchEntry.unknown()
                entry.flags = 2
                vault.keybag.append(entry)
            },
        vault("group_name_box_96", "a name in a box of 96 bytes, without its match key")
            .groupNameBox { $0 += zeros(32) },
        vault("group_name_box_0", "a name without a box, and without its match key")
            .groupNameBox { $0 = Array($0[..<48]) },
    ]

    /// A name that only its size can tell to be wrong, since the machine lacks the match key.
    private func groupNameBox(_ edit: (inout [UInt8]) -> Void) -> Vector {
        small("keybag failure", unlock: [.device("desk")]) { vault in
            vault.addDevice("desk")
            var entry = vault.groupNameEntry(vault.group("work"))
            edit(&entry.body)
            vault.keybag.append(entry)
        }
    }

    // MARK: - Records

    private static let recordChecks: [Vector] = [
        vault("record_unknown_flags", "a flag that is not assigned, of a record of unknown kind")
            .record { _ in SketchRecord(kind: 99, flags: 2, body: Array("from the future".utf8)) },
        vault("record_unknown_reserved", "a reserved byte of a record of unknown kind").record { _ in
            var record = SketchRecord.unknown()
            record.reserved = [0, 1]
            return record
        },
        vault("key_record_flags", "a flag of the entry in a key record").record { vault in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.flags = 1
            return .key(entry)
        },
        vault("key_record_structure_key_epoch", "a structure key of another epoch than that of the keybag")
            .record { vault in
                var entry = vault.structureKeyEntry(device: vault.device("desk"))
                entry.body.put(u32(2), at: 4)
                return .key(entry)
            },
        vault("key_record_structure_key_other", "a structure key with another commitment than that of the keybag")
            .record { vault in
                var entry = vault.structureKeyEntry(device: vault.device("desk"))
                entry.body.flip(24)
                return .key(entry)
            },
        vault("key_record_match_key_without_name", "a match key of a group without a name")
            .record { vault in .key(vault.matchKeyEntry(vault.group("work"), vault.device("desk"))) },
        vault("key_record_own_device_other", "the machine's own entry, with another commitment").record { vault in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.body.flip(32)
            return .key(entry)
        }.onDesk,
        vault("settings_with_numbers_as_keys", "settings with a key that is a number, signed").record { vault in
            vault.keybag.append(vault.teamKeyEntry())
            let archive = AppleArchiver.archive(.dictionary([(.int(1), .int(30))])).propertyList
            return vault.settings(archive: archive)
        },
        vault("access_control_other_key", "access control under another key than the flags")
            .record(isDamaged: true) { vault in
                let extra: [String: AppleValue] = ["accc": .dictionary([(.string("flag"), .int(1))])]
                return vault.put(vault.placed(vault.item("kim").revised(extra)))
            },
        vault("secret_archive_of_list", "a secret whose archive is a list").record(isDamaged: true) { vault in
            var item = vault.item("kim")
            item.secret = .raw([1] + AppleArchiver.archive(.array([])).propertyList)
            return vault.put(vault.placed(item))
        },
    ]
}
