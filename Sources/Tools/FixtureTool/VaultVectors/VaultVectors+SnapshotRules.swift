// Section 5: what the parts of a snapshot say about each other, and what they need not.

extension VaultVectors {
    static let snapshotRules: [Vector] =
        unknownSections + sectionCounts + entryFields + contestedFlags + fenceFields + listCounts + metadataInBlocks
        + absentRevisions + itemsAndGroups

    // MARK: - Directory

    private static let unknownSections: [Vector] = [
        vault("section_unknown_list", "a block list of a section of unknown kind").unknownSection { $0.listLength = 1 },
        vault("section_unknown_fence", "a fence of a section of unknown kind").unknownSection { $0.fenceLength = 1 },
        vault("section_unknown_digest_pages", "a digest page of a section of unknown kind")
            .unknownSection { $0.digestPageCount = 1 },
        vault("section_unknown_item_pages", "an item page of a section of unknown kind")
            .unknownSection { $0.itemPageCount = 1 },
        vault("section_unknown_check", "a check that is not that of a section of unknown kind")
            .unknownSection { $0.check.flip(0) },
        vault("section_unknown_group")
            .comment("a section of unknown kind with an epoch, a group that does not exist and a count")
            .whole { vault in
                vault.sections = [
                    UnknownSection {
                        ($0.epoch, $0.groupID, $0.count) = (7, [UInt8](repeating: 1, count: 8), 0xFFFF_FFFF)
                    }
                ]
                return vault.append(vault.item("kim"))
            },
    ]

    private static let sectionCounts: [Vector] = [
        vault("section_count_1000001", "a section of 1,000,001 entries, as it says")
            .snapshot(expect: "limit exceeded") { section in section.entry = { $0.count = 1_000_001 } }
    ]

    // MARK: - Digest pages

    private static let entryFields: [Vector] = [
        vault("page_secret_offset_0", "a secret of some units that is nowhere")
            .snapshot { $0.entries = { $0[0].secretOffset = 0 } },
        vault("page_revision_0", "revision 0 of an entry, its block and its secret")
            .snapshot { $0.items[0].revision = 0 },
        vault("page_revision_2_63", "revision 2^63 of an entry, its block and its secret")
            .snapshot { $0.items[0].revision = 1 << 63 },
        vault("page_salt_0", "a revision salt of zero bytes of an entry, its block and its secret")
            .snapshot { $0.items[0].salt = zeros(8) },
        vault("page_place_0", "place 0 of an entry").snapshot { $0.items[0].place = 0 },
        vault("page_data_key_of_other_block", "an entry with the data key of another block").twoBlocks { section in
            section.entries = { entries in
                for index in entries.indices where entries[index].dataKey == 0 { entries[index].dataKey = 1 }
            }
        },
        vault("page_data_key_of_other_block_locked", "the same without the data keys")
            .twoBlocks(onDevice: true) { section in
                section.entries = { entries in
                    for index in entries.indices where entries[index].dataKey == 0 { entries[index].dataKey = 1 }
                }
            },
        vault("page_contested_with_one_salt", "two revisions of an item with the same salt").contestedPages { section in
            section.items[3].salt = section.items[2].salt
            section.items[3].revision += 1
        },
    ]

    /// A section with blocks of two data keys.
    private func twoBlocks(onDevice: Bool = false, _ edit: (inout SketchGroupSection) -> Void) -> Vector {
        var (vault, items) = Self.snapshotVault(name)
        let desk = vault.addDevice("desk")
        vault.add(.ck)
        items[2].key = vault.dataKey(.ck)
        vault.sections = [SketchGroupSection(vault.group(), items, edit)]
        let unlock = onDevice ? [("device", desk.unlock)] : Self.passphrase
        return vector("snapshot failure", vault.build().bytes, unlock: unlock)
    }

    private static let contestedFlags: [Vector] = [
        vault("fence_contested_of_no_entry", "the contested flag in a fence, and in none of its entries")
            .snapshot { $0.fence = { $0.flags |= 16 } },
        vault("fence_contested_missing", "the contested flag in two entries, and not in the fence")
            .contestedPages { $0.fence = { $0.flags = 0 } },
    ]

    // MARK: - Fence

    private static let fenceFields: [Vector] = [
        vault("fence_writer_place_2_63", "place 2^63 of a writer")
            .snapshot { $0.seen = [SketchWriter(id: [1] + zeros(7), place: 1 << 63)] },
        vault("fence_handle_twice", "a data key twice").snapshot { section in
            section.fence = { fence in
                fence.handles.append(fence.handles[0])
                fence.count = 2
            }
        },
        vault("fence_handle_of_other_group", "a data key of another group, which no entry has").foreignHandle { vault in
            let key = vault.addWork(.ck)
            return key
        },
        vault("fence_handle_of_other_epoch", "a data key of another epoch of the group, which no entry has")
            .foreignHandle { $0.addEpoch2() },
    ]

    /// A section whose fence also names a data key that does not belong to it.
    private func foreignHandle(_ add: (inout VaultSketch) -> SketchDataKey) -> Vector {
        compacted(expect: "snapshot failure") { vault, items in
            let key = add(&vault)
            vault.sections = [
                SketchGroupSection(vault.group(), items) { section in
                    section.fence = { fence in
                        fence.handles.append(key.handle)
                        fence.count = 2
                    }
                }
            ]
            return nil
        }
    }

    // MARK: - Block list

    private static let listCounts: [Vector] = [
        vault("list_fence_count_2", "two fences, as the list says").list { $0[0].count = 2 },
        vault("list_digest_pages_count_2", "two digest pages where there is one, as the list says")
            .list { $0[1].count = 2 },
        vault("list_item_pages_count_0", "no item page where there is one, as the list says").list { $0[2].count = 0 },
        vault("list_items_count_4", "four items in a block of three, as the list says").list { $0[3].count = 4 },
        vault("list_items_count_2", "two items in a block of three, as the list says").list { $0[3].count = 2 },
        vault("list_secrets_count_2", "two secrets where there are three, as the list says").list { $0[4].count = 2 },
        vault("list_secrets_count_4", "four secrets where there are three, as the list says").list { $0[4].count = 4 },
        // Two secrets of more than 262,144 bytes together in one piece.
        vault("list_piece_too_large", "two secrets of 262,208 bytes and more in one piece")
            .snapshot { $0.items[0].secret = .data(zeros(262_144)) },
    ]

    // MARK: - Blocks

    private static let metadataInBlocks: [Vector] = [
        vault("block_metadata_reserved", "a reserved byte of metadata in a block").firstInBlock { $0[4 + 52 + 3] = 1 },
        vault("snapshot_secret_form_7")
            .comment("another form of a secret, in a section: the item is damaged, and the snapshot is not")
            .withoutAnn { $0.items[0].secret = .raw([7, 1, 2]) },
        vault("block_metadata_class_0", "an item class that does not exist, in a block")
            .firstInBlock { $0[4 + 52] = 0 },
    ]

    // MARK: - Revisions that are not live, or absent

    private static let absentRevisions: [Vector] = [
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
    ]

    /// A contested item whose current revision has a data key that is not here.
    private func without(isPresent: Bool = true, _ key: (inout VaultSketch) -> SketchDataKey) -> Vector {
        var (vault, items) = Self.contestedVault(name)
        items[3].key = key(&vault)
        vault.sections = [SketchGroupSection(vault.group(), items) { $0.itemsPerBlock = 1 }]
        let readable = Array(items[..<(isPresent ? 3 : 2)])
        return success(vault.build().bytes, readable: readable, [("locked", "0")])
    }

    // MARK: - Items on several pages, groups without a name

    private static let itemsAndGroups: [Vector] = [
        vault("snapshot_item_on_three_pages")
            .comment("an item whose 206 live revisions are on three item pages, two of which begin with it")
            .compacted(of: (1...200).map { "\($0)" }) { vault, items in
                for index in items.indices { items[index].secret = nil }
                items.sort { $0.id.hex < $1.id.hex }
                let contested = items.removeLast()
                var current = contested
                // An item page has room for 202 entries: the last item ends the first, fills the second and begins the
                // third.
                for number in 1...206 {
                    var item = contested
                    item.revision = UInt64(number)
                    item.salt = [UInt8(number)] + zeros(7)
                    items.append(item)
                    current = item
                }
                vault.sections = [
                    SketchGroupSection(vault.group(), items) { section in
                        section.isCompressed = false
                        section.itemsPerBlock = 50
                    }
                ]
                return items[..<199] + [current]
            },
        vault("snapshot_of_group_without_name")
            .comment("a section of a group without a name is carried: its match key is absent")
            .compacted(locked: 0) { vault, items in
                let key = vault.dataKey(group: "work")
                let gone = vault.item("at work", key: key).added(by: 3, number: 1)
                vault.sections.append(SketchGroupSection(key.group, [gone]))
                items += vault.append(vault.item("zoe"))
                return items
            },
    ]
}
