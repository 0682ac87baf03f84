// Sections 5.3 and 5.4: digest pages, item pages and the fence.

extension VaultVectors {
    static let pages: [Vector] = pageEntries + pageContents + fences + boxes

    private static let many = (1...60).map { "number \($0)" }

    private static func entries(
        _ name: String,
        _ comment: String,
        _ edit: @escaping (inout [SketchPageEntry]) -> Void
    ) -> Vector {
        snapshot(name, comment) { $0.entries = edit }
    }

    /// Where the first of two entries of the same item is.
    private static func offsetOfTwins(in page: [UInt8]) -> Int {
        for offset in [4, 24, 44] where page[offset..<offset + 16] == page[offset + 20..<offset + 36] { return offset }
        return 0
    }

    private static let pageEntries: [Vector] = [
        entries("page_entries_unsorted", "digests in another order") { $0.reverse() },
        entries("page_revision_twice", "two entries of the same revision, as of a contested item") {
            $0[0].flags = 16
            $0[1] = $0[0]
        },
        entries("page_block_in_list", "a block inside the block list") { $0[0].blockOffset = 0 },
        entries("page_block_maximal", "a block at unit 2^32 - 1") { $0[0].blockOffset = 0xFFFF_FFFF },
        entries("page_block_length_maximal", "a block of 65,535 units") { $0[0].blockLength = 0xFFFF },
        entries("page_block_length_0", "a block of no units") { $0[0].blockLength = 0 },
        entries("page_number_beyond_block", "item 3 of a block of three, counted from 0") { $0[0].number = 3 },
        entries("page_secret_maximal", "a secret at unit 2^32 - 1") { $0[0].secretOffset = 0xFFFF_FFFF },
        entries("page_secret_length_maximal", "a secret of 65,535 units") { $0[0].secretLength = 0xFFFF },
        entries("page_secret_length_0", "a secret that is somewhere and has no units") { $0[0].secretLength = 0 },
        entries("page_secret_in_block", "a secret inside a block") { $0[0].secretOffset = $0[0].blockOffset },
        entries("page_data_key_beyond_fence", "data key 1 where there is only number 0") { $0[0].dataKey = 1 },
        entries("page_class_5", "an item class that does not exist") { $0[0].itemClass = 5 },
        entries("page_writer_beyond_fence", "writer 1 where there is only number 0") { $0[0].writer = 1 },
        entries("page_writer_maximal", "writer 2^32 - 1") { $0[0].writer = 0xFFFF_FFFF },
        entries("page_place_beyond_writer", "a place beyond that of its writer in the fence") { $0[0].place = 4 << 20 },
        entries("page_place_maximal", "place 2^64 - 1") { $0[0].place = .max },
        entries("page_contested_superfluous", "an item with one entry that is flagged as contested") {
            $0[0].flags = 16
        },
        contested("page_contested_missing", "an item with two entries that are not flagged as contested") {
            $0.entries = { for index in $0.indices { $0[index].flags = 0 } }
        },
        contested("page_contested_missing_in_first", "two entries of an item, the second of them flagged") {
            $0.entries = { $0[contestedIndex($0)].flags = 0 }
        },
        contested("page_contested_missing_in_second", "two entries of an item, the first of them flagged") {
            $0.entries = { $0[contestedIndex($0) + 1].flags = 0 }
        },
        contested("page_contested_unsorted", "two revisions of an item in the wrong order") {
            $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) }
        },
        snapshot("page_flags_unknown", "a flag of an entry that is not assigned, and that the fence lacks too") {
            $0.entries = { $0[0].flags = 32 }
            $0.fence = { $0.flags = 0 }
        },
    ]

    /// A section with a contested item, which `edit` makes wrong.
    private static func contested(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        vector(name, "snapshot failure", comment, contestedVault(name, edit).vault.build().bytes)
    }

    /// Returns the index of the first of the two entries of the contested item.
    private static func contestedIndex(_ entries: [SketchPageEntry]) -> Int {
        entries.firstIndex { $0.flags & 16 != 0 } ?? 0
    }

    private static let pageContents: [Vector] = [
        snapshot("page_reserved", "a reserved byte of a page") { $0.digestPages = { $0[0][2] = 1 } },
        snapshot("page_behind_entries", "a byte after the entries of a page") { $0.digestPages = { $0[0][4051] = 1 } },
        snapshot("page_empty", "a page of no entries") { section in
            section.digestPages = { $0[0] = zeros(4052) }
        },
        snapshot("page_count_too_large", "an entry of zero bytes") { $0.digestPages = { $0[0].put(u16(4), at: 0) } },
        snapshot("page_count_maximal", "65,535 entries") { $0.digestPages = { $0[0].put(u16(0xFFFF), at: 0) } },
        snapshot("page_too_short", "a page whose content is a byte too short") { section in
            section.digestPages = { $0[0].removeLast() }
        },
        snapshot("item_page_unsorted", "the second and third item id in the wrong order") { section in
            section.itemPages = { pages in
                let second = Array(pages[0][24..<44])
                pages[0].put(Array(pages[0][44..<64]), at: 24)
                pages[0].put(second, at: 44)
            }
        },
        snapshot("item_page_other_item", "an item page that points to another item") { section in
            section.itemPages = { pages in
                let first = Array(pages[0][20..<24])
                pages[0].put(Array(pages[0][40..<44]), at: 20)
                pages[0].put(first, at: 40)
            }
        },
        snapshot("item_page_beyond_pages", "an item page that points to a digest page that is not there") { section in
            section.itemPages = { $0[0].put(u32(256), at: 20) }
        },
        snapshot("item_page_maximal", "an item page that points to 2^32 - 1") { section in
            section.itemPages = { $0[0].put(u32(0xFFFF_FFFF as UInt32), at: 20) }
        },
        snapshot("item_page_id_missing", "an item page without one of the items") { section in
            section.itemPages = { pages in
                pages[0].put(u16(2), at: 0)
                pages[0].put(zeros(20), at: 44)
            }
        },
        contested("item_page_contested_unsorted", "two entries of an item that point back instead of on") { section in
            section.itemPages = { pages in
                let offset = offsetOfTwins(in: pages[0])
                let first = Array(pages[0][offset + 16..<offset + 20])
                pages[0].put(Array(pages[0][offset + 36..<offset + 40]), at: offset + 16)
                pages[0].put(first, at: offset + 36)
            }
        },
        contested("item_page_contested_twice", "two entries of an item that point to the same revision") { section in
            section.itemPages = { pages in
                let offset = offsetOfTwins(in: pages[0])
                pages[0].put(Array(pages[0][offset + 16..<offset + 20]), at: offset + 36)
            }
        },
        snapshot("item_page_reserved", "a reserved byte of an item page") { $0.itemPages = { $0[0][2] = 1 } },
        snapshot("item_page_too_short", "an item page whose content is a byte too short") { section in
            section.itemPages = { $0[0].removeLast() }
        },
        emptyPage("page_empty_behind", "a digest page of no entries behind the one with all of them", list: 1),
        emptyPage("item_page_empty_behind", "an item page of no entries behind the one with all of them", list: 2),
        snapshot("page_item_ids_unsorted", "two items with the same primary key in the wrong order") { section in
            section.items[1].attributes = section.items[0].attributes
            section.entries = { entries in
                let first = entries[0].digest == entries[1].digest ? 0 : 1
                entries.swapAt(first, first + 1)
            }
        },
        contested("page_contested_revisions_unsorted", "two revisions of an item, of which the greater comes first") {
            $0.items[3].revision += 1
            $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) }
        },
        swappedPages, movedPage, overlappingDigestPages, overlappingItemPages,
    ]

    /// A second page of a list, as everything else says, which has no entries.
    private static func emptyPage(_ name: String, _ comment: String, list: Int) -> Vector {
        snapshot(name, comment) { section in
            let last = [UInt8](repeating: 0xFF, count: 16)
            section.entries = { entries in
                for index in entries.indices {
                    entries[index].blockOffset += 64
                    entries[index].secretOffset += 64
                }
            }
            section.parts = { $0[list].count = 2 }
            if list == 1 {
                section.digestPages = { $0.append(zeros(4052)) }
                section.fence = { $0.digestFences.append(last) }
                section.entry = { $0.digestPageCount = 2 }
            } else {
                section.itemPages = { $0.append(zeros(4052)) }
                section.fence = { $0.itemFences.append(last) }
                section.entry = { $0.itemPageCount = 2 }
            }
        }
    }

    /// Digest pages that are each in order, but not together.
    private static var overlappingDigestPages: Vector {
        let name = "digest_pages_overlap"
        let vault = snapshotVault(name, many) { section in
            section.entries = { entries in
                let second = SketchPageEntry.pages(entries)[0].count
                entries.swapAt(second - 1, second)
            }
        }.vault
        let comment = "a digest that ends a page is above the one that begins the next"
        return vector(name, "snapshot failure", comment, vault.build().bytes)
    }

    /// Item pages that are each in order, but not together; the fence has their actual first ids.
    private static var overlappingItemPages: Vector {
        let name = "item_pages_overlap"
        let vault = snapshotVault(name, (1...204).map { "number \($0)" }) { section in
            section.itemPages = { pages in
                let (last, first) = (Array(pages[0][4024..<4044]), Array(pages[1][4..<24]))
                pages[0].put(first, at: 4024)
                pages[1].put(last, at: 4)
            }
            let ids = section.items.map(\.id).sorted { $0.lexicographicallyPrecedes($1) }
            section.fence = { $0.itemFences[1] = ids[201] }
        }.vault
        let comment = "an item id that ends a page is above the one that begins the next"
        return vector(name, "snapshot failure", comment, vault.build().bytes)
    }

    /// Two swapped digest pages.
    private static var swappedPages: Vector {
        let vault = snapshotVault("pages_swapped", many) { $0.digestPages = { $0.swapAt(0, 1) } }.vault
        return vector(
            "pages_swapped",
            "snapshot failure",
            "two digest pages swapped",
            vault.build().bytes
        )
    }

    /// Two digest pages, swapped by someone without keys.
    private static var movedPage: Vector {
        let vault = snapshotVault("pages_moved", many).vault
        var file = vault.build()
        var lineage = SketchLineage()
        let section = vault.sections[0].built(in: vault, &lineage).entry
        let start = file.sections[0].lowerBound + Int(section.listLength + section.fenceLength) * 64
        let first = Array(file.bytes[start..<start + 4096])
        file.bytes.put(Array(file.bytes[start + 4096..<start + 8192]), at: start)
        file.bytes.put(first, at: start + 4096)
        return vector(
            "pages_moved",
            "snapshot failure",
            "two digest pages swapped without keys",
            file.bytes
        )
    }

    private static func fence(_ name: String, _ comment: String, _ edit: @escaping (inout SketchFence) -> Void)
        -> Vector
    {
        snapshot(name, comment) { $0.fence = edit }
    }

    private static let fences: [Vector] = [
        fence("fence_reserved", "a reserved byte of a fence") { $0.reserved = [1] },
        fence("fence_count_too_large", "two data keys where there is one") { $0.count = 2 },
        fence("fence_count_maximal", "65,535 data keys") { $0.count = 0xFFFF },
        fence("fence_too_short", "a fence without its item fences") { $0.itemFences = [] },
        fence("fence_too_long", "one digest fence more than there are pages") { fence in
            fence.digestFences.append([UInt8](repeating: 0xFF, count: 16))
        },
        fence("fence_trailing_bytes", "one fence more than there are pages, after all others") { fence in
            fence.itemFences.append([UInt8](repeating: 0xFF, count: 16))
        },
        fence("fence_digest_differs", "a digest fence that is not that of its page") { $0.digestFences[0][15] ^= 1 },
        fence("fence_item_differs", "an item fence that is not that of its page") { $0.itemFences[0][15] ^= 1 },
        fencesDescend,
        fence("fence_writer_count_too_large", "two writers where there is one") { $0.writerCount = 2 },
        fence("fence_writer_count_0", "no writers where there is one") { $0.writerCount = 0 },
        contested("fence_writers_unsorted", "writers in descending order") { section in
            section.fence = { $0.writers.reverse() }
            section.entries = { for index in $0.indices { $0[index].writer = 1 - $0[index].writer } }
        },
        contested("fence_writer_twice", "a writer twice") { section in
            section.fence = { $0.writers[1].id = $0.writers[0].id }
        },
        fence("fence_writer_0", "a writer id of zero bytes") { $0.writers[0].id = zeros(8) },
        snapshot("fence_writer_place_0", "place 0 of a writer") { section in
            section.seen = [SketchWriter(id: [1] + zeros(7), place: 0)]
        },
        fence("fence_flag_of_no_entry", "a flag that is set in no entry of the section") { $0.flags = 1 },
        // The fence is made from the entries, so the two agree.
        entries("fence_flags_unknown", "a flag that is not assigned, in the fence and in an entry") {
            $0[0].flags = 32
        },
        flagged("fence_flag_missing", "an entry with a flag that the fence lacks") { $0.fence = { $0.flags = 4 } },
        flagged("fence_flags_0", "entries with flags, and a fence without any") { $0.fence = { $0.flags = 0 } },
    ]

    /// A section of a synchronizable item, a tombstone and an item without flags, which `edit` makes wrong.
    private static func flagged(
        _ name: String,
        _ comment: String,
        _ edit: @escaping (inout SketchGroupSection) -> Void
    ) -> Vector {
        snapshot(name, comment) { section in
            section.items[0].attributes["sync"] = .int(1)
            section.items[1].attributes["tomb"] = .int(1)
            edit(&section)
        }
    }

    private static var fencesDescend: Vector {
        let vault = snapshotVault("fences_descend", many) { $0.fence = { $0.digestFences.reverse() } }.vault
        return vector("fences_descend", "snapshot failure", "digest fences that descend", vault.build().bytes)
    }

    private static let boxes: [Vector] = [
        snapshot("page_length_maximal", "pages with a length field of 2^32 - 1") {
            $0.pageBox = SketchBox.lengthMaximal
        },
        snapshot("fence_length_maximal", "a fence with a length field of 2^32 - 1") {
            $0.fenceBox = SketchBox.lengthMaximal
        },
        snapshot("fence_padding", "a fence with padding that is not zero") { $0.fenceBox = SketchBox.paddingNotZero },
        snapshot("list_box_length_maximal", "a block list with a length field of 2^32 - 1") {
            $0.listBox = SketchBox.lengthMaximal
        },
        snapshot("list_box_padding", "a block list with padding that is not zero") {
            $0.listBox = SketchBox.paddingNotZero
        },
        snapshot("secret_length_maximal", "secrets with a length field of 2^32 - 1") {
            $0.secretBox = SketchBox.lengthMaximal
        },
    ]
}
