// Sections 5.3 and 5.4: digest pages, item pages and the fence.

extension VaultVectors {
    static let pages: [Vector] = pageEntries + pageContents + fences + boxes

    static func many(_ count: Int) -> [String] { (1...count).map { "number \($0)" } }

    private func entries(_ edit: @escaping (inout [SketchPageEntry]) -> Void) -> Vector {
        snapshot { $0.entries = edit }
    }

    /// Where the first of two entries of the same item is.
    private static func offsetOfTwins(in page: [UInt8]) -> Int {
        for offset in [4, 24, 44] where page[offset..<offset + 16] == page[offset + 20..<offset + 36] { return offset }
        return 0
    }

    private static let pageEntries: [Vector] = [
        vault("page_entries_unsorted", "digests in another order").entries { $0.reverse() },
        vault("page_revision_twice", "two entries of the same revision, as of a contested item").entries {
            $0[0].flags = 16
            $0[1] = $0[0]
        },
        vault("page_block_in_list", "a block inside the block list").entries { $0[0].blockOffset = 0 },
        vault("page_block_maximal", "a block at unit 2^32 - 1").entries { $0[0].blockOffset = 0xFFFF_FFFF },
        vault("page_block_length_maximal", "a block of 65,535 units").entries { $0[0].blockLength = 0xFFFF },
        vault("page_block_length_0", "a block of no units").entries { $0[0].blockLength = 0 },
        vault("page_number_beyond_block", "item 3 of a block of three, counted from 0").entries { $0[0].number = 3 },
        vault("page_secret_maximal", "a secret at unit 2^32 - 1").entries { $0[0].secretOffset = 0xFFFF_FFFF },
        vault("page_secret_length_maximal", "a secret of 65,535 units").entries { $0[0].secretLength = 0xFFFF },
        vault("page_secret_length_0", "a secret that is somewhere and has no units").entries { $0[0].secretLength = 0 },
        vault("page_secret_in_block", "a secret inside a block").entries { $0[0].secretOffset = $0[0].blockOffset },
        vault("page_data_key_beyond_fence", "data key 1 where there is only number 0").entries { $0[0].dataKey = 1 },
        vault("page_class_5", "an item class that does not exist").entries { $0[0].itemClass = 5 },
        vault("page_writer_beyond_fence", "writer 1 where there is only number 0").entries { $0[0].writer = 1 },
        vault("page_writer_maximal", "writer 2^32 - 1").entries { $0[0].writer = 0xFFFF_FFFF },
        vault("page_place_beyond_writer", "a place beyond that of its writer in the fence")
            .entries { $0[0].place = 4 << 20 },
        vault("page_place_maximal", "place 2^64 - 1").entries { $0[0].place = .max },
        vault("page_contested_superfluous", "an item with one entry that is flagged as contested")
            .entries { $0[0].flags = 16 },
        vault("page_contested_missing", "an item with two entries that are not flagged as contested")
            .contestedPages { $0.entries = { for index in $0.indices { $0[index].flags = 0 } } },
        vault("page_contested_missing_in_first", "two entries of an item, the second of them flagged")
            .contestedPages { $0.entries = { $0[contestedIndex($0)].flags = 0 } },
        vault("page_contested_missing_in_second", "two entries of an item, the first of them flagged")
            .contestedPages { $0.entries = { $0[contestedIndex($0) + 1].flags = 0 } },
        vault("page_contested_unsorted", "two revisions of an item in the wrong order")
            .contestedPages { $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) } },
        vault("page_flags_unknown", "a flag of an entry that is not assigned, and that the fence lacks too").snapshot {
            $0.entries = { $0[0].flags = 32 }
            $0.fence = { $0.flags = 0 }
        },
    ]

    /// A section with a contested item, which `edit` makes wrong.
    func contestedPages(_ edit: (inout SketchGroupSection) -> Void) -> Vector {
        vector("snapshot failure", Self.contestedVault(name, edit).vault.build().bytes)
    }

    /// Returns the index of the first of the two entries of the contested item.
    private static func contestedIndex(_ entries: [SketchPageEntry]) -> Int {
        entries.firstIndex { $0.flags & 16 != 0 } ?? 0
    }

    private static let pageContents: [Vector] = [
        vault("page_reserved", "a reserved byte of a page").snapshot { $0.digestPages = { $0[0][2] = 1 } },
        vault("page_behind_entries", "a byte after the entries of a page")
            .snapshot { $0.digestPages = { $0[0][4051] = 1 } },
        vault("page_empty", "a page of no entries").snapshot { $0.digestPages = { $0[0] = zeros(4052) } },
        vault("page_count_too_large", "an entry of zero bytes")
            .snapshot { $0.digestPages = { $0[0].put(u16(4), at: 0) } },
        vault("page_count_maximal", "65,535 entries").snapshot { $0.digestPages = { $0[0].put(u16(0xFFFF), at: 0) } },
        vault("page_too_short", "a page whose content is a byte too short")
            .snapshot { $0.digestPages = { $0[0].removeLast() } },
        vault("item_page_unsorted", "the second and third item id in the wrong order").snapshot { section in
            section.itemPages = { pages in
                let second = Array(pages[0][24..<44])
                pages[0].put(Array(pages[0][44..<64]), at: 24)
                pages[0].put(second, at: 44)
            }
        },
        vault("item_page_other_item", "an item page that points to another item").snapshot { section in
            section.itemPages = { pages in
                let first = Array(pages[0][20..<24])
                pages[0].put(Array(pages[0][40..<44]), at: 20)
                pages[0].put(first, at: 40)
            }
        },
        vault("item_page_beyond_pages", "an item page that points to a digest page that is not there")
            .snapshot { $0.itemPages = { $0[0].put(u32(256), at: 20) } },
        vault("item_page_maximal", "an item page that points to 2^32 - 1")
            .snapshot { $0.itemPages = { $0[0].put(u32(0xFFFF_FFFF as UInt32), at: 20) } },
        vault("item_page_id_missing", "an item page without one of the items").snapshot { section in
            section.itemPages = { pages in
                pages[0].put(u16(2), at: 0)
                pages[0].put(zeros(20), at: 44)
            }
        },
        vault("item_page_contested_unsorted", "two entries of an item that point back instead of on")
            .contestedPages { section in
                section.itemPages = { pages in
                    let offset = offsetOfTwins(in: pages[0])
                    let first = Array(pages[0][offset + 16..<offset + 20])
                    pages[0].put(Array(pages[0][offset + 36..<offset + 40]), at: offset + 16)
                    pages[0].put(first, at: offset + 36)
                }
            },
        vault("item_page_contested_twice", "two entries of an item that point to the same revision")
            .contestedPages { section in
                section.itemPages = { pages in
                    let offset = offsetOfTwins(in: pages[0])
                    pages[0].put(Array(pages[0][offset + 16..<offset + 20]), at: offset + 36)
                }
            },
        vault("item_page_reserved", "a reserved byte of an item page").snapshot { $0.itemPages = { $0[0][2] = 1 } },
        vault("item_page_too_short", "an item page whose content is a byte too short")
            .snapshot { $0.itemPages = { $0[0].removeLast() } },
        vault("page_empty_behind", "a digest page of no entries behind the one with all of them").emptyPage(list: 1),
        vault("item_page_empty_behind", "an item page of no entries behind the one with all of them")
            .emptyPage(list: 2),
        vault("page_item_ids_unsorted", "two items with the same primary key in the wrong order").snapshot { section in
            section.items[1].attributes = section.items[0].attributes
            section.entries = { entries in
                let first = entries[0].digest == entries[1].digest ? 0 : 1
                entries.swapAt(first, first + 1)
            }
        },
        vault("page_contested_revisions_unsorted", "two revisions of an item, of which the greater comes first")
            .contestedPages {
                $0.items[3].revision += 1
                $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) }
            },
        vault("pages_swapped", "two digest pages swapped")
            .snapshot(of: many(60)) { $0.digestPages = { $0.swapAt(0, 1) } },
        movedPage,
        vault("digest_pages_overlap", "a digest that ends a page is above the one that begins the next")
            .snapshot(of: many(60)) { section in
                section.entries = { entries in
                    let second = SketchPageEntry.pages(entries)[0].count
                    entries.swapAt(second - 1, second)
                }
            },
        // The fence has the actual first ids of the pages.
        vault("item_pages_overlap", "an item id that ends a page is above the one that begins the next")
            .snapshot(of: many(204)) { section in
                section.itemPages = { pages in
                    let (last, first) = (Array(pages[0][4024..<4044]), Array(pages[1][4..<24]))
                    pages[0].put(first, at: 4024)
                    pages[1].put(last, at: 4)
                }
                let ids = section.items.map(\.id).sorted { $0.lexicographicallyPrecedes($1) }
                section.fence = { $0.itemFences[1] = ids[201] }
            },
    ]

    /// A second page of a list, as everything else says, which has no entries.
    private func emptyPage(list: Int) -> Vector {
        snapshot { section in
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

    /// Two digest pages, swapped by someone without keys.
    private static var movedPage: Vector {
        let vault = snapshotVault("pages_moved", many(60)).vault
        var file = vault.build()
        var lineage = SketchLineage()
        let section = vault.sections[0].built(in: vault, &lineage).entry
        let start = file.sections[0].lowerBound + Int(section.listLength + section.fenceLength) * 64
        let first = Array(file.bytes[start..<start + 4096])
        file.bytes.put(Array(file.bytes[start + 4096..<start + 8192]), at: start)
        file.bytes.put(first, at: start + 4096)
        return Self.vault("pages_moved", "two digest pages swapped without keys")
            .vector("snapshot failure", file.bytes)
    }

    private func fence(_ edit: @escaping (inout SketchFence) -> Void) -> Vector {
        snapshot { $0.fence = edit }
    }

    private static let fences: [Vector] = [
        vault("fence_reserved", "a reserved byte of a fence").fence { $0.reserved = [1] },
        vault("fence_count_too_large", "two data keys where there is one").fence { $0.count = 2 },
        vault("fence_count_maximal", "65,535 data keys").fence { $0.count = 0xFFFF },
        vault("fence_too_short", "a fence without its item fences").fence { $0.itemFences = [] },
        vault("fence_too_long", "one digest fence more than there are pages")
            .fence { $0.digestFences.append([UInt8](repeating: 0xFF, count: 16)) },
        vault("fence_trailing_bytes", "one fence more than there are pages, after all others")
            .fence { $0.itemFences.append([UInt8](repeating: 0xFF, count: 16)) },
        vault("fence_digest_differs", "a digest fence that is not that of its page")
            .fence { $0.digestFences[0][15] ^= 1 },
        vault("fence_item_differs", "an item fence that is not that of its page").fence { $0.itemFences[0][15] ^= 1 },
        vault("fences_descend", "digest fences that descend")
            .snapshot(of: many(60)) { $0.fence = { $0.digestFences.reverse() } },
        vault("fence_writer_count_too_large", "two writers where there is one").fence { $0.writerCount = 2 },
        vault("fence_writer_count_0", "no writers where there is one").fence { $0.writerCount = 0 },
        vault("fence_writers_unsorted", "writers in descending order").contestedPages { section in
            section.fence = { $0.writers.reverse() }
            section.entries = { for index in $0.indices { $0[index].writer = 1 - $0[index].writer } }
        },
        vault("fence_writer_twice", "a writer twice")
            .contestedPages { $0.fence = { $0.writers[1].id = $0.writers[0].id } },
        vault("fence_writer_0", "a writer id of zero bytes").fence { $0.writers[0].id = zeros(8) },
        vault("fence_writer_place_0", "place 0 of a writer")
            .snapshot { $0.seen = [SketchWriter(id: [1] + zeros(7), place: 0)] },
        vault("fence_flag_of_no_entry", "a flag that is set in no entry of the section").fence { $0.flags = 1 },
        // The fence is made from the entries, so the two agree.
        vault("fence_flags_unknown", "a flag that is not assigned, in the fence and in an entry")
            .entries { $0[0].flags = 32 },
        vault("fence_flag_missing", "an entry with a flag that the fence lacks")
            .flagged { $0.fence = { $0.flags = 4 } },
        vault("fence_flags_0", "entries with flags, and a fence without any").flagged { $0.fence = { $0.flags = 0 } },
    ]

    /// A section of a synchronizable item, a tombstone and an item without flags, which `edit` makes wrong.
    private func flagged(_ edit: @escaping (inout SketchGroupSection) -> Void) -> Vector {
        snapshot { section in
            section.items[0].attributes["sync"] = .int(1)
            section.items[1].attributes["tomb"] = .int(1)
            edit(&section)
        }
    }

    private static let boxes: [Vector] = [
        vault("page_length_maximal", "pages with a length field of 2^32 - 1")
            .snapshot { $0.pageBox = SketchBox.lengthMaximal },
        vault("fence_length_maximal", "a fence with a length field of 2^32 - 1")
            .snapshot { $0.fenceBox = SketchBox.lengthMaximal },
        vault("fence_padding", "a fence with padding that is not zero")
            .snapshot { $0.fenceBox = SketchBox.paddingNotZero },
        vault("list_box_length_maximal", "a block list with a length field of 2^32 - 1")
            .snapshot { $0.listBox = SketchBox.lengthMaximal },
        vault("list_box_padding", "a block list with padding that is not zero")
            .snapshot { $0.listBox = SketchBox.paddingNotZero },
        vault("secret_length_maximal", "secrets with a length field of 2^32 - 1")
            .snapshot { $0.secretBox = SketchBox.lengthMaximal },
    ]
}
