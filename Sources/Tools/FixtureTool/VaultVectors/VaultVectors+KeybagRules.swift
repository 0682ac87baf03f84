// Section 3: the order in which a keybag is checked, and what its entries need of each other.

extension VaultVectors {
    static let keybagRules: [Vector] = keybagOrder + neededEntries + epochs + sizes + namesInDump

    // MARK: - Of two faults, the one that is reported

    private static let keybagOrder: [Vector] = [
        vault("keybag_flags_before_critical", "a flag that is not assigned, and an unknown entry that is critical")
            .keybag {
                $0.keybag.change(16) { $0.flags = 2 }
                $0.keybag.append(.unknown(isCritical: true))
            },
        vault("keybag_end_before_critical", "64 bytes after the last entry, which is unknown and critical").keybag {
            $0.keybag.append(.unknown(isCritical: true))
            $0.keybag.end = zeros(64)
        },
        vault("keybag_critical_before_body")
            .comment("a structure key without its last byte, before an unknown entry that is critical")
            .keybag(expect: "unsupported") {
                $0.keybag.change(16) { $0.body.removeLast() }
                $0.keybag.append(.unknown(isCritical: true))
            },
        vault("keybag_group_id_zero", "the name of a group whose id is zero").keybag { vault in
            var group = vault.group("other")
            group.id = zeros(8)
            vault.add(group)
        },
        vault("keybag_critical_before_slots", "33 slots, and an unknown entry that is critical")
            .keybag(expect: "unsupported") { vault in
                vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
                vault.keybag.append(.unknown(isCritical: true))
            },
        vault("keybag_slots_before_body", "a structure key without its last byte, and 33 slots")
            .keybag(expect: "limit exceeded") { vault in
                vault.keybag.change(16) { $0.body.removeLast() }
                vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
            },
        vault("keybag_body_before_unique")
            .comment("two wraps of the structure key under the user root, and a slot with another algorithm")
            .keybag(expect: "unsupported") { vault in
                vault.keybag.append(vault.structureKeyEntry())
                vault.keybag.append(vault.slot(.keyFile(vault.keyFile)) { $0.algorithm = 9 })
            },
    ]

    // MARK: - Entries that need others

    /// A vault with the device `desk`, which `edit` changes, opened by that device.
    private func onDevice(
        _ expect: String,
        unlock: [Unlock] = [],
        _ edit: (inout VaultSketch, SketchDevice) -> Void
    ) -> Vector {
        whole(expect: expect, unlock: unlock + [.device("desk")]) { vault in
            edit(&vault, vault.addDevice("desk"))
            return nil
        }
    }

    private static let neededEntries: [Vector] = [
        vault("keybag_no_root_1", "no structure key under the user root, although the machine could open the vault")
            .onDevice("keybag failure") { vault, _ in
                guard let index = vault.keybag.entries.firstIndex(where: { $0.type == 16 }) else { return }
                vault.keybag.entries.remove(at: index)
            },
        vault("keybag_no_root_2", "a device without a structure key, in a vault with a passphrase")
            .onDevice("no match") { vault, _ in
                guard let index = vault.keybag.entries.lastIndex(where: { $0.type == 16 }) else { return }
                vault.keybag.entries.remove(at: index)
            },
        vault("keybag_no_always_key", "a device with a structure key and no always key").keybag { vault in
            vault.addDevice("desk")
            vault.keybag.remove(type: 17)
        },
        vault("keybag_no_always_key_for_device_alone", "the same on that device")
            .onDevice("keybag failure") { vault, _ in vault.keybag.remove(type: 17) },
        vault("keybag_always_key_in_log", "a device with a structure key, whose always key comes in the log")
            .keybag { vault in
                let desk = vault.addDevice("desk")
                vault.keybag.remove(type: 17)
                vault.append([.key(vault.alwaysKeyEntry(desk))])
            },
        vault("device_alone_and_key_file", "on its machine, with a key file that no slot can be tried with")
            .onDevice("no match", unlock: [.otherKeyFile]) { _, _ in },
        vault("device_alone_without_entry", "on its machine, whose entry is not in the keybag")
            .onDevice("no match") { vault, _ in vault.keybag.remove(type: 7) },
        vault("device_without_slots", "without slots the always keys have the current epoch").withoutSlots("success"),
        vault(
            "device_without_slots_and_passphrase",
            "a passphrase that no slot can be tried with, in addition to a device that would open the vault alone"
        )
        .withoutSlots("no match", unlock: [.passphrase, .device("desk")]),
        vault("device_without_slots_missing", "neither a secret nor a device key, in a vault without slots")
            .withoutSlots("no match", unlock: []),
        vault("device_beside_slot", "a device that takes part, and the slot of another").slotOfOtherDevice("success"),
        vault("device_beside_slot_and_passphrase", "the same with a passphrase: only the other device has a slot")
            .slotOfOtherDevice("device key needed", unlock: [.passphrase, .device("desk")]),
    ]

    /// A vault of the epoch 3 without slots, with the device `desk`.
    private func withoutSlots(_ expect: String, unlock: [Unlock] = [.device("desk")]) -> Vector {
        whole(expect: expect, unlock: unlock, passphrase: nil) { vault in
            vault.epoch = 3
            let desk = vault.device("desk")
            var key = vault.dataKey(.dk)
            key.group = vault.group(epoch: 3)
            vault.keybag.entries = [vault.structureKeyEntry()]
            vault.add(key.group)
            vault.add(desk, groups: [])
            vault.keybag.entries += [vault.matchKeyEntry(key.group, desk), vault.dataKeyEntry(key)]
            let items = vault.append(vault.item("kim", key: key))
            return expect == "success" ? items : nil
        }
    }

    /// A vault that the device `lap` opens with a slot, and the device `desk` without one.
    private func slotOfOtherDevice(_ expect: String, unlock: [Unlock] = [.device("desk")]) -> Vector {
        whole(expect: expect, unlock: unlock, passphrase: nil) { vault in
            let lap = vault.device("lap")
            vault.keybag.entries.insert(vault.slot(.device(lap)), at: 0)
            vault.addDevice("desk")
            vault.add(lap)
            vault.add(.dk)
            let items = vault.append(vault.item("kim", key: vault.dataKey(.dk)))
            return expect == "success" ? items : nil
        }
    }

    // MARK: - Epochs

    private static let epochs: [Vector] = [
        vault("keybag_previous_root_current", "a previous root of the current epoch").keybag { vault in
            vault.keybag.append(vault.previousRootEntry(epoch: 1, key: vault.randomness.bytes(32, "old")))
        },
        vault("keybag_previous_root_later", "a previous root of a later epoch").keybag { vault in
            vault.keybag.append(vault.previousRootEntry(epoch: 2, key: vault.randomness.bytes(32, "old")))
        },
        vault("keybag_always_keys_of_two_epochs")
            .comment("always keys of two epochs in a vault without slots, on one of the devices")
            .whole(expect: "keybag failure", unlock: [.device("desk")], passphrase: nil) { vault in
                let (desk, lap) = (vault.device("desk"), vault.device("lap"))
                var later = vault
                later.epoch = 2
                vault.add(desk)
                vault.keybag.entries += [
                    vault.deviceEntry(lap), vault.structureKeyEntry(device: lap), later.alwaysKeyEntry(lap),
                ]
                return nil
            },
        vault("group_epoch_before_root")
            .comment("a group of an epoch for which there is no user root: its match key is absent")
            .earlyGroup(),
        vault("group_epoch_before_root_on_device")
            .comment("a group of an epoch for which there is no user root, on a device that has its match key")
            .earlyGroup(isOnDevice: true),
    ]

    /// A group of an epoch before that of the user root, without a previous root.
    private func earlyGroup(isOnDevice: Bool = false) -> Vector {
        whole(unlock: isOnDevice ? [.passphrase, .device("desk")] : [.passphrase], locked: 0) { vault in
            var key = vault.dataKey(.ck, group: "work")
            key.group = vault.group("work", epoch: 0)
            key.group.matchKey = vault.randomness.bytes(32, "match key of epoch 0")
            vault.add(key.group)
            vault.keybag.append(vault.dataKeyEntry(key))
            if isOnDevice { vault.keybag.append(vault.matchKeyEntry(key.group, vault.addDevice("desk"))) }
            let items = vault.append(vault.item("kim"))
            let early = vault.append(vault.item("early", key: key))
            return isOnDevice ? items + early : items
        }
    }

    // MARK: - Sizes

    private static let sizes: [Vector] = [
        vault("group_name_1024", "a name of 1,024 bytes").named(String(repeating: "n", count: 1024)),
        vault("group_name_1025", "a name of 1,025 bytes, in a box of the same size")
            .keybag(expect: "limit exceeded") { vault in vault.add(vault.group(String(repeating: "n", count: 1025))) },
        vault("group_name_box_too_large", "a box too large for a name, without its match key")
            .onDevice("limit exceeded") { vault, _ in vault.add(vault.group(String(repeating: "n", count: 1045))) },
    ]

    private static let namesInDump: [Vector] = [
        vault("group_name_escaped", "a name with characters that a dump escapes, and one that it does not")
            .named("é\"\\\n\u{1}")
    ]

    /// A vault with an item in the group `group`.
    private func named(_ group: String) -> Vector {
        whole { vault in
            let key = vault.dataKey(.ck, group: group)
            vault.add(key.group)
            vault.keybag.append(vault.dataKeyEntry(key))
            return vault.append(vault.item("kim", key: key))
        }
    }
}
