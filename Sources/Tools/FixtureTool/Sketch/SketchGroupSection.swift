/// A group section, section 5.2: all live revisions of a group in blocks, and the pages that index them.
struct SketchGroupSection: SketchSection {
    var group: SketchGroup
    var items: [SketchItem]
    /// What was seen beyond the places of the items.
    var seen: [SketchWriter] = []
    var isCompressed = true
    var itemsPerBlock = 100

    // The changes a vector can make, from the inside out.
    var isSorted = true
    var rawBlock: (inout [UInt8]) -> Void = { _ in }
    var block: (inout SketchBlock) -> Void = { _ in }
    var blockBox: SketchBox.Edit = { _ in }
    var entries: (inout [SketchPageEntry]) -> Void = { _ in }
    var digestPages: (inout [[UInt8]]) -> Void = { _ in }
    var itemPages: (inout [[UInt8]]) -> Void = { _ in }
    var fence: (inout SketchFence) -> Void = { _ in }
    /// Changes the parts before they are placed, and with them the bytes of the section.
    var contents: (inout [SketchPart]) -> Void = { _ in }
    /// Changes the list of the parts.
    var parts: (inout [SketchPart]) -> Void = { _ in }
    var secretBox: SketchBox.Edit = { _ in }
    var pageBox: SketchBox.Edit = { _ in }
    var fenceBox: SketchBox.Edit = { _ in }
    var listBox: SketchBox.Edit = { _ in }
    var entry: (inout SectionEntry) -> Void = { _ in }
    var name = ""

    init(_ group: SketchGroup, _ items: [SketchItem], _ edit: (inout SketchGroupSection) -> Void = { _ in }) {
        self.group = group
        self.items = items
        edit(&self)
    }

    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection {
        let id = vault.randomness.bytes(16, "section id 1 \(group.name) \(name)")
        let blocks = blocks.map { built($0, in: vault) }
        let secrets = self.blocks.joined().map { secret(of: $0, in: vault) }
        let keys = dataKeys
        let writers = writers(in: vault)
        var pageEntries = self.blocks.enumerated().flatMap { block, items in
            items.enumerated().map {
                SketchPageEntry($1, in: vault, number: $0, block: block, keys: keys, writers: writers)
            }
        }
        for index in pageEntries.indices where items.count(where: { $0.id == pageEntries[index].itemID }) > 1 {
            pageEntries[index].flags |= 16
        }
        let pageSizes = SketchPageEntry.pages(pageEntries.sorted()).map(\.count)
        let itemPageCount = (items.count + 201) / 202

        // All sizes are known now, and therefore all offsets.
        let fenceByteCount = pad(44 + 8 + 8 * keys.count + 16 * (writers.count + pageSizes.count + itemPageCount))
        let partCount = (items.isEmpty ? 1 : 3) + blocks.count + (secrets.contains { !$0.isEmpty } ? 1 : 0)
        let listByteCount = pad(44 + 40 * partCount)
        let blocksOffset = listByteCount + fenceByteCount + 4096 * (pageSizes.count + itemPageCount)
        place(&pageEntries, blocks, secrets, from: blocksOffset)
        pageEntries.sort()
        entries(&pageEntries)

        let context = vault.id + group.id + u32(group.epoch) + id
        var pages = SketchPages(pageEntries, context: context, keys: keys, writers: writers)
        digestPages(&pages.digestPages)
        itemPages(&pages.itemPages)
        fence(&pages.fence)
        pages.pageBox = pageBox
        pages.fenceBox = fenceBox
        let sealed = pages.sealed(with: group.key("page"), vault.randomness)

        var parts = [SketchPart(kind: 1, count: 1, bytes: sealed.fence)]
        if !items.isEmpty {
            parts.append(SketchPart(kind: 2, count: UInt32(pageSizes.count), bytes: sealed.digestPages))
            parts.append(SketchPart(kind: 3, count: UInt32(itemPageCount), bytes: sealed.itemPages))
        }
        for (items, bytes) in zip(self.blocks, blocks) {
            parts.append(SketchPart(kind: 4, count: UInt32(items.count), handle: items[0].key.handle, bytes: bytes))
        }
        let secretBytes = secrets.flatMap { $0 }
        if !secretBytes.isEmpty {
            let count = secrets.count { !$0.isEmpty }
            parts.append(SketchPart(kind: 5, count: UInt32(count), bytes: secretBytes))
        }
        contents(&parts)
        let bytes = parts.flatMap(\.bytes)
        SketchPart.place(&parts, from: pad(44 + 40 * parts.count))
        self.parts(&parts)
        let list = SketchBox(vault.key("snapshot"), label("list") + id, parts.flatMap(\.entry), listBox).sealed(
            vault.randomness
        )

        var entry = SectionEntry(kind: 1, epoch: group.epoch, id: id, groupID: group.id)
        entry.listLength = UInt32(list.count / 64)
        entry.fenceLength = UInt32(sealed.fence.count / 64)
        entry.count = UInt32(items.count)
        entry.digestPageCount = UInt32(pageSizes.count)
        entry.itemPageCount = UInt32(itemPageCount)
        entry.check = H(16, nil, "file", list)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: list + bytes)
    }

    /// Returns the writers of the items and of what was seen, with their greatest places.
    func writers(in vault: VaultSketch) -> [SketchWriter] {
        let own = items.map { SketchWriter(id: $0.writer ?? vault.writer, place: $0.place ?? $0.order) }
        let places = Dictionary((own + seen).map { ($0.id, $0.place) }, uniquingKeysWith: max)
        return places.map { SketchWriter(id: $0, place: $1) }.sorted { $0.id.precedes($1.id) }
    }

    /// The data keys, in the order of their first items.
    private var dataKeys: [[UInt8]] {
        items.reduce(into: []) { keys, item in
            if !keys.contains(item.key.handle) { keys.append(item.key.handle) }
        }
    }

    /// The items of each block, in the order of section 5.5.
    private var blocks: [[SketchItem]] {
        dataKeys.flatMap { handle in
            var items = items.filter { $0.key.handle == handle }
            if isSorted { items.sort { $0.blockOrder.lexicographicallyPrecedes($1.blockOrder) { $0.precedes($1) } } }
            return stride(from: 0, to: items.count, by: itemsPerBlock)
                .map { Array(items[$0..<min($0 + itemsPerBlock, items.count)]) }
        }
    }

    private func built(_ items: [SketchItem], in vault: VaultSketch) -> [UInt8] {
        let key = items[0].key
        var raw = u32(items.count)
        for item in items {
            raw += item.id + u64(item.revision) + vault.salt(of: item)
            raw += u32(item.metadata.count) + item.metadata
        }
        rawBlock(&raw)
        var block = SketchBlock(raw: raw, isCompressed: isCompressed)
        self.block(&block)
        return SketchBox(key.key("meta"), label("block") + vault.id + key.handle, block.content, blockBox)
            .sealed(vault.randomness)
    }

    private func secret(of item: SketchItem, in vault: VaultSketch) -> [UInt8] {
        guard let secret = item.secret else { return [] }
        let data = vault.associatedData(
            itemID: item.id,
            revision: item.revision,
            salt: vault.salt(of: item),
            part: 3
        )
        return SketchBox(item.key.key("secret"), data, secret.content, secretBox).sealed(vault.randomness)
    }

    /// Sets the offsets of blocks and secrets in `entries`, which must be in block order.
    private func place(
        _ entries: inout [SketchPageEntry],
        _ blocks: [[UInt8]],
        _ secrets: [[UInt8]],
        from start: Int
    ) {
        var offsets: [Int] = []
        var offset = start
        for block in blocks {
            offsets.append(offset)
            offset += block.count
        }
        for index in entries.indices {
            let block = entries[index].block
            entries[index].blockOffset = UInt32(offsets[block] / 64)
            entries[index].blockLength = UInt16(blocks[block].count / 64)
            guard !secrets[index].isEmpty else { continue }
            entries[index].secretOffset = UInt32(offset / 64)
            entries[index].secretLength = UInt16(secrets[index].count / 64)
            offset += secrets[index].count
        }
    }
}

extension SketchItem {
    /// The sort key of items in a block.
    fileprivate var blockOrder: [[UInt8]] {
        [[itemClass.rawValue]] + columns + [id, u64(revision).reversed(), salt ?? []]
    }
}

extension [UInt8] {
    /// Whether these bytes come before `other`; a prefix comes first.
    fileprivate func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
