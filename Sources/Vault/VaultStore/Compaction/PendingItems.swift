internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Items that go into new blocks, grouped by data key.
struct PendingItems {
    struct Item {
        var block: MetadataBlock.Item
        /// The number of its entry in the new section.
        var entry: Int
        var secret: PartContent?
    }

    /// How many blocks one thread seals at a time.
    private static let partsPerPiece = 16

    private var items: [KeyHandle: [Item]] = [:]
    private var byteCount = 0

    /// Whether enough items are waiting to seal them now: their metadata may be far larger than the file.
    var shouldSeal: Bool { byteCount >= 8 << 20 }

    mutating func add(_ item: Item, of handle: KeyHandle) {
        items[handle, default: []].append(item)
        byteCount += item.block.byteCount
    }

    /// Seals the items into blocks of a section, as far as `keys` returns their data keys.
    mutating func seal(
        into builder: inout GroupSectionBuilder,
        mayCompress: Bool,
        keys: (KeyHandle) throws -> DataKeys?
    ) throws {
        let items = items
        self.items = [:]
        byteCount = 0
        for (handle, items) in items {
            guard let dataKeys = try keys(handle) else { continue }
            let parts = Self.parts(of: items)
            let blocks = try SharedWork.results(count: parts.count, perPiece: Self.partsPerPiece) { range in
                let compressor = mayCompress ? try Compressor(level: MetadataBlock.compressionLevel) : nil
                var blocks: [(box: [UInt8], itemCount: Int)] = []
                for numbers in parts[range] {
                    let block = MetadataBlock(items: numbers.map { items[$0].block })
                    blocks += try block.sealedParts(handle: handle, keys: dataKeys, compressor)
                }
                return blocks
            }.joined()
            var rest = parts.joined().map { items[$0] }[...]
            for (box, itemCount) in blocks {
                let entries = rest.prefix(itemCount).enumerated().map { number, item in
                    GroupSectionBuilder.Item(entry: item.entry, number: number, secret: item.secret)
                }
                builder.append(block: .bytes(box), handle: handle, itemCount: itemCount, items: entries)
                rest = rest.dropFirst(itemCount)
            }
        }
    }

    /// Returns the item numbers of each block, in order; the items themselves are too large to move.
    private static func parts(of items: [Item]) -> [[Int]] {
        var parts: [[Int]] = []
        var byteCount = 0
        for number in items.indices.sorted(by: { items[$0].block.precedes(items[$1].block) }) {
            let itemByteCount = items[number].block.byteCount
            if parts.isEmpty || byteCount + itemByteCount > MetadataBlock.targetByteCount {
                parts.append([])
                byteCount = 0
            }
            parts[parts.count - 1].append(number)
            byteCount += itemByteCount
        }
        return parts
    }
}
