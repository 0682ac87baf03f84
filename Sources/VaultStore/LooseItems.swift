internal import VaultCompression
internal import VaultCrypto
internal import VaultFormat

/// Items that go into new blocks, those of one data key together.
struct LooseItems {
    struct Item {
        var block: MetadataBlock.Item
        /// The number of its entry in the new section.
        var entry: Int
        var secret: PartContent?
    }

    private var items: [KeyHandle: [Item]] = [:]

    mutating func add(_ item: Item, of handle: KeyHandle) {
        items[handle, default: []].append(item)
    }

    /// Seals the items into blocks of a section, as far as `keys` has those of their data keys.
    mutating func seal(
        into builder: inout GroupSectionBuilder<SodiumSuite>,
        vault: VaultID,
        compressor: ZlibCompressor?,
        suite: SodiumSuite,
        keys: (KeyHandle) throws(StoreError) -> DataKeys<SodiumSuite>?
    ) throws(StoreError) {
        let items = items
        self.items = [:]
        for (handle, items) in items {
            guard let dataKeys = try keys(handle) else { continue }
            for numbers in Self.parts(of: items) {
                let part = numbers.map { items[$0] }
                let block = try translating({ StoreError.refused(.compression($0)) }) { () throws(CompressionError) in
                    try MetadataBlock(items: part.map(\.block)).sealed(
                        handle: handle,
                        keys: dataKeys,
                        vault: vault,
                        compressor: compressor,
                        suite: suite
                    )
                }
                let entries = part.enumerated().map { number, item in
                    GroupSectionBuilder<SodiumSuite>.Item(entry: item.entry, number: number, secret: item.secret)
                }
                builder.append(block: .bytes(block), handle: handle, itemCount: entries.count, items: entries)
            }
        }
    }

    /// The numbers of the items of each block, in order: the items themselves are large.
    private static func parts(of items: [Item]) -> [[Int]] {
        var parts: [[Int]] = []
        var byteCount = 0
        for number in items.indices.sorted(by: { items[$0].block.precedes(items[$1].block) }) {
            let itemByteCount = items[number].block.byteCount
            if parts.isEmpty || byteCount + itemByteCount > MetadataBlock.aimedByteCount {
                parts.append([])
                byteCount = 0
            }
            parts[parts.count - 1].append(number)
            byteCount += itemByteCount
        }
        return parts
    }
}
