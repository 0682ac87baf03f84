// Section 3: the list of entries.

extension VaultVectors {
    static let keybag: [Vector] = keybagStructure + keybagEntries + keybagCounts + keybagRules

    /// A small vault whose keybag is wrong, although its hash and the MAC match.
    func keybag(expect: String = "keybag failure", _ edit: (inout VaultSketch) -> Void) -> Vector {
        small(expect, edit)
    }

    private static let keybagStructure: [Vector] = [
        vault("keybag_bitflip", "a changed bit in the wrapped user root")
            .file("keybag failure") { $0.bytes.flip($0.keybag.lowerBound + 8 + 8 + 130) },
        fromPreviousGeneration,
        vault("keybag_reserved", "a reserved byte").keybag { $0.keybag.reserved = [0, 0, 0, 1] },
        vault("keybag_count_too_large", "one entry fewer than the count says")
            .keybag { $0.keybag.count = UInt32($0.keybag.entries.count + 9) },
        vault("keybag_count_too_small", "an entry after the last")
            .keybag { $0.keybag.count = UInt32($0.keybag.entries.count - 1) },
        vault("keybag_trailing_unit", "64 zero bytes after the last entry and its zeros")
            .keybag { $0.keybag.end = zeros(64) },
        vault("keybag_trailing_nonzero", "a byte after the last entry").keybag { vault in
            vault.keybag.append(SketchEntry(type: 99, body: [1]))
            precondition(vault.keybag.bytes.last == 0, "there is room for a byte")
            vault.keybag.end = [1]
        },
        vault("keybag_entry_beyond_end", "an entry that runs past the keybag")
            .keybag { $0.keybag.append(SketchEntry(type: 99, length: 4096, body: [1, 2, 3])) },
        vault("keybag_entry_maximal", "an entry of 2^32 - 1 bytes")
            .keybag { $0.keybag.append(SketchEntry(type: 99, length: 0xFFFF_FFFF, body: [1, 2, 3])) },
        vault("keybag_body_too_short", "a structure key without its last byte")
            .keybag { $0.keybag.change(16) { $0.body.removeLast() } },
        vault("keybag_body_too_long", "a structure key with a byte more")
            .keybag { $0.keybag.change(16) { $0.body.append(0) } },
        vault("keybag_device_of_draft_1", "a device whose root is wrapped, as in an earlier draft")
            .keybag { vault in
                let entry = vault.deviceEntry(vault.device("desk"))
                vault.keybag.append(SketchEntry(type: 7, body: entry.body + zeros(72)))
            },
        vault("keybag_flags", "a flag that is not assigned").keybag { $0.keybag.change(16) { $0.flags = 2 } },
    ]

    private static var fromPreviousGeneration: Vector {
        var sketch = VaultSketch("keybag_from_previous_generation")
        let old = sketch.keybag.bytes
        sketch.keybag.replace(with: sketch.slot(.passphrase(VaultSketch.passphrase), "renewed"))
        var file = sketch.build()
        file.bytes.replaceSubrange(file.keybag, with: old)
        return vault("keybag_from_previous_generation", "a header that belongs to another keybag")
            .vector("keybag failure", file.bytes)
    }

    private static let keybagEntries: [Vector] = [
        vault("keybag_unknown_entry", "an entry of unknown type is ignored").opens { $0.keybag.append(.unknown()) },
        vault("keybag_structure_key_epochs", "two structure keys of different epochs").keybag { vault in
            let desk = vault.device("desk")
            var later = vault
            later.epoch = 2
            vault.keybag.entries += [
                vault.deviceEntry(desk), later.structureKeyEntry(device: desk), vault.alwaysKeyEntry(desk),
            ]
        },
        vault("keybag_unknown_critical_entry", "an unknown entry that is critical")
            .keybag(expect: "unsupported") { $0.keybag.append(.unknown(isCritical: true)) },
        vault("keybag_slot_twice", "two slots with the same id, of different types").keybag { vault in
            let first = vault.slotFields(.passphrase(VaultSketch.passphrase))
            vault.keybag.append(vault.slot(.keyFile(vault.keyFile)) { $0.id = first.id })
        },
        vault("keybag_always_key_twice", "two always keys of a device").keybag { vault in
            let desk = vault.addDevice("desk")
            vault.keybag.append(vault.alwaysKeyEntry(desk))
        },
        vault("keybag_structure_key_twice", "two wraps of the structure key under the user root")
            .keybag { $0.keybag.append($0.structureKeyEntry()) },
        vault("keybag_match_key_twice", "two match keys of the same group, epoch and device").keybag { vault in
            let desk = vault.addDevice("desk")
            vault.keybag.append(vault.matchKeyEntry(vault.group(), desk))
        },
        vault("keybag_group_name_twice", "two names of the same group and epoch")
            .keybag { $0.keybag.append($0.groupNameEntry($0.group())) },
        vault("keybag_data_key_twice", "two data keys with the same handle")
            .keybag { $0.keybag.append($0.dataKeyEntry($0.dataKey())) },
        vault("keybag_device_twice", "two devices with the same id").keybag { vault in
            let device = vault.device("desk")
            vault.add(device)
            vault.keybag.append(vault.deviceEntry(device))
        },
        vault("keybag_no_structure_key", "no structure key").keybag { $0.keybag.remove(type: 16) },
        vault("keybag_no_group_name", "a data key whose group has no name").keybag { $0.keybag.remove(type: 19) },
        vault("keybag_no_group_name_of_epoch", "a data key whose group has a name in another epoch only")
            .keybag { vault in
                vault.keybag.remove(type: 19)
                vault.add(vault.group(epoch: 2))
            },
        vault("keybag_no_group_name_of_match_key", "a match key whose group has no name")
            .keybag { vault in vault.add(vault.device("desk"), groups: ["mail", "work"]) },
        vault("keybag_commitments_differ", "two wraps of the structure key, of different keys").keybag { vault in
            let desk = vault.device("desk")
            vault.keybag.entries += [vault.deviceEntry(desk), vault.alwaysKeyEntry(desk)]
            vault.keybag.append(vault.structureKeyEntry(device: desk) { $0.key = zeros(32) })
        },
        vault("keybag_slot_of_old_epoch", "a slot whose epoch is not the highest")
            .keybag { vault in vault.keybag.append(vault.slot(.keyFile(vault.keyFile)) { $0.epoch = 2 }) },
        vault("keybag_two_groups_one_name", "two groups with the same name").keybag { vault in
            var other = vault.group("other")
            other.name = "mail"
            vault.add(other)
        },
        vault("keybag_class_13", "a class that does not exist")
            .keybag { $0.keybag.append($0.dataKeyEntry($0.dataKey(.ck)) { $0.fields[20] = 13 }) },
        vault("keybag_class_5", "one of Apple's classes that keychain items do not have")
            .keybag { $0.keybag.append($0.dataKeyEntry($0.dataKey(.ck)) { $0.fields[20] = 5 }) },
        vault("keybag_structure_key_root", "a structure key under root 3")
            .keybag { $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[0] = 3 }) },
        vault("keybag_data_key_without_owner", "a data key of AKU that no device owns")
            .keybag { $0.keybag.append($0.dataKeyEntry($0.dataKey(.aku))) },
        vault("keybag_data_key_with_owner", "a data key of CK that a device owns")
            .keybag { $0.keybag.append($0.dataKeyEntry($0.dataKey(.ck, owner: $0.device("desk")))) },
        vault("keybag_previous_root_twice", "two user roots of the same epoch").keybag {
            $0.keybag.entries += [
                $0.previousRootEntry(epoch: 0, key: zeros(32)), $0.previousRootEntry(epoch: 0, key: zeros(32)),
            ]
        },
        vault("keybag_device_slot_beside_passphrase", "a slot for a device key in addition to one for a passphrase")
            .keybag { vault in
                let desk = vault.addDevice("desk")
                vault.keybag.append(vault.slot(.device(desk)))
            },
        vault("keybag_device_not_zero", "root 1 with a device id")
            .keybag { $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[8] = 1 }) },
        vault("keybag_device_zero", "root 2 without a device id").keybag { vault in
            vault.keybag.append(
                vault.structureKeyEntry(device: vault.device("desk")) { $0.fields.put(zeros(16), at: 8) }
            )
        },
        vault("keybag_always_key_without_device", "an always key without a device id").keybag { vault in
            let desk = vault.device("desk")
            vault.keybag.append(vault.alwaysKeyEntry(desk) { $0.fields.put(zeros(16), at: 8) })
        },
        vault("keybag_match_key_without_device", "a match key without a device id").keybag { vault in
            let desk = vault.device("desk")
            vault.keybag.append(vault.matchKeyEntry(vault.group(), desk) { $0.fields.put(zeros(16), at: 16) })
        },
        vault("keybag_always_key_of_other_epoch", "an always key whose epoch is not the current one").keybag { vault in
            var later = vault
            later.epoch = 2
            vault.keybag.append(later.alwaysKeyEntry(vault.device("desk")))
        },
    ]

    private static let keybagCounts: [Vector] = [
        vault("keybag_8193_entries", "8,193 entries").keybag(expect: "limit exceeded") { vault in
            let count = 8193 - vault.keybag.entries.count
            vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
        },
        vault("keybag_8192_entries", "8,192 entries").opens { vault in
            let count = 8192 - vault.keybag.entries.count
            vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
        },
        vault("keybag_count_maximal", "2^32 - 1 entries in a keybag of a few")
            .keybag(expect: "limit exceeded") { $0.keybag.count = 0xFFFF_FFFF },
        vault("keybag_33_slots", "33 slots, one of them with Argon2id").keybag(expect: "limit exceeded") { vault in
            vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
        },
        vault("keybag_9_argon2_slots", "nine slots with Argon2id").keybag(expect: "limit exceeded") { vault in
            vault.keybag.entries += (1...8).map { vault.slot(.passphrase("another"), "\($0)") }
        },
        vault("keybag_8_argon2_slots", "the last of eight slots matches").whole(passphrase: "the first") { vault in
            vault.keybag.entries += (1...6).map { vault.slot(.passphrase("another"), "\($0)") }
            vault.keybag.append(vault.slot(.passphrase(VaultSketch.passphrase), "last"))
            return vault.append(vault.item("kim"))
        },
        // A data key that is allowed only with a passphrase.
        vault("keybag_class_12_without_passphrase", "keys of class 12 in a vault that no passphrase opens")
            .whole(expect: "keybag failure", unlock: [.keyFile], passphrase: nil) { vault in
                let desk = vault.device("desk")
                vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)), at: 0)
                vault.add(desk)
                vault.add(.akpu, device: desk)
                return nil
            },
    ]
}

extension VaultSketch {
    /// The content of a key file.
    var keyFile: [UInt8] { randomness.bytes(64, "key file") }
}
