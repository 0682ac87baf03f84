// Section 3: the order in which a keybag is checked, and what its entries need of each other.

extension VaultVectors {
    static let keybagRules: [Vector] = keybagOrder + neededEntries + epochs + sizes + namesInDump

    // MARK: - Of two faults, the one that is reported

    private static let keybagOrder: [Vector] = [
        keybag("keybag_flags_before_critical", "a flag that is not assigned, and an unknown entry that is critical") {
            $0.keybag.change(16) { $0.flags = 2 }
            $0.keybag.entries.append(.unknown(isCritical: true))
        },
        keybag("keybag_end_before_critical", "64 bytes after the last entry, which is unknown and critical") {
            $0.keybag.entries.append(.unknown(isCritical: true))
            $0.keybag.end = zeros(64)
        },
        keybag(
            "keybag_critical_before_body",
            "a structure key without its last byte, before an unknown entry that is critical",
            expect: "unsupported"
        ) {
            $0.keybag.change(16) { $0.body.removeLast() }
            $0.keybag.entries.append(.unknown(isCritical: true))
        },
        keybag("keybag_critical_before_slots", "33 slots, and an unknown entry that is critical", expect: "unsupported")
        { vault in
            vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
            vault.keybag.entries.append(.unknown(isCritical: true))
        },
        keybag(
            "keybag_slots_before_body",
            "a structure key without its last byte, and 33 slots",
            expect: "limit exceeded"
        ) { vault in
            vault.keybag.change(16) { $0.body.removeLast() }
            vault.keybag.entries += (1...32).map { vault.slot(.keyFile(vault.keyFile), "\($0)") }
        },
        keybag(
            "keybag_body_before_unique",
            "two wraps of the structure key under the user root, and a slot with another algorithm",
            expect: "unsupported"
        ) { vault in
            vault.keybag.entries.append(vault.structureKeyEntry())
            vault.keybag.entries.append(vault.slot(.keyFile(vault.keyFile)) { $0.algorithm = 9 })
        },
    ]

    // MARK: - Entries that need others

    /// A vault with the device `desk`, which `edit` changes, opened by that device alone.
    private static func onDevice(
        _ name: String,
        _ expect: String,
        _ comment: String,
        unlock: [Line] = [],
        readable: [SketchItem]? = nil,
        _ edit: (inout VaultSketch, SketchDevice) -> Void
    ) -> Vector {
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        vault.add(desk)
        edit(&vault, desk)
        let unlock = unlock + [("device", desk.unlock)]
        return vector(name, expect, comment, vault.build().bytes, unlock: unlock, readable: readable)
    }

    private static let neededEntries: [Vector] = [
        onDevice(
            "keybag_no_root_1",
            "keybag failure",
            "no structure key under the user root, although the machine could open the vault"
        ) {
            vault,
            _ in
            guard let index = vault.keybag.entries.firstIndex(where: { $0.type == 16 }) else { return }
            vault.keybag.entries.remove(at: index)
        },
        onDevice("keybag_no_root_2", "no match", "a device without a structure key, in a vault with a passphrase") {
            vault,
            _ in
            guard let index = vault.keybag.entries.lastIndex(where: { $0.type == 16 }) else { return }
            vault.keybag.entries.remove(at: index)
        },
        keybag("keybag_no_always_key", "a device with a structure key and no always key") { vault in
            vault.add(vault.device("desk"))
            vault.keybag.remove(type: 17)
        },
        onDevice("keybag_no_always_key_for_device_alone", "keybag failure", "the same on that device") { vault, _ in
            vault.keybag.remove(type: 17)
        },
        keybag("keybag_always_key_in_log", "a device with a structure key, whose always key comes in the log") {
            vault in
            let desk = vault.device("desk")
            vault.add(desk)
            vault.keybag.remove(type: 17)
            vault.append([.key(vault.alwaysKeyEntry(desk))])
        },
        onDevice(
            "device_alone_and_key_file",
            "no match",
            "on its machine, with a key file that no slot can be tried with",
            unlock: [("keyfile-hex", zeros(32).hex)]
        ) { _, _ in },
        onDevice("device_alone_without_entry", "no match", "on its machine, whose entry is not in the keybag") {
            vault,
            _ in
            vault.keybag.remove(type: 7)
        },
        withoutSlots("device_without_slots", "success", "without slots the always keys have the current epoch"),
        withoutSlots(
            "device_without_slots_and_passphrase",
            "no match",
            "a passphrase that no slot can be tried with, in addition to a device that would open the vault alone",
            unlock: passphrase
        ),
        withoutSlots(
            "device_without_slots_missing",
            "no match",
            "neither a secret nor a device key, in a vault without slots",
            hasDevice: false
        ),
        slotOfOtherDevice("device_beside_slot", "success", "a device that takes part, and the slot of another"),
        slotOfOtherDevice(
            "device_beside_slot_and_passphrase",
            "device key needed",
            "the same with a passphrase: only the other device has a slot",
            unlock: passphrase
        ),
    ]

    /// A vault of the epoch 3 without slots, with the device `desk`.
    private static func withoutSlots(
        _ name: String,
        _ expect: String,
        _ comment: String,
        unlock: [Line] = [],
        hasDevice: Bool = true
    ) -> Vector {
        var vault = VaultSketch(name, passphrase: nil)
        vault.epoch = 3
        let desk = vault.device("desk")
        var key = vault.dataKey(.dk)
        key.group = vault.group(epoch: 3)
        vault.keybag.entries = [vault.structureKeyEntry()]
        vault.add(key.group)
        vault.add(desk, groups: [])
        vault.keybag.entries += [vault.matchKeyEntry(key.group, desk), vault.dataKeyEntry(key)]
        let items = vault.append(vault.item("kim", key: key))
        return vector(
            name,
            expect,
            comment,
            vault.build().bytes,
            unlock: unlock + (hasDevice ? [("device", desk.unlock)] : []),
            readable: expect == "success" ? items : nil
        )
    }

    /// A vault that the device `lap` opens with a slot, and the device `desk` without one.
    private static func slotOfOtherDevice(
        _ name: String,
        _ expect: String,
        _ comment: String,
        unlock: [Line] = []
    ) -> Vector {
        var vault = VaultSketch(name, passphrase: nil)
        let (desk, lap) = (vault.device("desk"), vault.device("lap"))
        vault.keybag.entries.insert(vault.slot(.device(lap)), at: 0)
        vault.add(desk)
        vault.add(lap)
        vault.add(.dk)
        let items = vault.append(vault.item("kim", key: vault.dataKey(.dk)))
        return vector(
            name,
            expect,
            comment,
            vault.build().bytes,
            unlock: unlock + [("device", desk.unlock)],
            readable: expect == "success" ? items : nil
        )
    }

    // MARK: - Epochs

    private static let epochs: [Vector] = [
        keybag("keybag_previous_root_current", "a previous root of the current epoch") { vault in
            vault.keybag.entries.append(vault.previousRootEntry(epoch: 1, key: vault.randomness.bytes(32, "old")))
        },
        keybag("keybag_previous_root_later", "a previous root of a later epoch") { vault in
            vault.keybag.entries.append(vault.previousRootEntry(epoch: 2, key: vault.randomness.bytes(32, "old")))
        },
        whole(
            "keybag_always_keys_of_two_epochs",
            "always keys of two epochs in a vault without slots, on one of the devices",
            expect: "keybag failure",
            unlock: [.device("desk")],
            hasPassphrase: false
        ) { vault in
            let (desk, lap) = (vault.device("desk"), vault.device("lap"))
            var later = vault
            later.epoch = 2
            vault.add(desk)
            vault.keybag.entries += [
                vault.deviceEntry(lap), vault.structureKeyEntry(device: lap), later.alwaysKeyEntry(lap),
            ]
            return nil
        }, earlyGroup("group_epoch_before_root", onDevice: false),
        earlyGroup("group_epoch_before_root_on_device", onDevice: true),
    ]

    /// A group of an epoch before that of the user root, without a previous root.
    private static func earlyGroup(_ name: String, onDevice: Bool) -> Vector {
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        var key = vault.dataKey(.ck, group: "work")
        key.group = vault.group("work", epoch: 0)
        key.group.matchKey = vault.randomness.bytes(32, "match key of epoch 0")
        vault.add(key.group)
        vault.keybag.entries.append(vault.dataKeyEntry(key))
        if onDevice {
            vault.add(desk)
            vault.keybag.entries.append(vault.matchKeyEntry(key.group, desk))
        }
        var items = vault.append(vault.item("kim"))
        let early = vault.append(vault.item("early", key: key))
        if onDevice { items += early }
        return success(
            name,
            onDevice
                ? "a group of an epoch for which there is no user root, on a device that has its match key"
                : "a group of an epoch for which there is no user root: its match key is absent",
            vault.build().bytes,
            unlock: passphrase + (onDevice ? [("device", desk.unlock)] : []),
            readable: items,
            [("locked", "0")]
        )
    }

    // MARK: - Sizes

    private static let sizes: [Vector] = [
        named("group_name_1024", "a name of 1,024 bytes", String(repeating: "n", count: 1024)),
        keybag("group_name_1025", "a name of 1,025 bytes, in a box of the same size", expect: "limit exceeded") {
            vault in
            vault.add(vault.group(String(repeating: "n", count: 1025)))
        },
        onDevice("group_name_box_too_large", "limit exceeded", "a box too large for a name, without its match key") {
            vault,
            _ in
            vault.add(vault.group(String(repeating: "n", count: 1045)))
        },
    ]

    private static let namesInDump: [Vector] = [
        named(
            "group_name_escaped",
            "a name with characters that a dump escapes, and one that it does not",
            "é\"\\\n\u{1}"
        )
    ]

    /// A vault with an item in the group `group`.
    private static func named(_ name: String, _ comment: String, _ group: String) -> Vector {
        whole(name, comment) { vault in
            let key = vault.dataKey(.ck, group: group)
            vault.add(key.group)
            vault.keybag.entries.append(vault.dataKeyEntry(key))
            return vault.append(vault.item("kim", key: key))
        }
    }
}
