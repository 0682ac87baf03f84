/// An entry of a digest page, section 5.3.
struct SketchPageEntry: Comparable {
    var digest: [UInt8]
    var itemID: [UInt8]
    var revision: UInt64
    var salt: [UInt8]
    var order: UInt64
    var blockOffset: UInt32 = 0
    var blockLength: UInt16 = 0
    var number: UInt16
    var secretOffset: UInt32 = 0
    var secretLength: UInt16 = 0
    var dataKey: UInt16
    var itemClass: UInt8
    var flags: UInt8
    var attributeDigests: [UInt8]
    /// The block that contains the item; not written.
    let block: Int

    init(_ item: SketchItem, salt: [UInt8], number: Int, block: Int, keys: [[UInt8]]) {
        digest = item.digest
        itemID = item.id
        revision = item.revision
        self.salt = salt
        order = item.order
        self.number = UInt16(number)
        dataKey = UInt16(keys.firstIndex(of: item.key.handle) ?? 0)
        itemClass = item.itemClass.rawValue
        flags = item.flags
        attributeDigests = item.attributeDigests.flatMap { $0 }
        self.block = block
    }

    var bytes: [UInt8] {
        let place = u32(blockOffset) + u16(blockLength) + u16(number) + u32(secretOffset) + u16(secretLength)
        return digest + itemID + u64(revision) + salt + u64(order) + place + u16(dataKey) + [itemClass, flags]
            + attributeDigests
    }

    static func < (one: Self, other: Self) -> Bool {
        (one.digest + one.itemID).lexicographicallyPrecedes(other.digest + other.itemID)
    }

    /// Divides `entries` into pages, each as full as possible.
    static func pages(_ entries: [SketchPageEntry]) -> [[SketchPageEntry]] {
        var pages: [[SketchPageEntry]] = []
        var room = 0
        for entry in entries {
            if room < entry.bytes.count {
                pages.append([])
                room = 4048
            }
            pages[pages.count - 1].append(entry)
            room -= entry.bytes.count
        }
        return pages
    }
}

/// The fence of section 5.4.
struct SketchFence {
    var count: UInt16
    /// The flags of all entries.
    var flags: UInt8
    var reserved = zeros(5)
    var handles: [[UInt8]]
    var digestFences: [[UInt8]]
    var itemFences: [[UInt8]]

    var content: [UInt8] {
        u16(count) + [flags] + reserved + (handles + digestFences + itemFences).flatMap { $0 }
    }
}

/// The contents of the pages and of the fence of a section.
struct SketchPages {
    var digestPages: [[UInt8]]
    var itemPages: [[UInt8]]
    var fence: SketchFence
    var pageBox: SketchBox.Edit = { _ in }
    var fenceBox: SketchBox.Edit = { _ in }
    let context: [UInt8]

    /// Makes the pages for the sorted `entries`; `context` is the associated data after the label.
    init(_ entries: [SketchPageEntry], context: [UInt8], keys: [[UInt8]]) {
        let pages = SketchPageEntry.pages(entries)
        digestPages = pages.map { Self.page($0.map(\.bytes)) }
        var places: [[UInt8]] = []
        for (page, entries) in pages.enumerated() {
            for (number, entry) in entries.enumerated() { places.append(entry.itemID + u32(page * 256 + number)) }
        }
        places.sort { $0.lexicographicallyPrecedes($1) }
        let itemLists = stride(from: 0, to: places.count, by: 202)
            .map { Array(places[$0..<min($0 + 202, places.count)]) }
        itemPages = itemLists.map { Self.page($0) }
        fence = SketchFence(
            count: UInt16(keys.count),
            flags: entries.reduce(0) { $0 | $1.flags },
            handles: keys,
            digestFences: pages.map { $0[0].digest },
            itemFences: itemLists.map { Array($0[0][..<16]) }
        )
        self.context = context
    }

    private static func page(_ entries: [[UInt8]]) -> [UInt8] {
        let content = u16(entries.count) + zeros(2) + entries.flatMap { $0 }
        return content + zeros(4052 - content.count)
    }

    func sealed(
        with key: [UInt8],
        _ randomness: Randomness
    ) -> (fence: [UInt8], digestPages: [UInt8], itemPages: [UInt8]) {
        func sealed(_ pages: [[UInt8]], list: Int) -> [UInt8] {
            pages.enumerated().flatMap { number, content in
                SketchBox(key, label("page") + context + u32(list) + u32(number), content, pageBox).sealed(randomness)
            }
        }
        return (
            SketchBox(key, label("fence") + context, fence.content, fenceBox).sealed(randomness),
            sealed(digestPages, list: 1),
            sealed(itemPages, list: 2)
        )
    }
}
