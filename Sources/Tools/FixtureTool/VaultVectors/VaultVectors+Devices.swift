// Sections 3.2 and 3.3: protection classes on machines that take part.

extension VaultVectors {
    /// A vault with an item of each class on the machine `desk`, and one of the machine `lap`.
    private struct Classes {
        var vault: VaultSketch
        let desk: SketchDevice
        let lap: SketchDevice
        var items: [Protection: SketchItem] = [:]
        var foreign: [SketchItem] = []

        init(_ name: String) {
            vault = VaultSketch(name)
            desk = vault.device("desk")
            lap = vault.device("lap")
            vault.add(desk)
            vault.add(lap)
            for protection in Protection.allCases where protection != .ak {
                vault.add(protection, device: desk.owning(protection))
            }
            vault.add(.dku, device: lap)
            for protection in Protection.allCases {
                let key = vault.dataKey(protection, owner: desk.owning(protection))
                items[protection] = vault.append(vault.item("\(protection)", key: key))[0]
            }
            foreign = vault.append(vault.item("on lap", key: vault.dataKey(.dku, owner: lap)))
        }

        func of(_ protections: Protection...) -> [SketchItem] { protections.compactMap { items[$0] } }
    }

    static let devices: [Vector] =
        [
            vault("device_passphrase_and_device", "all classes of this machine; another machine's items are absent")
                .classes {
                    ($0.of(.ak, .ck, .dk, .aku, .cku, .dku, .akpu), passphrase + [("device", $0.desk.unlock)], nil)
                },
            vault("device_passphrase_alone")
                .comment("without a device key, all items of classes 9 to 12 belong to other machines")
                .classes { ($0.of(.ak, .ck, .dk), passphrase, nil) },
            vault("device_other_machine", "the other machine sees its own")
                .classes { ($0.of(.ak, .ck, .dk) + $0.foreign, passphrase + [("device", $0.lap.unlock)], nil) },
            vault("device_alone", "without the passphrase DK and DKU can be read, the other classes are locked")
                .classes { ($0.of(.dk, .dku), [("device", $0.desk.unlock)], 5) },
            vault("device_alone_other_machine", "the other machine, before its passphrase")
                .classes { ($0.of(.dk) + $0.foreign, [("device", $0.lap.unlock)], 2) },
            // A machine that was present for only one of two groups.
            vault(
                "device_without_match_key",
                "items of a group whose match key this machine lacks are not even locked: nothing is known about them"
            )
            .whole(unlock: [.device("desk")], locked: 0) { vault in
                let desk = vault.addDevice("desk")
                vault.add(.dk)
                let work = vault.addWork(.dk)
                let item = vault.append(vault.item("kim", key: vault.dataKey(.dk)))
                vault.append(vault.item("at work", key: work))
                return item
            },
            deviceAfterRotation,
            // A machine that compares the header MAC with its always key alone.
            vault("device_alone_header_mac", "a machine before its passphrase compares the header MAC too")
                .whole(expect: "header failure", unlock: [.device("desk")]) { vault in
                    let desk = vault.addDevice("desk")
                    vault.header.ownerKey = zeros(32)
                    return nil
                },
            // A damaged item for a machine that cannot tell.
            vault(
                "device_alone_damaged_item",
                "a revision whose metadata is wrong replaces the one before, though this machine cannot open it"
            )
            .whole(unlock: [.device("desk")], locked: 1) { vault in
                let desk = vault.addDevice("desk")
                vault.add(.dk)
                let ann = vault.append(vault.item("ann", key: vault.dataKey(.dk)))[0]
                var next = ann.revised()
                next.key = vault.dataKey()
                vault.append([vault.put(next) { $0.metadata = [] }])
                return []
            },
            signatureForDevice(isSigned: true),
            signatureForDevice(isSigned: false),
        ] + deviceSlots

    private func classes(_ expectation: (Classes) -> ([SketchItem], [Line], Int?)) -> Vector {
        let classes = Classes(name)
        let (readable, unlock, locked) = expectation(classes)
        let body = classes.vault.build().bytes
        let further = locked.map { [("locked", "\($0)")] } ?? []
        return success(body, unlock: unlock, readable: readable, further)
    }

    /// The passphrase was changed without the machine `desk`: entries that need its root are unchanged.
    private static var deviceAfterRotation: Vector {
        var old = VaultSketch("device_after_rotation")
        let desk = old.device("desk")
        old.add(desk)
        old.add(.aku, device: desk)
        let key = old.dataKey(.aku, owner: desk)

        var vault = old
        vault.epoch = 2
        vault.userRoot = vault.randomness.bytes(32, "new user root")
        vault.structureKey = vault.randomness.bytes(32, "new structure key")
        let oldGroup = old.group()
        var newKey = vault.dataKey(.ck)
        newKey.group = vault.group(id: oldGroup.id, epoch: 2)
        vault.keybag.entries = [
            vault.slot(.passphrase(VaultSketch.passphrase)), vault.deviceEntry(desk), vault.structureKeyEntry(),
            vault.previousRootEntry(epoch: 1, key: old.userRoot), vault.groupNameEntry(oldGroup),
            vault.groupNameEntry(newKey.group), old.dataKeyEntry(key), vault.dataKeyEntry(newKey),
        ]
        let items = vault.append(vault.item("old", key: key)) + vault.append(vault.item("new", key: newKey))
        return Self.vault("device_after_rotation")
            .comment("match key and class key of the epoch before follow from the previous user root")
            .success(vault.build().bytes, unlock: passphrase + [("device", desk.unlock)], readable: items)
    }

    /// A vault with a grant, for a machine that cannot open the team key but sees its public half.
    private static func signatureForDevice(isSigned: Bool) -> Vector {
        let name = isSigned ? "header_signature_for_device_alone" : "header_signature_missing_for_device_alone"
        return vault(name)
            .comment("a machine before its passphrase verifies the header signature of a vault with a grant")
            .whole(expect: isSigned ? "success" : "header failure", unlock: [.device("desk")]) { vault in
                vault.addDevice("desk")
                vault.keybag.entries += [vault.teamKeyEntry(), vault.grantEntry()]
                if !isSigned { vault.header.signature = { $0 = zeros(64) } }
                return isSigned ? [] : nil
            }
    }

    /// A machine that is added in the log, with all entries that it needs.
    private func addedInLog(expect: String = "success", unlock: [Unlock]) -> Vector {
        whole(expect: expect, unlock: unlock) { vault in
            let desk = vault.device("desk")
            let key = vault.dataKey(.dku, owner: desk)
            vault.append([
                .key(vault.deviceEntry(desk)), .key(vault.structureKeyEntry(device: desk)),
                .key(vault.alwaysKeyEntry(desk)),
                .key(vault.matchKeyEntry(vault.group(), desk)), .key(vault.dataKeyEntry(key)),
            ])
            let items = vault.append(vault.item("kim")) + vault.append(vault.item("on desk", key: key))
            return expect == "success" ? items : nil
        }
    }

    /// A vault without a passphrase that the machine `desk` opens; its key file does too if it `hasKeyFile`.
    private func slotOfDevice(expect: String = "success", unlock: [Unlock], hasKeyFile: Bool = false) -> Vector {
        whole(expect: expect, unlock: unlock, passphrase: nil) { vault in
            let desk = vault.device("desk")
            if hasKeyFile { vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)), at: 0) }
            vault.keybag.entries.insert(vault.slot(.device(desk)), at: 0)
            vault.add(desk)
            vault.add(.aku, device: desk)
            vault.add(.dku, device: desk)
            let items = [nil, Protection.aku, .dku].flatMap { protection in
                let key = protection.map { vault.dataKey($0, owner: desk) }
                return vault.append(vault.item("\(protection ?? .ak)", key: key))
            }
            return expect == "success" ? items : nil
        }
    }

    private static let deviceSlots: [Vector] = [
        vault("device_slot", "a vault without a passphrase, on its machine").slotOfDevice(unlock: [.device("desk")]),
        vault("device_slot_and_passphrase", "on its machine, with a passphrase that matches no slot")
            .slotOfDevice(expect: "no match", unlock: [.passphrase, .device("desk")]),
        vault("device_slot_and_wrong_key_file", "on its machine, with another key file than that of the vault")
            .slotOfDevice(expect: "no match", unlock: [.otherKeyFile, .device("desk")], hasKeyFile: true),
        vault("device_slot_of_other_and_wrong_key_file", "the same without the device key: a slot was tried")
            .slotOfDevice(expect: "no match", unlock: [.otherKeyFile], hasKeyFile: true),
        vault("device_added_in_log", "a machine that was added in the log, with the passphrase")
            .addedInLog(unlock: [.passphrase, .device("desk")]),
        vault("device_added_in_log_alone")
            .comment("a machine that was added in the log cannot open the vault by itself until the file is replaced")
            .addedInLog(expect: "no match", unlock: [.device("desk")]),
        vault("device_key_needed", "without its device key").slotOfDevice(expect: "device key needed", unlock: []),
        vault("device_key_needed_with_passphrase", "with a passphrase that no slot can be tried with")
            .slotOfDevice(expect: "device key needed", unlock: [.passphrase]),
        vault("device_key_of_other_machine", "with the device key of a machine that does not take part")
            .slotOfDevice(expect: "device key needed", unlock: [.deviceOfOtherVault]),
        vault("device_key_wrong", "with a device key that has the machine's id but a different key")
            .slotOfDevice(expect: "no match", unlock: [.wrongKeyOfDevice("desk")]),
        vault("device_key_wrong_and_key_file", "the same, with a key file that would open the vault")
            .slotOfDevice(expect: "no match", unlock: [.keyFile, .wrongKeyOfDevice("desk")], hasKeyFile: true),
    ]
}

extension SketchDevice {
    /// The device, if it owns the items of `protection`.
    fileprivate func owning(_ protection: Protection) -> SketchDevice? { protection.isOwned ? self : nil }
}
