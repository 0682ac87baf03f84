// Section 5: vaults with a snapshot.

extension VaultVectors {
    static let snapshot: [Vector] = snapshots + directories + blocks + runs + lists

    /// Returns a vault with `names` in the snapshot; `edit` changes their section.
    static func snapshotVault(
        _ name: String,
        _ names: [String] = ["ann", "bob", "kim"],
        _ edit: (inout SketchGroupSection) -> Void = { _ in }
    ) -> (vault: VaultSketch, items: [SketchItem]) {
        var vault = VaultSketch(name)
        vault.generation = 2
        vault.baseSequence = UInt64(names.count)
        vault.previousChain = vault.randomness.bytes(32, "previous chain")
        let items = names.enumerated().map { vault.item($1).added(by: UInt64($0 + 1)) }
        let section = SketchGroupSection(vault.group(), items, edit)
        vault.sections = [section]
        return (vault, section.items)
    }

    /// A vault whose snapshot is wrong.
    func snapshot(
        of names: [String] = ["ann", "bob", "kim"],
        expect: String = "snapshot failure",
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        compacted(of: names, section: edit, expect: expect) { _, _ in nil }
    }

    /// A vault with a snapshot; `edit` changes the whole vault.
    func snapshot(expect: String = "snapshot failure", vault edit: (inout VaultSketch) -> Void) -> Vector {
        compacted(expect: expect) { vault, _ in
            edit(&vault)
            return nil
        }
    }

    /// A vault with a snapshot whose bytes are then damaged.
    func damagedSnapshot(_ damage: (inout VaultFile) -> Void) -> Vector {
        var file = Self.snapshotVault(name).vault.build()
        damage(&file)
        return vector("snapshot failure", file.bytes)
    }

    /// A vault with `names` in the snapshot that opens without errors.
    func reads(
        _ names: [String] = ["ann", "bob", "kim"],
        _ edit: (inout SketchGroupSection) -> Void = { _ in }
    ) -> Vector {
        compacted(of: names, section: edit) { _, items in items }
    }

    /// A vault with a snapshot of which `ann`, the first item, cannot be read.
    func withoutAnn(failures: Int? = 1, _ edit: (inout SketchGroupSection) -> Void) -> Vector {
        compacted(section: edit, failures: failures) { _, items in Array(items[1...]) }
    }

    /// A snapshot in which the first item of the raw block is wrong.
    func firstInBlock(_ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        // All three have the same service, and are therefore ordered by account.
        withoutAnn { section in
            section.isCompressed = false
            section.rawBlock = edit
        }
    }

    private static let snapshots: [Vector] = [
        vault("snapshot", "three items in one compressed block").reads(),
        vault("snapshot_of_nothing", "a section without items that has seen no writers").reads([]),
        vault("snapshot_stored_block", "three items in one stored block").reads { $0.isCompressed = false },
        vault("snapshot_blocks", "three items in three blocks").reads { $0.itemsPerBlock = 1 },
        vault("snapshot_pages", "60 items on two digest pages").reads((1...60).map { "number \($0)" }),
        vault("snapshot_item_pages", "210 items on two item pages").reads((1...210).map { "\($0)" }) {
            for index in $0.items.indices { $0.items[index].secret = nil }
            $0.itemsPerBlock = 50
        },
        vault("snapshot_compressed_16_times", "a block of almost 16 times the size of its stream")
            .reads(["ann", "bob", "kim"], compressing(15...16)),
        vault("snapshot_and_log", "an item of the snapshot changed by a frame, one deleted, one added")
            .compacted { vault, items in
                items[1] = items[1].revised(["icmt": .string("changed in the log")], secret: "new")
                vault.append([vault.put(items[1])])
                vault.append([vault.delete(items[0], revision: 2)])
                let added = vault.append(vault.item("zoe"))
                return items[1...] + added
            },
        vault("snapshot_of_all_kinds", "items of each kind in one block, one of them without data")
            .compacted { vault, items in
                for item in [vault.internet, vault.certificate, vault.privateKey, vault.item("none", secret: nil)] {
                    items.append(item.added(by: UInt64(items.count + 1)))
                }
                vault.baseSequence = UInt64(items.count)
                vault.sections = [SketchGroupSection(vault.group(), items)]
                return items
            },
        // Items whose data keys this machine has, and others.
        vault(
            "snapshot_of_classes",
            "a snapshot on its machine before the passphrase: DK is read, AK and AKU are locked, CK was destroyed"
        )
        .compacted(unlock: [.device("desk")], locked: 4) { vault, items in
            let desk = vault.addDevice("desk")
            vault.add(.dk)
            vault.add(.aku, device: desk)
            for key in [vault.dataKey(.dk), vault.dataKey(.aku, owner: desk)] {
                items.append(vault.item("\(key.protection)", key: key).added(by: UInt64(items.count + 1)))
            }
            // The key of this item was destroyed.
            let gone = vault.item("gone", key: vault.dataKey(.ck)).added(by: 6)
            vault.baseSequence = 6
            vault.sections = [SketchGroupSection(vault.group(), items + [gone])]
            return [items[3]]
        },
        vault("snapshot_of_two_groups", "two group sections with one of unknown kind between them")
            .compacted { vault, items in
                vault.addWork()
                let work = vault.item("at work", key: vault.dataKey(group: "work")).added(by: 3, number: 1)
                vault.sections.append(SketchGroupSection(vault.group("work"), [work]))
                vault.sections.insert(UnknownSection(), at: 1)
                items.append(work)
                return items
            },
        // A block that was copied although one of its items has been deleted.
        vault("snapshot_item_without_entry", "an item in a block without a match entry is not current")
            .withoutAnn(failures: nil) { section in
                section.items[0].secret = nil
                let gone = section.items[0].id
                section.entries = { entries in entries.removeAll { $0.itemID == gone } }
                section.entry = { $0.count = 2 }
            },
        vault("snapshot_flags", "items of one flag each, and one of none: the fence has the union")
            .reads(["a", "b", "c", "d", "e"]) {
                $0.items[0].attributes["sync"] = .int(1)
                $0.items[1].attributes["vwht"] = .string("Wallet")
                $0.items[2].attributes["tomb"] = .int(1)
                $0.items[3].attributes["accc"] = .dictionary([(.string("flags"), .int(1))])
            },
        // The fence covers all entries, not only those that can be read.
        vault("snapshot_flags_of_absent_item")
            .comment("a synchronizable item whose key was destroyed: it is absent, its flag is in the fence")
            .compacted { vault, items in
                var gone = vault.item("gone", key: vault.dataKey(.ck)).added(by: 3, number: 1)
                gone.attributes["sync"] = .int(1)
                vault.sections = [SketchGroupSection(vault.group(), items + [gone])]
                return items
            },
    ]
}

// Section 4.2: of two faults, the one that is read first is reported.

extension VaultVectors {
    static let order: [Vector] = [
        vault("order_header_before_slots", "a damaged header and a wrong passphrase")
            .file("header failure", unlock: [.wrongPassphrase]) { $0.bytes.flip(60) },
        vault("order_keybag_before_slots", "a damaged keybag and a wrong passphrase")
            .file("keybag failure", unlock: [.wrongPassphrase]) { $0.bytes.flip($0.keybag.lowerBound + 100) },
        vault("order_slots_before_mac", "a header that is not authentic and a wrong passphrase")
            .small("no match", unlock: [.wrongPassphrase]) { $0.header.forged = { $0.flip(64) } },
        vault("order_slots_before_directory", "a damaged directory and a wrong passphrase")
            .file("no match", unlock: [.wrongPassphrase]) { $0.bytes.flip($0.directory.lowerBound + 50) },
        vault("order_always_key_before_mac")
            .comment("an always key that does not open and a header that is not authentic, before the passphrase")
            .small("keybag failure", unlock: [.device("desk")]) { vault in
                vault.addDevice("desk")
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            },
        vault("order_mac_before_always_key")
            .comment("the same with the passphrase, with which the always key is one of the other keys")
            .small("header failure", unlock: [.passphrase, .device("desk")]) { vault in
                vault.addDevice("desk")
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            },
        vault("order_structure_keys_before_directory")
            .comment("a structure key that opens with UR, but not with DR, and a wrong directory")
            .small("keybag failure", unlock: [.passphrase, .device("desk")]) { vault in
                vault.addDevice("desk")
                if let index = vault.keybag.entries.lastIndex(where: { $0.type == 16 }) {
                    vault.keybag.entries[index].body.flip(100)
                }
                vault.directory.reserved = [1, 0, 0, 0]
            },
        vault("order_mac_before_directory", "a wrong header MAC and a damaged directory")
            .file("header failure") {
                $0.bytes.flip(230)
                $0.bytes.flip($0.directory.lowerBound + 50)
            },
        vault("order_signature_before_directory", "a wrong header signature and a damaged directory")
            .file("header failure") {
                $0.bytes.flip(310)
                $0.bytes.flip($0.directory.lowerBound + 50)
            },
        vault("order_directory_before_keys", "a wrong directory and a data key that does not open")
            .small("snapshot failure") { vault in
                vault.directory.reserved = [1, 0, 0, 0]
                vault.keybag.change(20) { $0.body.flip(100) }
            },
        vault("order_keys_before_frames", "a data key that does not open and a damaged frame")
            .file("keybag failure", vault: { vault in vault.keybag.change(20) { $0.body.flip(100) } }) {
                $0.bytes.flip($0.frames[0].lowerBound + 100)
            },
    ]
}
