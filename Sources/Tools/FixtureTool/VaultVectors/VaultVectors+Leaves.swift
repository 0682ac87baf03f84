// Section 5.3: leaves and id pages.

extension VaultVectors {
    static let leaves: [Vector] =
        entryFields + entryOrder + contestedEntries + leafPages + leafBoxes + idPages + damagedItems + flipped

    private func entries(_ edit: @escaping (inout [SketchLeafEntry]) -> Void) -> Vector {
        snapshot { $0.entries = edit }
    }

    // MARK: - Fields

    private static let entryFields: [Vector] = [
        vault("leaf_revision_0", "revision 0 of an entry and its boxes").snapshot { $0.items[0].revision = 0 },
        vault("leaf_revision_2_63", "revision 2^63 of an entry and its boxes")
            .snapshot { $0.items[0].revision = 1 << 63 },
        vault("leaf_salt_0", "a revision salt of zero bytes of an entry and its boxes")
            .snapshot { $0.items[0].salt = zeros(8) },
        vault("leaf_writer_0", "a writer id of zero bytes").entries { $0[0].writer = zeros(8) },
        vault("leaf_writer_not_in_fence", "a writer that the fence does not have")
            .entries { $0[0].writer = [1] + zeros(7) },
        vault("leaf_place_0", "place 0 of an entry").snapshot { $0.items[0].place = 0 },
        vault("leaf_place_2_63", "place 2^63 of an entry").entries { $0[0].place = 1 << 63 },
        vault("leaf_place_maximal", "place 2^64 - 1 of an entry").entries { $0[0].place = .max },
        vault("leaf_place_beyond_writer", "a place beyond that of its writer in the fence")
            .entries { $0[0].place = 4 << 20 },
        vault("leaf_metadata_0", "an entry without a metadata box").metadataBox(of: 0),
        vault("leaf_metadata_16", "a metadata box of 16 bytes").metadataBox(of: 16),
        vault("leaf_metadata_65584", "a metadata box beyond the limit").entries { $0[0].metadata.byteCount = 65_584 },
        vault("leaf_metadata_maximal", "a metadata box of 1,048,560 bytes, as the entry says")
            .entries { $0[0].metadataLength = 0xFFFF },
        vault("leaf_secret_1052736", "a secret box beyond the limit").snapshot(of: ["ann"]) {
            $0.entries = { $0[0].secret?.byteCount = 1_052_736 }
        },
        vault("leaf_secret_maximal", "a secret box of 2,097,120 bytes, as the entry says")
            .entries { $0[0].secretLength = 0xFFFF },
        vault("leaf_data_key_beyond_fence", "data key 1 where there is only number 0").entries { $0[0].dataKey = 1 },
        vault("leaf_dictionary_beyond_fence", "dictionary 1 where there is none").entries { $0[0].dictionary = 1 },
        vault("leaf_class_0", "item class 0").entries { $0[0].itemClass = 0 },
        vault("leaf_class_5", "an item class that does not exist").entries { $0[0].itemClass = 5 },
        // The fence is made from the entries, so the two agree.
        vault("leaf_flag_6", "a flag that is not assigned, in the fence and in an entry")
            .entries { $0[0].flags = 64 },
        vault("leaf_flag_7_alone", "a flag that is not assigned, in an entry alone").snapshot {
            $0.entries = { $0[0].flags = 128 }
            $0.fence = { $0.flags = 0 }
        },
        vault("leaf_creation_order_is_place", "an entry with a creation order that is the place")
            .entries { $0[0].flags = 32 },
        vault("leaf_creation_order_missing", "the flag of a creation order, in an entry that has none")
            .leafContent { $0[4 + 89] |= 32 },
        vault("leaf_of_other_class_count", "a certificate with the digests of a password").entries {
            $0[0].itemClass = 3
        },
    ]

    /// A leaf whose only item has a metadata box of `byteCount` bytes, too few for a box.
    private func metadataBox(of byteCount: Int) -> Vector {
        snapshot(of: ["ann"]) { section in
            section.items[0].secret = nil
            section.entries = { $0[0].metadataLength = UInt16(byteCount / 16) }
            section.leaves = { $0[0].boxes = Array($0[0].boxes.prefix(byteCount)) }
        }
    }

    // MARK: - Order

    private static let entryOrder: [Vector] = [
        vault("leaf_entries_unsorted", "digests in another order").entries { $0.reverse() },
        vault("leaf_item_ids_unsorted", "two items with the same primary key in the wrong order").snapshot { section in
            section.items[1].attributes = section.items[0].attributes
            section.entries = { entries in
                let first = entries[0].digest == entries[1].digest ? 0 : 1
                entries.swapAt(first, first + 1)
            }
        },
        vault("leaf_revisions_unsorted", "two revisions of an item, of which the greater comes first").contested {
            $0.items[3].revision += 1
            $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) }
        },
        vault("leaf_salts_unsorted", "two revisions of an item with one number in the wrong order")
            .contested { $0.entries = { $0.swapAt(contestedIndex($0), contestedIndex($0) + 1) } },
        vault("leaf_entry_twice", "two entries of the same revision, as of a contested item").entries {
            $0[0].flags = 16
            $0[1] = $0[0]
        },
        vault("leaves_overlap", "a digest that ends a leaf is above the one that begins the next").snapshot {
            $0.entriesPerLeaf = 2
            // The fence has the actual first digests of the leaves.
            $0.entries = { $0.swapAt(1, 2) }
        },
    ]

    // MARK: - Contested items

    /// A section with a contested item, which `edit` makes wrong.
    func contested(_ edit: (inout SketchGroupSection) -> Void) -> Vector {
        vector("snapshot failure", Self.contestedVault(name, edit).vault.build().bytes)
    }

    /// Returns the index of the first of the two entries of the contested item.
    private static func contestedIndex(_ entries: [SketchLeafEntry]) -> Int {
        entries.firstIndex { $0.flags & 16 != 0 } ?? 0
    }

    private static let contestedEntries: [Vector] = [
        vault("leaf_contested_superfluous", "an item with one entry that is flagged as contested")
            .entries { $0[0].flags = 16 },
        vault("leaf_contested_missing", "an item with two entries that are not flagged as contested")
            .contested { $0.entries = { for index in $0.indices { $0[index].flags &= 32 } } },
        vault("leaf_contested_missing_in_first", "two entries of an item, the second of them flagged")
            .contested { $0.entries = { $0[contestedIndex($0)].flags = 32 } },
        vault("leaf_contested_missing_in_second", "two entries of an item, the first of them flagged")
            .contested { $0.entries = { $0[contestedIndex($0) + 1].flags = 32 } },
        vault("leaf_contested_missing_in_other_leaf", "two entries of an item in two leaves, one of them flagged")
            .contested {
                $0.entriesPerLeaf = 1
                $0.entries = { $0[contestedIndex($0)].flags = 32 }
            },
        vault("leaf_contested_with_one_salt", "two revisions of an item with the same salt").contested { section in
            section.items[3].salt = section.items[2].salt
            section.items[3].revision += 1
        },
    ]

    // MARK: - Pages

    private func leafContent(_ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        snapshot { $0.leaves = { edit(&$0[0].content) } }
    }

    private static let leafPages: [Vector] = [
        vault("leaf_page_reserved", "a reserved byte of the page of a leaf").leafContent { $0[2] = 1 },
        vault("leaf_page_trailing", "a byte after the entries of a page").leafContent { $0.append(0) },
        vault("leaf_page_empty", "a page of no entries").leafContent { $0 = zeros(4) },
        vault("leaf_page_of_3_bytes", "a page that ends before its entries").leafContent { $0 = [0, 0, 0] },
        vault("leaf_page_cut", "a page without the last byte of its last entry").leafContent { $0.removeLast() },
        vault("leaf_count_too_large", "three entries where the count says four").leafContent { $0[0] = 4 },
        vault("leaf_count_too_small", "three entries where the count says two").leafContent { $0[0] = 2 },
        vault("leaf_count_maximal", "65,535 entries").leafContent { $0.put(u16(0xFFFF), at: 0) },
        vault("leaf_page_of_4120", "a page of 42 entries and 4,120 bytes, and a box of 4,352").snapshot(of: many(42)) {
            $0.leafByteCount = 4120
        },
        vault("leaf_page_length_maximal", "a page with a length field of 2^32 - 1")
            .snapshot { $0.leaves = { $0[0].box = SketchBox.lengthMaximal } },
        vault("leaf_page_padding", "a page with padding that is not zero")
            .snapshot { $0.leaves = { $0[0].box = SketchBox.paddingNotZero } },
        vault("leaf_page_of_other_number", "two pages that are sealed for each other's numbers").snapshot {
            $0.entriesPerLeaf = 1
            $0.leaves = { leaves in
                for index in 0..<2 { leaves[index].box = { $0.associatedData.replaceEnd(with: u32(1 - index)) } }
            }
        },
        vault("leaf_page_of_other_list", "a page that is sealed for a past leaf").snapshot {
            $0.leaves = { $0[0].box = { $0.associatedData.put(u32(2), at: 60) } }
        },
    ]

    // MARK: - Boxes behind the page

    private static let leafBoxes: [Vector] = [
        vault("leaf_boxes_too_long", "16 bytes between the last box of a leaf and the next part")
            .snapshot { $0.leaves = { $0[0].boxes += zeros(16) } },
        vault("leaf_boxes_too_short", "a secret box that ends behind its leaf")
            .entries { $0[0].secretLength = 2 },
        vault(
            "leaf_boxes_too_long_locked",
            "16 bytes between the last box of a leaf and the next part, without data keys"
        )
        .locked { $0.leaves = { $0[0].boxes += zeros(16) } },
        vault("leaf_boxes_too_short_locked", "a secret box that ends behind its leaf, without data keys")
            .locked { $0.entries = { $0[0].secretLength = 2 } },
    ]

    /// A section of three items, read by a machine that has the match key, and no key of the items.
    private func locked(_ edit: (inout SketchGroupSection) -> Void) -> Vector {
        compacted(section: edit, expect: "snapshot failure", unlock: [.device("desk")]) { vault, _ in
            vault.addDevice("desk")
            return nil
        }
    }

    // MARK: - Id pages

    private func idPage(_ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        snapshot { $0.idPages = { edit(&$0[0].content) } }
    }

    private static let idPages: [Vector] = [
        vault("id_page_unsorted", "the second and third item id in the wrong order").idPage { page in
            let second = Array(page[12..<20])
            page.put(Array(page[20..<28]), at: 12)
            page.put(second, at: 20)
        },
        vault("id_page_other_item", "an id page that points to another item").idPage { page in
            let first = Array(page[8..<12])
            page.put(Array(page[16..<20]), at: 8)
            page.put(first, at: 16)
        },
        vault("id_page_other_id", "4 bytes that are not those of the item id").idPage { $0[20 + 3] ^= 1 },
        vault("id_page_beyond_leaf", "entry 3 of a leaf of three, counted from 0").idPage { $0.put(u32(3), at: 8) },
        vault("id_page_beyond_leaves", "an id page that points to a leaf that is not there")
            .idPage { $0.put(u32(64), at: 8) },
        vault("id_page_maximal", "an id page that points to 2^32 - 1")
            .idPage { $0.put(u32(0xFFFF_FFFF as UInt32), at: 8) },
        vault("id_page_entry_missing", "an id page without one of the items").idPage { page in
            page[0] = 2
            page.removeLast(8)
        },
        vault("id_page_entry_twice", "an item twice on an id page").idPage { page in
            page[0] = 4
            page += page.suffix(8)
        },
        vault("id_page_contested_unsorted", "two entries of an item that point back instead of on").twins {
            page,
            offset in
            let first = Array(page[offset + 4..<offset + 8])
            page.put(Array(page[offset + 12..<offset + 16]), at: offset + 4)
            page.put(first, at: offset + 12)
        },
        vault("id_page_contested_twice", "two entries of an item that point to the same revision")
            .twins { page, offset in page.put(Array(page[offset + 4..<offset + 8]), at: offset + 12) },
        vault("id_page_reserved", "a reserved byte of an id page").idPage { $0[2] = 1 },
        vault("id_page_trailing", "a byte after the entries of an id page").idPage { $0.append(0) },
        vault("id_page_cut", "an id page without its last byte").idPage { $0.removeLast() },
        vault("id_page_empty", "an id page of no entries behind the one with all of them").snapshot { section in
            section.idPages = { pages in
                pages.append(SketchPage([], first: [UInt8](repeating: 0xFF, count: 4)))
            }
        },
        vault("id_page_padding", "an id page with padding that is not zero")
            .snapshot { $0.idPages = { $0[0].box = SketchBox.paddingNotZero } },
        vault("id_pages_overlap", "an item id that ends an id page is above the one that begins the next").snapshot {
            $0.entriesPerIDPage = 2
            $0.idPages = { pages in
                let (last, first) = (Array(pages[0].content[12...]), Array(pages[1].content[4...]))
                pages[0].content.replaceEnd(with: first)
                pages[1].content.replaceEnd(with: last)
                pages[1].first = Array(last[..<4])
            }
        },
        vault("id_page_of_507", "an id page of 507 entries, and a box of 4,352 bytes").snapshot(of: many(507)) {
            for index in $0.items.indices {
                $0.items[index].secret = nil
                $0.items[index].attributes = ["acct": .int(Int64(index))]
            }
            $0.entriesPerIDPage = 507
        },
    ]

    /// An id page with a contested item, which is changed where the first of its two entries is.
    private func twins(_ edit: @escaping (inout [UInt8], Int) -> Void) -> Vector {
        contested { section in
            section.idPages = { pages in
                let page = pages[0].content
                let offset = [4, 12, 20].first { page[$0..<$0 + 4] == page[$0 + 8..<$0 + 12] }
                edit(&pages[0].content, offset ?? 0)
            }
        }
    }

    // MARK: - Items of which only they themselves are damaged

    private static let damagedItems: [Vector] = [
        vault("leaf_metadata_does_not_open", "a metadata box under another key")
            .withoutAnn { SketchItemBox.otherKey(&$0.metadata) },
        vault("leaf_metadata_mark", "another byte than 80 after the content of a metadata box")
            .withoutAnn { SketchItemBox.unmarked(&$0.metadata) },
        vault("leaf_metadata_padded_too_far", "a metadata box of 16 bytes more than its content takes")
            .withoutAnn { SketchItemBox.oneUnitTooLong(&$0.metadata) },
        vault("leaf_metadata_of_32", "metadata of no bytes, in the smallest box").withoutAnn {
            $0.metadata.content = []
        },
        vault("leaf_metadata_of_65568", "metadata of 65,543 bytes, in the largest box")
            .withoutAnn { $0.metadata.content += zeros(65_543 - $0.metadata.content.count) },
        vault("leaf_secret_does_not_open", "a secret box under another key").withoutAnn {
            if var secret = $0.secret {
                SketchItemBox.otherKey(&secret)
                $0.secret = secret
            }
        },
        vault("leaf_secret_of_other_revision", "a secret box that was sealed for another revision")
            .withoutAnn { $0.secret?.associatedData.flip(48) },
        vault("leaf_secret_zeros", "a secret box of zeros alone").withoutAnn {
            $0.secret?.content = zeros(7)
            $0.secret?.mark = 0
        },
        vault("leaf_secret_form_7")
            .comment("another form of a secret, in a leaf: the item is damaged, and the snapshot is not")
            .withoutAnn { $0.secret?.content = [7, 1, 2] },
        vault("leaf_attribute_digest_differs", "an attribute digest of another value")
            .withoutAnn { $0.attributeDigests.flip(0) },
        vault("leaf_flag_differs", "a flag that the attributes do not give, in the fence too").withoutAnn {
            $0.flags = 1
        },
        vault("leaf_digest_differs", "the digest of another primary key").compacted(
            of: ["ann"],
            section: { section in section.entries = { $0[0].digest.flip(15) } },
            failures: 1
        ) { _, _ in [] },
        vault("leaf_class_differs", "the entry of a certificate, the metadata of a password").compacted(
            of: ["ann"],
            section: { section in
                section.entries = { ($0[0].itemClass, $0[0].attributeDigests) = (3, zeros(16)) }
            },
            failures: 1
        ) { _, _ in [] },
        vault("leaf_boxes_swapped", "two entries with each other's boxes, of the same key and size").compacted(
            of: ["ann", "bob"],
            section: { section in
                section.entries = { entries in
                    let first = entries[0]
                    (entries[0].metadata, entries[0].secret) = (entries[1].metadata, entries[1].secret)
                    (entries[1].metadata, entries[1].secret) = (first.metadata, first.secret)
                }
            },
            failures: 2
        ) { _, _ in [] },
    ]

    // MARK: - Bytes that were changed without a key

    private static let flipped: [Vector] = [
        vault("leaf_page_bitflip", "a changed bit in the page of a leaf")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].lowerBound + 100) },
        vault("leaf_box_bitflip", "a changed bit in the box of an item")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].lowerBound + 1000) },
        vault("fence_bitflip", "a changed bit in a fence")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].upperBound - 50) },
    ]
}
