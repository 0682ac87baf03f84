// Sections 5.5 and 5.7: the order of the items in a block, its size, and blocks that no entry leads to.

extension VaultVectors {
    static let blockRules: [Vector] = blockOrder + sizes + withoutEntry

    // MARK: - Order

    /// A block of `ann`, `bob` and `kim` in this order, of which `edit` makes the second precede the first.
    private static func order(_ what: String, _ comment: String, _ edit: (inout [SketchItem]) -> Void) -> Vector {
        vault("block_order_\(what)", "items that descend by \(comment)").snapshot { section in
            section.isSorted = false
            edit(&section.items)
        }
    }

    private static let blockOrder: [Vector] = [
        order("class", "item class") {
            $0[0].itemClass = .inet
            $0[0].attributes = ["acct": .string("ann"), "srvr": .string("example.com")]
        },
        order("column_1", "column 1") { $0[0].attributes["svce"] = .string("web.example.com") },
        order("item_id", "item id") { items in
            items[1].attributes = items[0].attributes
            (items[0].id, items[1].id) = ([2] + zeros(15), [1] + zeros(15))
        },
        order("revision", "revision") { items in
            items[1] = items[0]
            items[0].revision = 2
        },
        order("salt", "revision salt") { items in
            items[1] = items[0]
            (items[0].salt, items[1].salt) = ([2] + zeros(7), [1] + zeros(7))
        },
        vault("block_item_twice", "a revision twice in a block, one of them without an entry").snapshot { section in
            section.isCompressed = false
            section.rawBlock = { raw in
                let size = 36 + Int(raw[36]) + Int(raw[37]) << 8
                raw = u32(4) + raw[4..<(4 + size)] + raw[4...]
            }
            section.entries = { for index in $0.indices where $0[index].number > 0 { $0[index].number += 1 } }
            section.parts = { $0[3].count = 4 }
        },
    ]

    // MARK: - Size and method

    /// A section whose block has `byteCount` raw bytes, the most of them in an item that no entry leads to.
    private static func filled(to byteCount: Int) -> (inout SketchGroupSection) -> Void {
        { section in
            section.rawBlock = { raw in
                let metadata = [255] + zeros(11) + Randomness(seed: "filled").bytes(20_000, "metadata")
                let size = byteCount - raw.count - 36
                raw.put(u32(4), at: 0)
                raw += zeros(15) + [1] + u64(1) + [1] + zeros(7) + u32(size)
                raw += metadata + zeros(size - metadata.count)
            }
            section.parts = { $0[3].count = 4 }
        }
    }

    private static let sizes: [Vector] = [
        vault("snapshot_block_of_262144")
            .comment("a block of the greatest raw length, with a large item that no entry leads to")
            .reads(["ann", "bob", "kim"], filled(to: 262_144)),
        vault("block_raw_length_262145", "a block of 262,145 raw bytes, which its stream does not exceed too much")
            .snapshot(expect: "limit exceeded", filled(to: 262_145)),
        vault("block_method_2_stored", "stored bytes with a method that does not exist").snapshot {
            $0.isCompressed = false
            $0.block = { $0.method = 2 }
        },
    ]

    // MARK: - Blocks that no entry leads to

    /// A vault with a fourth block, of bytes that do not open, to which no entry leads; `edit` changes it in the list.
    private func fourthBlock(expect: String, _ edit: @escaping (inout SketchPart) -> Void = { _ in }) -> Vector {
        let seed = name
        func change(_ section: inout SketchGroupSection) {
            let handle = section.items[0].key.handle
            section.itemsPerBlock = 1
            section.entries = { for index in $0.indices { $0[index].secretOffset += 2 } }
            section.contents = { parts in
                let bytes = Randomness(seed: seed).bytes(128, "block")
                parts.insert(SketchPart(kind: 4, count: 1, handle: handle, bytes: bytes), at: 6)
            }
            section.parts = { edit(&$0[6]) }
        }
        return expect == "success" ? reads(["ann", "bob", "kim"], change) : snapshot(expect: expect, change)
    }

    private static let withoutEntry: [Vector] = [
        vault("list_block_without_entry")
            .comment("a block that does not open, to which no entry leads: only its check is compared")
            .fourthBlock(expect: "success"),
        vault("list_block_without_entry_check", "a check that is not that of a block to which no entry leads")
            .fourthBlock(expect: "snapshot failure") { $0.check.flip(0) },
        vault("list_block_of_no_items", "a block of no items, as the list says, to which no entry leads")
            .fourthBlock(expect: "snapshot failure") { $0.count = 0 },
    ]
}
