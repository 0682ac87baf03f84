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
    var writer: UInt32
    var place: UInt64
    var sequence: UInt64
    var written: UInt64
    var attributeDigests: [UInt8]
    /// The block that contains the item; not written.
    let block: Int

    init(_ item: SketchItem, in vault: VaultSketch, number: Int, block: Int, keys: [[UInt8]], writers: [SketchWriter]) {
        digest = item.digest
        itemID = item.id
        revision = item.revision
        salt = vault.salt(of: item)
        order = item.order
        self.number = UInt16(number)
        dataKey = UInt16(keys.firstIndex(of: item.key.handle) ?? 0)
        itemClass = item.itemClass.rawValue
        flags = item.flags
        writer = UInt32(writers.firstIndex { $0.id == item.writer ?? vault.writer } ?? 0)
        place = item.place ?? item.order
        (sequence, written) = (item.sequence, item.written)
        attributeDigests = item.attributeDigests.flatMap { $0 }
        self.block = block
    }

    var bytes: [UInt8] {
        let offsets = u32(blockOffset) + u16(blockLength) + u16(number) + u32(secretOffset) + u16(secretLength)
        return digest + itemID + u64(revision) + salt + u64(order) + offsets + u16(dataKey) + [itemClass, flags]
            + u32(writer) + u64(place) + u64(sequence) + u64(written) + attributeDigests
    }

    static func < (one: Self, other: Self) -> Bool {
        let (id, otherID) = ((one.digest + one.itemID).hex, (other.digest + other.itemID).hex)
        return (id, one.revision, one.salt.hex) < (otherID, other.revision, other.salt.hex)
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
    var reserved: [UInt8] = [0]
    /// Replaces the number of writers.
    var writerCount: UInt32?
    var handles: [[UInt8]]
    var writers: [SketchWriter]
    var digestFences: [[UInt8]]
    var itemFences: [[UInt8]]

    var content: [UInt8] {
        u16(count) + [flags] + reserved + u32(writerCount ?? UInt32(writers.count))
            + (handles + writers.map(\.bytes) + digestFences + itemFences).flatMap { $0 }
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
    init(_ entries: [SketchPageEntry], context: [UInt8], keys: [[UInt8]], writers: [SketchWriter]) {
        let pages = SketchPageEntry.pages(entries)
        digestPages = pages.map { Self.page($0.map(\.bytes)) }
        var pointers: [(id: [UInt8], number: Int)] = []
        for (page, entries) in pages.enumerated() {
            for (number, entry) in entries.enumerated() { pointers.append((entry.itemID, page * 256 + number)) }
        }
        pointers.sort { ($0.id.hex, $0.number) < ($1.id.hex, $1.number) }
        let places = pointers.map { $0.id + u32($0.number) }
        let itemLists = stride(from: 0, to: places.count, by: 202)
            .map { Array(places[$0..<min($0 + 202, places.count)]) }
        itemPages = itemLists.map { Self.page($0) }
        fence = SketchFence(
            count: UInt16(keys.count),
            flags: entries.reduce(0) { $0 | $1.flags },
            handles: keys,
            writers: writers,
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
