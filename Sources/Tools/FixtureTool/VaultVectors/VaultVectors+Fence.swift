// Sections 5.2 and 5.4: the fence, and the parts that it divides a section into.

extension VaultVectors {
    static let fences: [Vector] = fenceContents + handlesAndWriters + fenceFlags + ends + counts

    private func fence(_ edit: @escaping (inout SketchFence) -> Void) -> Vector {
        snapshot { $0.fence = edit }
    }

    /// A fence whose head has other bytes at `offset`.
    private func fence(at offset: Int, _ bytes: [UInt8]) -> Vector {
        fence { $0.head = { $0.put(bytes, at: offset) } }
    }

    /// A section with three leaves, three id pages and two past leaves, whose fence is wrong.
    private func fenceOfMany(_ edit: @escaping (inout SketchFence) -> Void) -> Vector {
        snapshot { section in
            (section.entriesPerLeaf, section.entriesPerIDPage) = (1, 1)
            section.past = Array(section.items[..<2])
            section.fence = edit
        }
    }

    private static let maximal = u32(0xFFFF_FFFF as UInt32)

    private static let fenceContents: [Vector] = [
        vault("fence_handles_2", "two data keys where there is one").fence(at: 0, u16(2)),
        vault("fence_reserved", "a reserved byte of a fence").fence(at: 7, [1]),
        vault("fence_dictionaries_1", "a dictionary where there is none").fence(at: 2, u16(1)),
        vault("fence_writers_2", "two writers where there is one").fence(at: 8, u32(2)),
        vault("fence_writers_0", "no writers where there is one").fence(at: 8, u32(0)),
        vault("fence_leaves_maximal", "2^32 - 1 leaves").fence(at: 12, maximal),
        vault("fence_past_leaves_maximal", "2^32 - 1 past leaves").fence(at: 16, maximal),
        vault("fence_id_pages_maximal", "2^32 - 1 id pages").fence(at: 20, maximal),
        vault("fence_of_27_bytes", "a fence that ends in its numbers")
            .snapshot { $0.fenceBox = { $0.content = Array($0.content[..<27]) } },
        vault("fence_too_short", "a fence without its id page").fence { $0.idPages = [] },
        vault("fence_trailing_bytes", "a byte after the last id page")
            .snapshot { $0.fenceBox = { $0.content.append(0) } },
        vault("fence_leaf_reserved", "a reserved byte after a leaf").fence { $0.leaves[0].reserved = 1 },
        vault("fence_past_leaf_reserved", "a reserved byte after a past leaf")
            .fenceOfMany { $0.pastLeaves[0].reserved = 0x100 },
        vault("fence_length_maximal", "a fence with a length field of 2^32 - 1")
            .snapshot { $0.fenceBox = SketchBox.lengthMaximal },
        vault("fence_padding", "a fence with padding that is not zero")
            .contested { $0.fenceBox = SketchBox.paddingNotZero },
        vault("fence_digest_differs", "the digest of a leaf that is not that of its first entry")
            .fence { $0.leaves[0].name[15] ^= 1 },
        vault("fence_past_id_differs", "the item id of a past leaf that is not that of its first entry")
            .fenceOfMany { $0.pastLeaves[0].name[15] ^= 1 },
        vault("fence_id_differs", "4 bytes of an id page that are not those of its first entry")
            .fence { $0.idPages[0].name[3] ^= 1 },
        vault("fence_digests_descend", "two leaves in the wrong order").snapshot {
            $0.entriesPerLeaf = 1
            $0.leaves = { $0.swapAt(0, 1) }
        },
        vault("fence_past_ids_descend", "two past leaves in the wrong order").snapshot {
            $0.past = $0.items
            $0.entriesPerLeaf = 1
            $0.pastLeaves = { $0.swapAt(0, 1) }
        },
        vault("fence_ids_descend", "two id pages in the wrong order").snapshot {
            $0.entriesPerIDPage = 1
            $0.idPages = { $0.swapAt(0, 1) }
        },
    ]

    // MARK: - Data keys and writers

    private static let handlesAndWriters: [Vector] = [
        vault("fence_handle_twice", "a data key twice").fence { $0.handles.append($0.handles[0]) },
        vault("fence_handle_of_other_group", "a data key of another group, which no entry has")
            .foreignHandle { $0.addWork(.ck) },
        vault("fence_handle_of_other_epoch", "a data key of another epoch of the group, which no entry has")
            .foreignHandle { $0.addEpoch2() },
        vault("fence_writers_unsorted", "writers in descending order").contested {
            $0.fence = { $0.writers.reverse() }
        },
        vault("fence_writer_twice", "a writer twice").contested { $0.fence = { $0.writers[1] = $0.writers[0] } },
        vault("fence_floor", "a floor, and three revisions before it whose writer is not listed")
            .reads { $0.forgets(upTo: 9 << 20) },
        vault("fence_floor_greatest", "a revision after the greatest floor whose writer is not listed").reads {
            $0.items[0].place = 1 << 62 + 1
            $0.forgets(upTo: 1 << 62)
        },
        vault("leaf_place_after_floor", "a revision after a lesser floor whose writer is not listed").snapshot {
            $0.items[0].place = 9 << 20 + 1
            $0.forgets(upTo: 9 << 20)
        },
        vault("fence_floor_too_great", "a floor of more than 2^62")
            .snapshot { $0.seen = [.floor(1 << 62 + 1)] },
        vault("fence_floor_0", "a floor of 0").snapshot { $0.seen = [.floor(0)] },
        vault("fence_writer_below_floor", "a writer whose place is not after the floor")
            .snapshot { $0.seen = [.floor(7), SketchWriter(id: [1] + zeros(7), place: 7)] },
        vault("fence_writer_place_0", "place 0 of a writer")
            .snapshot { $0.seen = [SketchWriter(id: [1] + zeros(7), place: 0)] },
        vault("fence_writer_place_2_63", "place 2^63 of a writer")
            .snapshot { $0.seen = [SketchWriter(id: [1] + zeros(7), place: 1 << 63)] },
    ]

    /// A section whose fence also names a data key that does not belong to it.
    private func foreignHandle(_ add: (inout VaultSketch) -> SketchDataKey) -> Vector {
        compacted(expect: "snapshot failure") { vault, items in
            let key = add(&vault)
            vault.sections = [
                SketchGroupSection(vault.group(), items) { $0.fence = { $0.handles.append(key.handle) } }
            ]
            return nil
        }
    }

    // MARK: - Flags

    private static let fenceFlags: [Vector] = [
        vault("fence_flag_of_no_entry", "a flag that is set in no entry of the section").fence { $0.flags = 1 },
        vault("fence_contested_of_no_entry", "the contested flag in a fence, and in none of its entries")
            .fence { $0.flags = 16 },
        vault("fence_changed_of_no_entry", "the flag of a creation order in a fence, and in none of its entries")
            .fence { $0.flags = 32 },
        vault("fence_flag_6", "a flag that is not assigned, in the fence alone").fence { $0.flags = 64 },
        vault("fence_flag_of_past_entry", "a flag that only a past entry has").snapshot { section in
            section.past = [section.items[0].revised(["sync": .int(1)])]
            section.fence = { $0.flags = 1 }
        },
        vault("fence_flag_missing", "an entry with a flag that the fence lacks")
            .flagged { $0.fence = { $0.flags = 4 } },
        vault("fence_flags_0", "entries with flags, and a fence without any").flagged { $0.fence = { $0.flags = 0 } },
        vault("fence_contested_missing", "the contested flag in two entries, and not in the fence")
            .contested { $0.fence = { $0.flags = 32 } },
        vault("fence_changed_missing", "the flag of a creation order in two entries, and not in the fence")
            .contested { $0.fence = { $0.flags = 16 } },
    ]

    /// A section of a synchronizable item, a tombstone and an item without flags, which `edit` makes wrong.
    private func flagged(_ edit: @escaping (inout SketchGroupSection) -> Void) -> Vector {
        snapshot { section in
            section.items[0].attributes["sync"] = .int(1)
            section.items[1].attributes["tomb"] = .int(1)
            edit(&section)
        }
    }

    // MARK: - Where the parts end

    private static let ends: [Vector] = [
        vault("fence_leaf_end_0", "a leaf that ends where it begins").fence { $0.leaves[0].end = 0 },
        vault("fence_leaf_end_maximal", "a leaf that ends at 2^32 - 1").fence { $0.leaves[0].end = 0xFFFF_FFFF },
        vault("fence_leaf_end_too_early", "a leaf that ends 16 bytes too early, in its last box")
            .fence { $0.leaves[0].end -= 16 },
        vault("fence_leaf_end_in_page", "a leaf that ends in its page")
            .fenceOfMany { fence in fence.leaves[0].end = UInt32(fence.leaves[0].number ?? 0) * 64 - 16 },
        vault("fence_leaf_ends_descend", "a leaf that ends before the one before").fenceOfMany {
            $0.leaves[1].end = 64
        },
        vault("fence_page_of_0", "a page of no units").fence { $0.leaves[0].number = 0 },
        vault("fence_page_of_65_units", "a page of 4,160 bytes, in a leaf of that size or more").snapshot(of: many(20))
        {
            $0.fence = { $0.leaves[0].number = 65 }
        },
        vault("fence_page_too_short", "a page of a unit less").fence { $0.leaves[0].number? -= 1 },
        vault("fence_page_too_long", "a page of a unit more").fence { $0.leaves[0].number? += 1 },
        vault("fence_past_page_maximal", "a page of 65,535 units in a past leaf")
            .fenceOfMany { $0.pastLeaves[0].number = 0xFFFF },
        vault("fence_id_page_end_odd", "an id page that ends 16 bytes too late").snapshot {
            $0.idPages = { $0[0].boxes = zeros(16) }
        },
        vault("fence_id_page_too_long", "an id page with a unit behind it").snapshot {
            $0.idPages = { $0[0].boxes = zeros(64) }
        },
        vault("fence_id_page_of_4160_bytes", "an id page of 65 units").snapshot {
            $0.idPages = { $0[0].boxes = zeros(4096) }
        },
        vault("fence_id_page_end_beyond_fence", "an id page that ends in the fence").fence { $0.idPages[0].end += 64 },
        vault("fence_id_page_end_behind_section", "an id page that ends behind the section")
            .fence { $0.idPages[0].end += 4096 },
        vault("section_filler_64", "a unit between the last part and the fence")
            .snapshot { $0.filler = { $0 += zeros(64) } },
        vault("section_filler_of_zeros", "zeros before the fence, which may be any bytes").reads { section in
            section.filler = { filler in
                precondition(!filler.isEmpty, "nothing before the fence")
                filler = zeros(filler.count)
            }
        },
        vault("section_of_nothing_with_a_unit", "a section without parts, and a unit before the fence")
            .snapshot(of: []) { $0.filler = { $0 = zeros(64) } },
    ]

    // MARK: - Numbers that do not agree

    private static let counts: [Vector] = [
        vault("section_count_too_small", "two entries, as the directory says, where there are three")
            .snapshot { $0.entry = { $0.count = 2 } },
        vault("section_count_of_ids", "two entries, as id page and directory say, where there are three").snapshot {
            $0.idPages = { pages in
                pages[0].content[0] = 2
                pages[0].content.removeLast(8)
            }
            $0.entry = { $0.count = 2 }
        },
        vault("section_count_0", "no entries, as the directory says, where there are three")
            .snapshot { $0.entry = { $0.count = 0 } },
        vault("section_of_nothing_with_count", "an entry, as the directory says, in a section without leaves")
            .snapshot(of: []) { $0.entry = { $0.count = 1 } },
        vault("section_without_id_pages", "a leaf and no id page").snapshot { $0.idPages = { $0 = [] } },
        vault("section_without_leaves", "an id page and no leaf").snapshot { $0.leaves = { $0 = [] } },
        vault("section_of_nothing_with_id_page", "an id page in a section without items").snapshot(of: []) {
            $0.idPages = { $0 = [SketchPage([zeros(8)], first: zeros(4))] }
        },
        vault("fence_past_entries_3", "three past entries, as the fence says, where there are two")
            .fenceOfMany { $0.pastCount = 3 },
        vault("fence_past_entries_1", "one past entry, as the fence says, where there are two")
            .fenceOfMany { $0.pastCount = 1 },
        vault("fence_past_entries_0", "no past entries, as the fence says, where there are two")
            .fenceOfMany { $0.pastCount = 0 },
        vault("fence_past_entries_without_leaf", "a past entry, as the fence says, and no past leaf")
            .fence { $0.pastCount = 1 },
    ]
}

extension SketchGroupSection {
    /// Lists a floor, and no writer.
    fileprivate mutating func forgets(upTo place: UInt64) { fence = { $0.writers = [.floor(place)] } }
}
