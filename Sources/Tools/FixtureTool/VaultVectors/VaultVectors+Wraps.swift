// Sections 3.1 to 3.4: keys and names that are sealed in the keybag.

extension VaultVectors {
    static let wraps: [Vector] = slotFields + wrappedKeys + secondWraps + groupNames

    private func slot(expect: String = "keybag failure", _ edit: @escaping SketchSlot.Edit) -> Vector {
        keybag(expect: expect) { $0.keybag.replace(with: $0.slot(.passphrase(VaultSketch.passphrase), "", edit)) }
    }

    private static let slotFields: [Vector] = [
        vault("slot_reserved", "a reserved byte of a slot, committed to and sealed with").slot { $0.reserved[2] = 1 },
        vault("slot_algorithm_0", "a passphrase without Argon2id").slot(expect: "unsupported") {
            $0.seed = zeros(32)
            $0.algorithm = 0
        },
        vault("slot_algorithm_9", "another algorithm").slot(expect: "unsupported") { $0.algorithm = 9 },
        vault("slot_key_file_ops", "ops in a slot without Argon2id")
            .keybag { vault in vault.keybag.append(vault.slot(.keyFile(vault.keyFile)) { $0.ops = 1 }) },
        vault("slot_key_file_mem", "mem in a slot without Argon2id")
            .keybag { vault in vault.keybag.append(vault.slot(.keyFile(vault.keyFile)) { $0.mem = 8 }) },
        vault("slot_commitment_bitflip", "a wrong commitment before a valid wrap")
            .keybag(expect: "no match") { $0.keybag.change(1) { $0.body.flip(60) } },
        vault("slot_wrap_bitflip", "a right commitment before a wrap that does not open")
            .keybag { $0.keybag.change(1) { $0.body.flip(130) } },
        vault("slot_nonce_bitflip", "a right commitment before a changed nonce")
            .keybag { $0.keybag.change(1) { $0.body.flip(90) } },
        vault("slot_other_root", "a user root that does not open the structure key").slot { $0.userRoot = zeros(32) },
        // A key file slot with the algorithm of a passphrase slot, opened with the key file.
        vault("slot_key_file_algorithm", "a key file with Argon2id")
            .whole(expect: "unsupported", unlock: [.keyFile], passphrase: nil) { vault in
                vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)) { $0.algorithm = 2 }, at: 0)
                return nil
            },
    ]

    private static let wrappedKeys: [Vector] = [
        vault("wrap_structure_key_bitflip", "a structure key that does not open")
            .keybag { $0.keybag.change(16) { $0.body.flip(100) } },
        vault("wrap_structure_key_commitment", "a structure key with the commitment of another, inside a valid wrap")
            .keybag { $0.keybag.replace(with: $0.structureKeyEntry { $0.committedKey = zeros(32) }) },
        vault("wrap_data_key_commitment", "a data key with the commitment of another").keybag { vault in
            vault.keybag.replace(with: vault.dataKeyEntry(vault.dataKey()) { $0.committedKey = zeros(32) })
        },
        vault("wrap_data_keys_swapped", "the wraps of the data keys of AK and CK swapped").keybag { vault in
            vault.add(.ck)
            let keys = vault.keybag.entries.indices.filter { vault.keybag.entries[$0].type == 20 }
            let one = vault.keybag.entries[keys[0]].body
            let other = vault.keybag.entries[keys[1]].body
            vault.keybag.entries[keys[0]].body = Array(one[..<44] + other[44...])
            vault.keybag.entries[keys[1]].body = Array(other[..<44] + one[44...])
        },
        vault("wrap_structure_key_reserved", "a reserved byte of a structure key")
            .keybag { $0.keybag.replace(with: $0.structureKeyEntry { $0.fields[3] = 1 }) },
        vault("wrap_always_key_reserved", "a reserved byte of an always key")
            .keybag { vault in vault.keybag.append(vault.alwaysKeyEntry(vault.device("desk")) { $0.fields[7] = 1 }) },
        vault("wrap_match_key_reserved", "a reserved byte of a match key").keybag { vault in
            let desk = vault.device("desk")
            vault.keybag.append(vault.matchKeyEntry(vault.group(), desk) { $0.fields[15] = 1 })
        },
        vault("wrap_data_key_reserved", "a reserved byte of a data key")
            .keybag { vault in vault.keybag.replace(with: vault.dataKeyEntry(vault.dataKey()) { $0.fields[23] = 1 }) },
        vault("wrap_device_reserved", "a reserved byte of a device")
            .keybag { vault in vault.keybag.append(vault.deviceEntry(vault.device("desk"), reserved: zeros(7) + [1])) },
        vault("wrap_previous_root_reserved", "a reserved byte of an earlier user root")
            .keybag { $0.keybag.append($0.previousRootEntry(epoch: 0, key: zeros(32), reserved: [0, 0, 0, 1])) },
        vault("wrap_previous_root", "an earlier user root changes nothing for a reader")
            .opens { vault in
                vault.keybag.append(
                    vault.previousRootEntry(epoch: 0, key: vault.randomness.bytes(32, "old"))
                )
            },
        vault("wrap_previous_root_bitflip", "an earlier user root that does not open").keybag { vault in
            vault.keybag.append(vault.previousRootEntry(epoch: 0, key: zeros(32)))
            vault.keybag.change(22) { $0.body.flip(100) }
        },
        vault("wrap_previous_root_commitment", "an earlier user root with the commitment of another").keybag { vault in
            let old = vault.randomness.bytes(32, "old")
            vault.keybag.append(vault.previousRootEntry(epoch: 0, key: old) { $0.committedKey = zeros(32) })
        },
        vault("wrap_structure_key_root_3", "a structure key that a device wraps, under root 3").keybag { vault in
            let desk = vault.device("desk")
            vault.keybag.append(vault.structureKeyEntry(device: desk) { $0.fields[0] = 3 })
        },
        ofClass(5, "one of Apple's classes that keychain items do not have, under its class key", owner: nil),
        ofClass(13, "a class that does not exist, of a device that is not here", owner: "lap"),
        // A data key whose class key depends on a user root that is not there.
        vault("wrap_data_key_of_missing_root")
            .comment("a data key whose class key is of an epoch without a user root is locked")
            .whole(locked: 1) { vault in
                let readable = vault.append(vault.item("ann"))
                var old = vault
                old.epoch = 0
                let key = vault.dataKey(.ck)
                vault.keybag.append(old.dataKeyEntry(key))
                vault.append(vault.item("kim", key: key))
                return readable
            },
    ]

    /// A data key of a class that no item has, which is right in everything else.
    private static func ofClass(_ number: UInt8, _ comment: String, owner: String?) -> Vector {
        vault("wrap_data_key_class_\(number)", comment).keybag { vault in
            let ownerID = owner.map { vault.device($0).id } ?? zeros(16)
            let classKey = H(32, vault.userRoot, "class", vault.id + [number] + ownerID + u32(vault.epoch))
            vault.keybag.append(
                vault.dataKeyEntry(vault.dataKey(.ck)) { wrap in
                    wrap.fields[20] = number
                    wrap.fields.put(ownerID, at: 24)
                    wrap.wrappingKey = classKey
                }
            )
        }
    }

    /// A vault with the device `desk`, of which `edit` changes the wraps under its root.
    private func deviceWrap(
        expect: String = "keybag failure",
        unlock: [Unlock] = [.passphrase, .device("desk")],
        _ edit: (inout VaultSketch, SketchDevice) -> Void
    ) -> Vector {
        whole(expect: expect, unlock: unlock) { vault in
            let desk = vault.addDevice("desk")
            vault.add(.dk)
            vault.append(vault.item("kim", key: vault.dataKey(.dk)))
            edit(&vault, desk)
            return nil
        }
    }

    /// The wrap of `type` under the root of the device does not open.
    private func unopened(unlock: [Unlock] = [.passphrase, .device("desk")], _ type: UInt16) -> Vector {
        deviceWrap(unlock: unlock) { vault, _ in
            guard let index = vault.keybag.entries.lastIndex(where: { $0.type == type }) else {
                preconditionFailure("there is no entry of type \(type)")
            }
            vault.keybag.entries[index].body.flip(vault.keybag.entries[index].body.count - 1)
        }
    }

    private static let secondWraps: [Vector] = [
        vault("wrap_structure_key_of_device", "the structure key opens with UR, and with DR it does not").unopened(16),
        vault("wrap_always_key_of_device", "the key of DK follows from UR, and with DR it does not open").unopened(17),
        vault("wrap_match_key_of_device", "a match key follows from UR, and with DR it does not open").unopened(18),
        vault("wrap_always_key_bitflip", "an always key that does not open, without UR")
            .unopened(unlock: [.device("desk")], 17),
        vault("wrap_match_key_bitflip", "a match key that does not open, without UR")
            .unopened(unlock: [.device("desk")], 18),
        vault("wrap_always_key_commitment", "an always key with the commitment of another").deviceWrap { vault, desk in
            vault.keybag.replace(with: vault.alwaysKeyEntry(desk) { $0.committedKey = zeros(32) })
        },
        vault("wrap_match_key_commitment", "a match key with the commitment of another").deviceWrap { vault, desk in
            vault.keybag.replace(with: vault.matchKeyEntry(vault.group(), desk) { $0.committedKey = zeros(32) })
        },
        vault("wrap_always_key_commitment_device_alone", "an always key with the commitment of another, without UR")
            .deviceWrap(unlock: [.device("desk")]) { vault, desk in
                vault.keybag.replace(with: vault.alwaysKeyEntry(desk) { $0.committedKey = zeros(32) })
            },
        vault("wrap_match_key_commitment_device_alone", "a match key with the commitment of another, without UR")
            .deviceWrap(unlock: [.device("desk")]) { vault, desk in
                vault.keybag.replace(with: vault.matchKeyEntry(vault.group(), desk) { $0.committedKey = zeros(32) })
            },
        vault("always_keys_differ_device_alone", "always keys of two devices with different commitments, without UR")
            .deviceWrap(unlock: [.device("desk")]) { vault, _ in
                vault.keybag.append(vault.alwaysKeyEntry(vault.device("lap")) { $0.key = zeros(32) })
            },
        vault("match_keys_differ_device_alone")
            .comment("match keys of a group for two devices with different commitments, without UR")
            .deviceWrap(unlock: [.device("desk")]) { vault, _ in
                let lap = vault.device("lap")
                vault.keybag.append(vault.matchKeyEntry(vault.group(), lap) { $0.key = zeros(32) })
            },
        vault(
            "always_key_differs",
            "another key than the one of DK that follows from UR, which its commitment shows without the device"
        )
        .deviceWrap(unlock: [.passphrase]) { vault, desk in
            vault.keybag.replace(with: vault.alwaysKeyEntry(desk) { $0.key = zeros(32) })
        },
        vault(
            "match_key_differs",
            "another match key than the one that follows from UR, which its commitment shows without the device"
        )
        .deviceWrap(unlock: [.passphrase]) { vault, desk in
            vault.keybag.replace(with: vault.matchKeyEntry(vault.group(), desk) { $0.key = zeros(32) })
        },
        vault("always_key_differs_device_alone", "without UR, the header MAC shows that it is another key")
            .deviceWrap(expect: "header failure", unlock: [.device("desk")]) { vault, desk in
                vault.keybag.replace(with: vault.alwaysKeyEntry(desk) { $0.key = zeros(32) })
            },
        vault("match_key_differs_device_alone", "without UR, the name of the group shows that it is another key")
            .deviceWrap(unlock: [.device("desk")]) { vault, desk in
                vault.keybag.replace(with: vault.matchKeyEntry(vault.group(), desk) { $0.key = zeros(32) })
            },
    ]

    private func groupName(_ edit: @escaping SketchBox.Edit) -> Vector {
        keybag { $0.keybag.replace(with: $0.groupNameEntry($0.group(), edit)) }
    }

    private static let groupNames: [Vector] = [
        vault("group_name_reserved", "a reserved byte of a group name")
            .keybag { $0.keybag.replace(with: $0.groupNameEntry($0.group(), reserved: [0, 0, 1, 0])) },
        vault("group_name_tag", "a name changed by someone with the match key but not the user root")
            .keybag { $0.keybag.change(19) { $0.body.flip(20) } },
        vault("group_name_length_too_long", "a length field of one byte more than the box can hold")
            .groupName(SketchBox.lengthTooLong),
        vault("group_name_length_maximal", "a length field of 2^32 - 1").groupName(SketchBox.lengthMaximal),
        vault("group_name_padded_too_far", "a box of 64 bytes more than its content takes")
            .groupName(SketchBox.oneUnitTooLong),
        vault("group_name_padding", "padding that is not zero").groupName(SketchBox.paddingNotZero),
        vault("group_name_empty", "a name of no bytes").groupName { $0.content = [] },
        vault("group_name_not_utf8", "a name that is not UTF-8").groupName { $0.content = [0x6D, 0xFF] },
        vault("group_name_other_group", "a name that was sealed for another group")
            .groupName { $0.associatedData.flip(40) },
    ]
}
