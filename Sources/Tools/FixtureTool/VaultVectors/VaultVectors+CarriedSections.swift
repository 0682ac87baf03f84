// Section 5: group sections that a reader checks without their match key, or without their data keys.

extension VaultVectors {
    static let withoutKeys: [Vector] = carriedSections + lockedSections

    // MARK: - Sections without their match key

    /// A vault with a section of a group without a name: its directory entry and its block list are all that is read.
    private func carried(_ edit: (inout SketchGroupSection) -> Void) -> Vector {
        snapshot { vault in
            let key = vault.dataKey(group: "work")
            let items = ["liz", "pam", "zoe"].map { vault.item($0, key: key).added(by: 3, number: 1) }
            vault.sections.append(SketchGroupSection(key.group, items, edit))
        }
    }

    /// The same with a secret that is larger than a page, so that one more page would fit.
    private func carriedWithLargeSecret(_ edit: (inout SketchGroupSection) -> Void) -> Vector {
        carried { section in
            section.items[0].secret = .data(zeros(5000))
            edit(&section)
        }
    }

    private static let carriedSections: [Vector] = [
        vault("list_without_fence", "a block list that begins with a block").carried { $0.parts = { $0[0].kind = 4 } },
        vault("list_kind_6_carried", "a part of a kind that does not exist").carried { $0.parts = { $0[4].kind = 6 } },
        vault("list_kinds_descend", "a metadata block behind the secrets")
            .carried { $0.parts = { ($0[3].kind, $0[3].handle, $0[4].kind) = (5, zeros(8), 4) } },
        vault("list_part_of_no_units", "a block of no units").carried {
            $0.parts = { parts in
                // The list is a unit longer with this part.
                for index in parts.indices { parts[index].offset += 1 }
                var empty = SketchPart(kind: 4, count: 1, bytes: [])
                empty.offset = parts[3].offset
                parts.insert(empty, at: 3)
            }
        },
        vault("list_fence_length", "a fence that is a unit longer than in the directory")
            .carried { $0.entry = { $0.fenceLength -= 1 } },
        vault("list_pages_of_half", "two digest pages of 32 units, as list and directory say").carriedWithLargeSecret {
            $0.parts = { $0[1].count = 2 }
            $0.entry = { $0.digestPageCount = 2 }
        },
        vault("list_digest_pages_differ", "two digest pages, as the directory says alone")
            .carriedWithLargeSecret { $0.entry = { $0.digestPageCount = 2 } },
        vault("list_item_pages_differ", "two item pages, as the directory says alone")
            .carriedWithLargeSecret { $0.entry = { $0.itemPageCount = 2 } },
        vault("list_of_no_secrets", "a piece of no secrets that takes some units")
            .carried { $0.parts = { $0[4].count = 0 } },
        vault("list_trailing_byte", "a byte behind the last part").carried { $0.listBox = { $0.content.append(0) } },
        vault("list_end", "a section that goes on behind the last part").carried { $0.parts = { $0.removeLast() } },
        vault("section_without_item_pages", "three entries on a digest page, and no item page").carried {
            $0.parts = { $0[2].kind = 4 }
            $0.entry = { $0.itemPageCount = 0 }
        },
        vault("list_two_fences", "two fences").carried { $0.contents = { $0.insert($0[0], at: 1) } },
        vault("list_item_pages_in_two_pieces", "item pages in pieces of 64 and 128 units, of two pages and one")
            .carried { section in
                section.contents = { parts in
                    parts[2].count = 2
                    parts.insert(SketchPart(kind: 3, count: 1, bytes: zeros(2 * 4096)), at: 3)
                }
                section.entry = { $0.itemPageCount = 3 }
            },
        vault("list_check_digest_pages", "a check that is not that of the digest pages")
            .carried { $0.parts = { $0[1].check.flip(0) } },
        vault("list_check_item_pages", "a check that is not that of the item pages")
            .carried { $0.parts = { $0[2].check.flip(0) } },
        vault("list_handle_of_pages", "a key handle of digest pages")
            .carried { $0.parts = { $0[1].handle = [1] + zeros(7) } },
        vault("list_handle_of_secrets", "a key handle of secrets")
            .carried { $0.parts = { $0[4].handle = [1] + zeros(7) } },
        vault("list_check_secrets", "a check that is not that of the secrets")
            .carried { $0.parts = { $0[4].check.flip(0) } },
        vault("section_without_digest_pages", "three entries on two item pages, and no digest page")
            .carried { section in
                section.parts = { $0[1].kind = 3 }
                section.entry = { ($0.digestPageCount, $0.itemPageCount) = (0, 2) }
            },
        vault("section_of_no_entries_with_digest_page", "no entries and a digest page").carried { section in
            section.items = []
            section.contents = { $0.append(SketchPart(kind: 2, count: 1, bytes: zeros(4096))) }
            section.entry = { $0.digestPageCount = 1 }
        },
        vault("section_of_no_entries_with_item_page", "no entries and an item page").carried { section in
            section.items = []
            section.contents = { $0.append(SketchPart(kind: 3, count: 1, bytes: zeros(4096))) }
            section.entry = { $0.itemPageCount = 1 }
        },
    ]

    // MARK: - Sections without their data keys

    /// A section of `names`, read by a machine that has the match key, and no key of the items.
    private func locked(_ names: [String] = ["ann", "bob", "kim"], _ edit: (inout SketchGroupSection) -> Void) -> Vector
    {
        compacted(of: names, section: edit, expect: "snapshot failure", unlock: [.device("desk")]) { vault, _ in
            vault.addDevice("desk")
            return nil
        }
    }

    private static let lockedSections: [Vector] = [
        vault("page_within_block_locked", "entries that lead behind the first unit of a block").locked {
            $0.entries = { entries in
                for index in entries.indices {
                    entries[index].blockOffset += 1
                    entries[index].blockLength -= 1
                }
            }
        },
        vault("page_secret_in_block_locked", "a secret that is the block, in a section without secrets")
            .locked(["ann"]) {
                $0.items[0].secret = nil
                $0.entries = { ($0[0].secretOffset, $0[0].secretLength) = ($0[0].blockOffset, $0[0].blockLength) }
            },
        vault("list_secret_in_two_pieces_locked", "two pieces of secrets, with a secret on both sides of the border")
            .locked {
                for index in $0.items.indices { $0.items[index].secret = .data(zeros(100)) }
                $0.itemsPerBlock = 1
                $0.parts = { parts in
                    let secrets = parts.removeLast()
                    for (count, range) in [(1, 0..<4), (2, 4..<9)] as [(UInt32, Range<Int>)] {
                        let bytes = Array(secrets.bytes[(range.lowerBound * 64)..<(range.upperBound * 64)])
                        var piece = SketchPart(kind: 5, count: count, bytes: bytes)
                        piece.offset = secrets.offset + UInt32(range.lowerBound)
                        parts.append(piece)
                    }
                }
            },
        vault("list_items_fewer_than_entries_locked", "two entries of one item in a block of one, as the list says")
            .locked(["ann", "bob"]) {
                $0.entries = { for index in $0.indices { $0[index].number = 0 } }
                $0.parts = { $0[3].count = 1 }
            },
        vault("page_block_too_short_locked", "entries with a unit less than their block has")
            .locked { $0.entries = { for index in $0.indices { $0[index].blockLength -= 1 } } },
        vault("page_block_too_long_locked", "entries with a unit more than their block has")
            .locked { $0.entries = { for index in $0.indices { $0[index].blockLength += 1 } } },
    ]
}
