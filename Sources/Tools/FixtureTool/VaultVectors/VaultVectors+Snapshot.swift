// Section 5: vaults with a snapshot.

extension VaultVectors {
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

    /// A vault with a snapshot of which `ann`, the first item, cannot be read; `edit` changes her entry.
    func withoutAnn(
        section: (inout SketchGroupSection) -> Void = { _ in },
        _ edit: @escaping (inout SketchLeafEntry) -> Void
    ) -> Vector {
        func change(_ changed: inout SketchGroupSection) {
            section(&changed)
            let ann = changed.items[0].id
            changed.entries = { entries in
                for index in entries.indices where entries[index].itemID == ann { edit(&entries[index]) }
            }
        }
        return compacted(section: change, failures: 1) { _, items in Array(items[1...]) }
    }

    static let snapshots: [Vector] = [
        vault("snapshot", "three items in one leaf").reads(),
        vault("snapshot_of_nothing", "a section without items that has seen no writers").reads([]),
        vault("snapshot_leaves", "three items in three leaves").reads { $0.entriesPerLeaf = 1 },
        vault("snapshot_pages", "60 items in two leaves, and no more fit into the first").reads(many(60)),
        vault("snapshot_id_pages", "three items on two id pages").reads { $0.entriesPerIDPage = 2 },
        vault("snapshot_full_id_page", "507 items on two id pages, and no more fit on the first").reads(many(507)) {
            for index in $0.items.indices {
                $0.items[index].secret = nil
                $0.items[index].attributes = ["acct": .int(Int64(index))]
            }
        },
        vault("snapshot_same_key_in_two_leaves", "two items with one primary key in two leaves").reads {
            $0.items[1].attributes = $0.items[0].attributes
            $0.entriesPerLeaf = 1
        },
        vault("snapshot_changed", "two items that were changed, and so have a creation order besides the place").reads {
            for index in 0..<2 {
                $0.items[index] = $0.items[index].revised(secret: "new")
                $0.items[index].place = 3 << 20 + UInt64(index + 1)
            }
        },
        vault("snapshot_secrets", "secrets of 6, 7 and 70 bytes, in boxes of 32, 64 and 96").reads {
            $0.items[1].secret = .data(zeros(7))
            $0.items[2].secret = .data(zeros(70))
        },
        vault("snapshot_and_log", "an item of the snapshot changed by a frame, one deleted, one added")
            .compacted { vault, items in
                items[1] = items[1].revised(["icmt": .string("changed in the log")], secret: "new")
                vault.append([vault.put(items[1])])
                vault.append([vault.delete(items[0])])
                let added = vault.append(vault.item("zoe"))
                return items[1...] + added
            },
        vault("snapshot_of_all_kinds", "items of each kind in one leaf, one of them without data")
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
        vault("snapshot_contested_without_key", "of two revisions the key of the current was destroyed: the other is")
            .without { $0.dataKey(.ck) },
        vault("snapshot_contested_of_other_device")
            .comment("of two revisions the current one is another device's: the item is absent")
            .without(isPresent: false) { vault in
                let lap = vault.device("lap")
                vault.add(.dku, device: lap)
                return vault.dataKey(.dku, owner: lap)
            },
        // A put that names a revision whose key was destroyed, and has its salt.
        vault("snapshot_put_of_item_without_key")
            .comment("a put with number and salt of a revision whose key was destroyed: it is not live")
            .compacted { vault, items in
                items[2].key = vault.dataKey(.ck)
                vault.sections = [SketchGroupSection(vault.group(), items)]
                var kim = items[2]
                kim.key = vault.dataKey()
                let salt = vault.salt(of: kim)
                vault.append([vault.put(kim) { ($0.salt, $0.replaced) = (salt, salt) }])
                items[2] = kim
                return items
            },
        vault("snapshot_item_on_three_id_pages")
            .comment("an item whose five live revisions are on three id pages, two of which begin with it")
            .compacted { vault, items in
                items.sort { $0.id.hex < $1.id.hex }
                let contested = items.removeLast()
                for number in 1...5 {
                    var item = contested
                    item.revision = UInt64(number)
                    item.salt = [UInt8(number)] + zeros(7)
                    items.append(item)
                }
                vault.sections = [
                    SketchGroupSection(vault.group(), items) { ($0.entriesPerLeaf, $0.entriesPerIDPage) = (2, 3) }
                ]
                return items[..<2] + [items[6]]
            },
        vault("snapshot_of_group_without_name")
            .comment("a section of a group without a name is carried: its match key is absent")
            .compacted(locked: 0) { vault, items in
                vault.addClosedSection()
                items += vault.append(vault.item("zoe"))
                return items
            },
        vault("snapshot_of_closed_group_damaged")
            .comment("the same with a fence that does not open: only the check is compared")
            .compacted(locked: 0) { vault, items in
                vault.addClosedSection { $0.fenceBox = { $0.key = zeros(32) } }
                return items
            },
        vault("snapshot_of_closed_group_check", "the same with a check that is not that of the section")
            .snapshot(vault: { $0.addClosedSection { $0.entry = { $0.check.flip(0) } } }),
    ]
}

extension VaultVectors {
    static func many(_ count: Int) -> [String] { (1...count).map { "number \($0)" } }

    /// A contested item whose current revision has a data key that is not here.
    private func without(isPresent: Bool = true, _ key: (inout VaultSketch) -> SketchDataKey) -> Vector {
        var (vault, items) = Self.contestedVault(name)
        items[3].key = key(&vault)
        vault.sections = [SketchGroupSection(vault.group(), items)]
        let readable = Array(items[..<(isPresent ? 3 : 2)])
        return success(vault.build().bytes, readable: readable, [("locked", "0")])
    }
}

extension VaultSketch {
    /// Adds a section of a group without a name.
    fileprivate mutating func addClosedSection(_ edit: (inout SketchGroupSection) -> Void = { _ in }) {
        let key = dataKey(group: "work")
        let item = item("at work", key: key).added(by: 3, number: 1)
        sections.append(SketchGroupSection(key.group, [item], edit))
    }
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
