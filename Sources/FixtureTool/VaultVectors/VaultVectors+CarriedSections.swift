// Section 5: group sections that a reader checks without their match key, or without their data keys.

extension VaultVectors {
    static let withoutKeys: [Vector] = carriedSections + lockedSections

    // MARK: - Sections without their match key

    /// A vault with a section of a group without a name: its directory entry and its block list are all that is read.
    private static func carried(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        snapshot(name, comment) { vault in
            let key = vault.dataKey(group: "work")
            let items = ["liz", "pam", "zoe"].map { vault.item($0, key: key).added(by: 3, number: 1) }
            vault.sections.append(SketchGroupSection(key.group, items, edit))
        }
    }

    /// The same with a secret that is larger than a page, so that one more page would fit.
    private static func carriedWithLargeSecret(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        carried(name, comment) { section in
            section.items[0].secret = .data(zeros(5000))
            edit(&section)
        }
    }

    private static let carriedSections: [Vector] = [
        carried("list_without_fence", "a block list that begins with a block") { $0.parts = { $0[0].kind = 4 } },
        carried("list_kind_6_carried", "a part of a kind that does not exist") { $0.parts = { $0[4].kind = 6 } },
        carried("list_kinds_descend", "a metadata block behind the secrets") {
            $0.parts = { ($0[3].kind, $0[3].handle, $0[4].kind) = (5, zeros(8), 4) }
        },
        carried("list_part_of_no_units", "a block of no units") {
            $0.parts = { parts in
                // The list is a unit longer with this part.
                for index in parts.indices { parts[index].offset += 1 }
                var empty = SketchPart(kind: 4, count: 1, bytes: [])
                empty.offset = parts[3].offset
                parts.insert(empty, at: 3)
            }
        },
        carried("list_fence_length", "a fence that is a unit longer than in the directory") {
            $0.entry = { $0.fenceLength -= 1 }
        },
        carriedWithLargeSecret("list_pages_of_half", "two digest pages of 32 units, as list and directory say") {
            $0.parts = { $0[1].count = 2 }
            $0.entry = { $0.digestPageCount = 2 }
        },
        carriedWithLargeSecret("list_digest_pages_differ", "two digest pages, as the directory says alone") {
            $0.entry = { $0.digestPageCount = 2 }
        },
        carriedWithLargeSecret("list_item_pages_differ", "two item pages, as the directory says alone") {
            $0.entry = { $0.itemPageCount = 2 }
        },
        carried("list_of_no_secrets", "a piece of no secrets that takes some units") { $0.parts = { $0[4].count = 0 } },
        carried("list_trailing_byte", "a byte behind the last part") { $0.listBox = { $0.content.append(0) } },
        carried("list_end", "a section that goes on behind the last part") { $0.parts = { $0.removeLast() } },
        carried("section_without_item_pages", "three entries on a digest page, and no item page") {
            $0.parts = { $0[2].kind = 4 }
            $0.entry = { $0.itemPageCount = 0 }
        },
        carried("list_two_fences", "two fences") {
            $0.contents = { $0.insert($0[0], at: 1) }
        },
        carried("list_item_pages_in_two_pieces", "item pages in pieces of 64 and 128 units, of two pages and one") {
            section in
            section.contents = { parts in
                parts[2].count = 2
                parts.insert(SketchPart(kind: 3, count: 1, bytes: zeros(2 * 4096)), at: 3)
            }
            section.entry = { $0.itemPageCount = 3 }
        },
        carried("list_check_digest_pages", "a check that is not that of the digest pages") {
            $0.parts = { $0[1].check.flip(0) }
        },
        carried("list_check_item_pages", "a check that is not that of the item pages") {
            $0.parts = { $0[2].check.flip(0) }
        },
        carried("list_handle_of_pages", "a key handle of digest pages") {
            $0.parts = { $0[1].handle = [1] + zeros(7) }
        },
        carried("list_handle_of_secrets", "a key handle of secrets") { $0.parts = { $0[4].handle = [1] + zeros(7) } },
        carried("list_check_secrets", "a check that is not that of the secrets") { $0.parts = { $0[4].check.flip(0) } },
        carried("section_without_digest_pages", "three entries on two item pages, and no digest page") { section in
            section.parts = { $0[1].kind = 3 }
            section.entry = { ($0.digestPageCount, $0.itemPageCount) = (0, 2) }
        },
        carried("section_of_no_entries_with_digest_page", "no entries and a digest page") { section in
            section.items = []
            section.contents = { $0.append(SketchPart(kind: 2, count: 1, bytes: zeros(4096))) }
            section.entry = { $0.digestPageCount = 1 }
        },
        carried("section_of_no_entries_with_item_page", "no entries and an item page") { section in
            section.items = []
            section.contents = { $0.append(SketchPart(kind: 3, count: 1, bytes: zeros(4096))) }
            section.entry = { $0.itemPageCount = 1 }
        },
    ]

    // MARK: - Sections without their data keys

    /// A section of `names`, read by a machine that has the match key, and no key of the items.
    private static func locked(
        _ name: String,
        _ comment: String,
        _ names: [String] = ["ann", "bob", "kim"],
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        var vault = snapshotVault(name, names, edit).vault
        let desk = vault.device("desk")
        vault.add(desk)
        return vector(name, "snapshot failure", comment, vault.build().bytes, unlock: [("device", desk.unlock)])
    }

    private static let lockedSections: [Vector] = [
        locked("page_within_block_locked", "entries that lead behind the first unit of a block") {
            $0.entries = { entries in
                for index in entries.indices {
                    entries[index].blockOffset += 1
                    entries[index].blockLength -= 1
                }
            }
        },
        locked("page_secret_in_block_locked", "a secret that is the block, in a section without secrets", ["ann"]) {
            $0.items[0].secret = nil
            $0.entries = { ($0[0].secretOffset, $0[0].secretLength) = ($0[0].blockOffset, $0[0].blockLength) }
        },
        locked("list_secret_in_two_pieces_locked", "two pieces of secrets, with a secret on both sides of the border") {
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
        locked(
            "list_items_fewer_than_entries_locked",
            "two entries of one item in a block of one, as the list says",
            ["ann", "bob"]
        ) {
            $0.entries = { for index in $0.indices { $0[index].number = 0 } }
            $0.parts = { $0[3].count = 1 }
        },
        locked("page_block_too_short_locked", "entries with a unit less than their block has") {
            $0.entries = { for index in $0.indices { $0[index].blockLength -= 1 } }
        },
        locked("page_block_too_long_locked", "entries with a unit more than their block has") {
            $0.entries = { for index in $0.indices { $0[index].blockLength += 1 } }
        },
    ]
}
