internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// A metadata block of another copy that is taken over as it is, because its data key is absent or its items are many.
struct ForeignBlock: Sendable {
    private let bytes: [UInt8]
    private let entry: BlockList.Entry
    /// The items in it that are live, each with its number in the block and its sealed data.
    private var items: [(item: StoredItem, number: Int, secret: [UInt8]?)] = []

    private init(_ bytes: [UInt8], _ entry: BlockList.Entry) {
        self.bytes = bytes
        self.entry = entry
    }

    /// Reads the blocks of `items`, which are in the section of a group.
    static func read(
        of items: [StoredItem],
        in group: GroupEpoch,
        _ vault: inout OpenGeneration
    ) throws -> [ForeignBlock] {
        guard let section = vault.opening.directory.sections.first(where: { $0.kind == .group && $0.group == group })
        else { return [] }
        let source = try vault.source()
        let entries = try vault.checkedBlockList(of: section, in: source).entries.filter { $0.kind == .metadata }
        let numbers = Dictionary(entries.enumerated().map { ($1.part, $0) }) { first, _ in first }
        var blocks: [Int: ForeignBlock] = [:]
        for item in items {
            guard case .snapshot(let place, let secret) = item.place,
                let number = numbers[place.part]
            else { throw StoreError.invalidItem(item.name, .disagrees) }
            if blocks[number] == nil {
                let range = vault.opening.fileRange(of: place.part, in: section)
                let bytes = try source.bytes(in: range)
                blocks[number] = ForeignBlock(bytes, entries[number])
            }
            let box = secret == nil ? nil : Array(try vault.secretBox(of: item))
            blocks[number]?.items.append((item, place.number, box))
        }
        return blocks.inKeyOrder.map(\.value)
    }

    /// Adds the block and its items, which the transaction `sequence` writes, to the section of a group.
    func append(to builder: inout GroupSectionBuilder, sequence: UInt64) {
        let added = items.map { item, number, secret in
            GroupSectionBuilder.Item(
                entry: builder.add(item.revision, item.origin, item.match, sequence: sequence),
                number: number,
                secret: secret.map { .bytes($0) }
            )
        }
        builder.append(block: .bytes(bytes), handle: entry.dataKey, itemCount: entry.count, items: added)
    }
}
