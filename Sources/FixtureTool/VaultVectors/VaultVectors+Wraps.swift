// Sections 3.1 to 3.4: keys and names that are sealed in the keybag.

extension VaultVectors {
    static let wraps: [Vector] = slotFields + [keyFileWithArgon2] + wrappedKeys + secondWraps + groupNames

    private static func slot(
        _ name: String,
        _ comment: String,
        expect: String = "keybag failure",
        _ edit: @escaping SketchSlot.Edit
    ) -> Vector {
        keybag(name, comment, expect: expect) {
            $0.keybag.replace(with: $0.slot(.passphrase(VaultSketch.passphrase), "", edit))
        }
    }

    private static let slotFields: [Vector] = [
        slot("slot_reserved", "a reserved byte of a slot, committed to and sealed with") { $0.reserved[2] = 1 },
        slot("slot_algorithm_0", "a passphrase without Argon2id", expect: "unsupported") {
            $0.seed = zeros(32)
            $0.algorithm = 0
        },
        slot("slot_algorithm_9", "another algorithm", expect: "unsupported") { $0.algorithm = 9 },
        keybag("slot_key_file_ops", "ops in a slot without Argon2id") { vault in
            vault.keybag.entries.append(vault.slot(.keyFile(vault.keyFile)) { $0.ops = 1 })
        },
        keybag("slot_key_file_mem", "mem in a slot without Argon2id") { vault in
            vault.keybag.entries.append(vault.slot(.keyFile(vault.keyFile)) { $0.mem = 8 })
        },
        keybag("slot_commitment_bitflip", "a wrong commitment before a valid wrap", expect: "no match") {
            $0.keybag.change(1) { $0.body.flip(60) }
        },
        keybag("slot_wrap_bitflip", "a right commitment before a wrap that does not open") {
            $0.keybag.change(1) { $0.body.flip(130) }
        },
        keybag("slot_nonce_bitflip", "a right commitment before a changed nonce") {
            $0.keybag.change(1) { $0.body.flip(90) }
        },
        slot("slot_other_root", "a user root that does not open the structure key") { $0.userRoot = zeros(32) },
    ]

    /// A key file slot with the algorithm of a passphrase slot, opened with the key file.
    private static var keyFileWithArgon2: Vector {
        let name = "slot_key_file_algorithm"
        var vault = VaultSketch(name, passphrase: nil)
        vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)) { $0.algorithm = 2 }, at: 0)
        return vector(
            name,
            "unsupported",
            "a key file with Argon2id",
            vault.build().bytes,
            unlock: [("keyfile-hex", vault.keyFile.hex)]
        )
    }

    private static let wrappedKeys: [Vector] = [
        keybag("wrap_structure_key_bitflip", "a structure key that does not open") {
            $0.keybag.change(16) { $0.body.flip(100) }
        },
        keybag("wrap_structure_key_commitment", "a structure key with the commitment of another, inside a valid wrap") {
            $0.keybag.replace(with: $0.structureKeyEntry { $0.committedKey = zeros(32) })
        },
        keybag("wrap_class_key_commitment", "a class key with the commitment of another") {
            $0.keybag.replace(with: $0.classKeyEntry(.ak) { $0.committedKey = zeros(32) })
        },
        keybag("wrap_match_key_commitment", "a match key with the commitment of another") { vault in
            vault.keybag.replace(with: vault.matchKeyEntry(vault.group()) { $0.committedKey = zeros(32) })
        },
        keybag("wrap_data_key_commitment", "a data key with the commitment of another") { vault in
            vault.keybag.replace(with: vault.dataKeyEntry(vault.dataKey()) { $0.committedKey = zeros(32) })
        },
        keybag("wrap_class_keys_swapped", "the wraps of AK and CK swapped") { vault in
            vault.add(.ck)
            let keys = vault.keybag.entries.indices.filter { vault.keybag.entries[$0].type == 17 }
            let one = vault.keybag.entries[keys[0]].body
            let other = vault.keybag.entries[keys[1]].body
            vault.keybag.entries[keys[0]].body = Array(one[..<24] + other[24...])
            vault.keybag.entries[keys[1]].body = Array(other[..<24] + one[24...])
        },
        keybag("wrap_structure_key_reserved", "a reserved byte of a structure key") {
            $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[3] = 1 })
        },
        keybag("wrap_class_key_reserved", "a reserved byte of a class key") {
            $0.keybag.replace(with: $0.classKeyEntry(.ak) { $0.fields[3] = 1 })
        },
        keybag("wrap_match_key_reserved", "a reserved byte of a match key") { vault in
            vault.keybag.replace(with: vault.matchKeyEntry(vault.group()) { $0.fields[15] = 1 })
        },
        keybag("wrap_data_key_reserved", "a reserved byte of a data key") { vault in
            vault.keybag.replace(with: vault.dataKeyEntry(vault.dataKey()) { $0.fields[23] = 1 })
        },
        keybag("wrap_device_reserved", "a reserved byte of a device") { vault in
            vault.keybag.entries.append(vault.deviceEntry(vault.device("desk"), reserved: zeros(7) + [1]))
        },
        keybag("wrap_previous_root_reserved", "a reserved byte of an earlier user root") {
            $0.keybag.entries.append($0.previousRootEntry(epoch: 0, key: zeros(32), reserved: [0, 0, 0, 1]))
        },
        success(
            "wrap_previous_root",
            "an earlier user root changes nothing for a reader",
            small("wrap_previous_root") { vault in
                vault.keybag.entries.append(vault.previousRootEntry(epoch: 0, key: vault.randomness.bytes(32, "old")))
            },
            readable: readableInSmall("wrap_previous_root")
        ),
    ]

    /// A vault to which the reader has both roots; the wrap of `type` under its device's root does not open.
    private static func secondWrap(_ name: String, _ comment: String, _ type: UInt16) -> Vector {
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        vault.add(desk)
        vault.add(.dk, device: desk)
        guard let index = vault.keybag.entries.lastIndex(where: { $0.type == type }) else {
            preconditionFailure("there is no entry of type \(type)")
        }
        vault.keybag.entries[index].body.flip(vault.keybag.entries[index].body.count - 1)
        let unlock = passphrase + [("device", desk.unlock)]
        return vector(name, "keybag failure", comment, vault.build().bytes, unlock: unlock)
    }

    private static let secondWraps: [Vector] = [
        secondWrap("wrap_structure_key_of_device", "the structure key opens with UR, and with DR it does not", 16),
        secondWrap("wrap_class_key_of_device", "the key of DK opens with UR, and with DR it does not", 17),
        secondWrap("wrap_match_key_of_device", "a match key opens with UR, and with DR it does not", 18),
    ]

    private static func groupName(_ name: String, _ comment: String, _ edit: @escaping SketchBox.Edit) -> Vector {
        keybag(name, comment) { $0.keybag.replace(with: $0.groupNameEntry($0.group(), edit)) }
    }

    private static let groupNames: [Vector] = [
        keybag("group_name_reserved", "a reserved byte of a group name") {
            $0.keybag.replace(with: $0.groupNameEntry($0.group(), reserved: [0, 0, 1, 0]))
        },
        keybag("group_name_tag", "a name changed by someone with the match key but not the user root") {
            $0.keybag.change(19) { $0.body.flip(20) }
        },
        groupName("group_name_length_too_long", "a length field of one byte more than the box can hold") {
            SketchBox.lengthTooLong(&$0)
        },
        groupName("group_name_length_maximal", "a length field of 2^32 - 1") { SketchBox.lengthMaximal(&$0) },
        groupName("group_name_padded_too_far", "a box of 64 bytes more than its content takes") {
            SketchBox.oneUnitTooLong(&$0)
        },
        groupName("group_name_padding", "padding that is not zero") { SketchBox.paddingNotZero(&$0) },
        groupName("group_name_empty", "a name of no bytes") { $0.content = [] },
        groupName("group_name_not_utf8", "a name that is not UTF-8") { $0.content = [0x6D, 0xFF] },
        groupName("group_name_other_group", "a name that was sealed for another group") { $0.associatedData.flip(40) },
    ]
}
