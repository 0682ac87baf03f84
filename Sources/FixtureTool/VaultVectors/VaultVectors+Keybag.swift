// Section 3: the list of entries.

extension VaultVectors {
    static let keybag: [Vector] =
        keybagStructure + keybagEntries + keybagCounts + [
            // A data key that is allowed only with a passphrase.
            whole(
                "keybag_class_12_without_passphrase",
                "keys of class 12 in a vault that no passphrase opens",
                expect: "keybag failure",
                unlock: [.keyFile],
                hasPassphrase: false
            ) { vault in
                let desk = vault.device("desk")
                vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)), at: 0)
                vault.add(desk)
                vault.add(.akpu, device: desk)
                return nil
            }
        ] + keybagRules

    /// A small vault whose keybag is wrong, although its hash and the MAC match.
    static func keybag(
        _ name: String,
        _ comment: String,
        expect: String = "keybag failure",
        _ edit: (inout VaultSketch) -> Void
    ) -> Vector {
        vector(name, expect, comment, small(name, edit))
    }

    private static let keybagStructure: [Vector] = [
        vector("keybag_bitflip", "keybag failure", "a changed bit in the wrapped user root") {
            var vault = VaultSketch("keybag_bitflip")
            vault.append(vault.item("kim"))
            var file = vault.build()
            file.bytes.flip(file.keybag.lowerBound + 8 + 8 + 130)
            return file.bytes
        },
        vector("keybag_from_previous_generation", "keybag failure", "a header that belongs to another keybag") {
            var vault = VaultSketch("keybag_from_previous_generation")
            let old = vault.keybag.bytes
            vault.keybag.replace(with: vault.slot(.passphrase(VaultSketch.passphrase), "renewed"))
            var file = vault.build()
            file.bytes.replaceSubrange(file.keybag, with: old)
            return file.bytes
        },
        keybag("keybag_reserved", "a reserved byte") { $0.keybag.reserved = [0, 0, 0, 1] },
        keybag("keybag_count_too_large", "one entry fewer than the count says") {
            $0.keybag.count = UInt32($0.keybag.entries.count + 9)
        },
        keybag("keybag_count_too_small", "an entry after the last") {
            $0.keybag.count = UInt32($0.keybag.entries.count - 1)
        },
        keybag("keybag_trailing_unit", "64 zero bytes after the last entry and its zeros") {
            $0.keybag.end = zeros(64)
        },
        keybag("keybag_trailing_nonzero", "a byte after the last entry") { vault in
            vault.keybag.entries.append(SketchEntry(type: 99, body: [1]))
            precondition(vault.keybag.bytes.last == 0, "there is room for a byte")
            vault.keybag.end = [1]
        },
        keybag("keybag_entry_beyond_end", "an entry that runs past the keybag") { vault in
            vault.keybag.entries.append(SketchEntry(type: 99, length: 4096, body: [1, 2, 3]))
        },
        keybag("keybag_entry_maximal", "an entry of 2^32 - 1 bytes") { vault in
            vault.keybag.entries.append(SketchEntry(type: 99, length: 0xFFFF_FFFF, body: [1, 2, 3]))
        },
        keybag("keybag_body_too_short", "a structure key without its last byte") {
            $0.keybag.change(16) { $0.body.removeLast() }
        },
        keybag("keybag_body_too_long", "a structure key with a byte more") {
            $0.keybag.change(16) { $0.body.append(0) }
        },
        keybag("keybag_device_of_draft_1", "a device whose root is wrapped, as in an earlier draft") { vault in
            let entry = vault.deviceEntry(vault.device("desk"))
            vault.keybag.entries.append(SketchEntry(type: 7, body: entry.body + zeros(72)))
        },
        keybag("keybag_flags", "a flag that is not assigned") { $0.keybag.change(16) { $0.flags = 2 } },
    ]

    private static let keybagEntries: [Vector] = [
        success(
            "keybag_unknown_entry",
            "an entry of unknown type is ignored",
            small("keybag_unknown_entry") { $0.keybag.entries.append(.unknown()) },
            readable: readableInSmall("keybag_unknown_entry")
        ),
        keybag("keybag_structure_key_epochs", "two structure keys of different epochs") { vault in
            let desk = vault.device("desk")
            var later = vault
            later.epoch = 2
            vault.keybag.entries += [
                vault.deviceEntry(desk), later.structureKeyEntry(device: desk), vault.alwaysKeyEntry(desk),
            ]
        },
        keybag("keybag_unknown_critical_entry", "an unknown entry that is critical", expect: "unsupported") {
            $0.keybag.entries.append(.unknown(isCritical: true))
        },
        keybag("keybag_slot_twice", "two slots with the same id, of different types") { vault in
            let first = vault.slotFields(.passphrase(VaultSketch.passphrase))
            vault.keybag.entries.append(vault.slot(.keyFile(vault.keyFile)) { $0.id = first.id })
        },
        keybag("keybag_always_key_twice", "two always keys of a device") { vault in
            let desk = vault.device("desk")
            vault.add(desk)
            vault.keybag.entries.append(vault.alwaysKeyEntry(desk))
        },
        keybag("keybag_structure_key_twice", "two wraps of the structure key under the user root") {
            $0.keybag.entries.append($0.structureKeyEntry())
        },
        keybag("keybag_match_key_twice", "two match keys of the same group, epoch and device") { vault in
            let desk = vault.device("desk")
            vault.add(desk)
            vault.keybag.entries.append(vault.matchKeyEntry(vault.group(), desk))
        },
        keybag("keybag_group_name_twice", "two names of the same group and epoch") {
            $0.keybag.entries.append($0.groupNameEntry($0.group()))
        },
        keybag("keybag_data_key_twice", "two data keys with the same handle") {
            $0.keybag.entries.append($0.dataKeyEntry($0.dataKey()))
        },
        keybag("keybag_device_twice", "two devices with the same id") { vault in
            let device = vault.device("desk")
            vault.add(device)
            vault.keybag.entries.append(vault.deviceEntry(device))
        },
        keybag("keybag_no_structure_key", "no structure key") { $0.keybag.remove(type: 16) },
        keybag("keybag_no_group_name", "a data key whose group has no name") { $0.keybag.remove(type: 19) },
        keybag("keybag_no_group_name_of_epoch", "a data key whose group has a name in another epoch only") { vault in
            vault.keybag.remove(type: 19)
            vault.add(vault.group(epoch: 2))
        },
        keybag("keybag_no_group_name_of_match_key", "a match key whose group has no name") { vault in
            vault.add(vault.device("desk"), groups: ["mail", "work"])
        },
        keybag("keybag_commitments_differ", "two wraps of the structure key, of different keys") { vault in
            let desk = vault.device("desk")
            vault.keybag.entries += [vault.deviceEntry(desk), vault.alwaysKeyEntry(desk)]
            vault.keybag.entries.append(vault.structureKeyEntry(device: desk) { $0.key = zeros(32) })
        },
        keybag("keybag_slot_of_old_epoch", "a slot whose epoch is not the highest") { vault in
            vault.keybag.entries.append(vault.slot(.keyFile(vault.keyFile)) { $0.epoch = 2 })
        },
        keybag("keybag_two_groups_one_name", "two groups with the same name") { vault in
            var other = vault.group("other")
            other.name = "mail"
            vault.add(other)
        },
        keybag("keybag_class_13", "a class that does not exist") {
            $0.keybag.entries.append($0.dataKeyEntry($0.dataKey(.ck)) { $0.fields[20] = 13 })
        },
        keybag("keybag_class_5", "one of Apple's classes that keychain items do not have") {
            $0.keybag.entries.append($0.dataKeyEntry($0.dataKey(.ck)) { $0.fields[20] = 5 })
        },
        keybag("keybag_structure_key_root", "a structure key under root 3") {
            $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[0] = 3 })
        },
        keybag("keybag_data_key_without_owner", "a data key of AKU that no device owns") {
            $0.keybag.entries.append($0.dataKeyEntry($0.dataKey(.aku)))
        },
        keybag("keybag_data_key_with_owner", "a data key of CK that a device owns") {
            $0.keybag.entries.append($0.dataKeyEntry($0.dataKey(.ck, owner: $0.device("desk"))))
        },
        keybag("keybag_previous_root_twice", "two user roots of the same epoch") {
            $0.keybag.entries += [
                $0.previousRootEntry(epoch: 0, key: zeros(32)), $0.previousRootEntry(epoch: 0, key: zeros(32)),
            ]
        },
        keybag("keybag_device_slot_beside_passphrase", "a slot for a device key in addition to one for a passphrase") {
            vault in
            let desk = vault.device("desk")
            vault.add(desk)
            vault.keybag.entries.append(vault.slot(.device(desk)))
        },
        keybag("keybag_device_not_zero", "root 1 with a device id") {
            $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[8] = 1 })
        },
        keybag("keybag_device_zero", "root 2 without a device id") { vault in
            vault.keybag.entries.append(
                vault.structureKeyEntry(device: vault.device("desk")) { $0.fields.put(zeros(16), at: 8) }
            )
        },
        keybag("keybag_always_key_without_device", "an always key without a device id") { vault in
            let desk = vault.device("desk")
            vault.keybag.entries.append(vault.alwaysKeyEntry(desk) { $0.fields.put(zeros(16), at: 8) })
        },
        keybag("keybag_match_key_without_device", "a match key without a device id") { vault in
            let desk = vault.device("desk")
            vault.keybag.entries.append(vault.matchKeyEntry(vault.group(), desk) { $0.fields.put(zeros(16), at: 16) })
        },
        keybag("keybag_always_key_of_other_epoch", "an always key whose epoch is not the current one") { vault in
            var later = vault
            later.epoch = 2
            vault.keybag.entries.append(later.alwaysKeyEntry(vault.device("desk")))
        },
    ]

    private static let keybagCounts: [Vector] = [
        keybag("keybag_4097_entries", "4,097 entries", expect: "limit exceeded") { vault in
            let count = 4097 - vault.keybag.entries.count
            vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
        },
        success(
            "keybag_4096_entries",
            "4,096 entries",
            small("keybag_4096_entries") { vault in
                let count = 4096 - vault.keybag.entries.count
                vault.keybag.entries += Array(repeating: SketchEntry(type: 99, body: []), count: count)
            },
            readable: readableInSmall("keybag_4096_entries")
        ),
        keybag("keybag_count_maximal", "2^32 - 1 entries in a keybag of a few", expect: "limit exceeded") {
            $0.keybag.count = 0xFFFF_FFFF
        },
        keybag("keybag_33_slots", "33 slots, one of them with Argon2id", expect: "limit exceeded") { vault in
            vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
        },
        keybag("keybag_9_argon2_slots", "nine slots with Argon2id", expect: "limit exceeded") { vault in
            vault.keybag.entries += (1...8).map { vault.slot(.passphrase("another"), "\($0)") }
        },
        success(
            "keybag_8_argon2_slots",
            "the last of eight slots matches",
            {
                var vault = VaultSketch("keybag_8_argon2_slots", passphrase: "the first")
                vault.keybag.entries += (1...6).map { vault.slot(.passphrase("another"), "\($0)") }
                vault.keybag.entries.append(vault.slot(.passphrase(VaultSketch.passphrase), "last"))
                vault.append(vault.item("kim"))
                return vault.build().bytes
            }(),
            readable: readableInSmall("keybag_8_argon2_slots")
        ),
    ]

    /// A vector whose bytes take several statements to make.
    private static func vector(_ name: String, _ expect: String, _ comment: String, _ make: () -> [UInt8]) -> Vector {
        vector(name, expect, comment, make())
    }
}

extension VaultSketch {
    /// The content of a key file.
    var keyFile: [UInt8] { randomness.bytes(64, "key file") }
}
