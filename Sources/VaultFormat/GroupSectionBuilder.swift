/// Builds the section of a group, section 5.2, from sealed blocks and what is known of their items.
package struct GroupSectionBuilder<Suite: CipherSuite> {
    /// An item of a block that is added.
    package struct Item: Sendable {
        package var revision: Revision
        package var match: MatchContent
        /// The sealed box, or empty if the item has no data.
        package var secret: [UInt8]

        package init(revision: Revision, match: MatchContent, secret: [UInt8]) {
            self.revision = revision
            self.match = match
            self.secret = secret
        }
    }

    private struct Block {
        var box: [UInt8]
        var handle: KeyHandle
        var items: [Item]
    }

    private let group: GroupEpoch
    private let keys: MatchKeys<Suite>
    private let vault: VaultID
    private let suite: Suite
    private var blocks: [Block] = []

    package init(group: GroupEpoch, keys: MatchKeys<Suite>, vault: VaultID, suite: Suite) {
        self.group = group
        self.keys = keys
        self.vault = vault
        self.suite = suite
    }

    /// Adds a sealed metadata block and its items, in the order that they have in the block.
    package mutating func append(block box: [UInt8], handle: KeyHandle, items: [Item]) {
        blocks.append(Block(box: box, handle: handle, items: items))
    }

    /// The section, as if it lay at the start of the snapshot, and its bytes.
    package func finished(id: SectionID, snapshotKey: Suite.Key) -> (section: Section, bytes: [UInt8]) {
        let handles = handles
        // Where blocks lie is not known yet; pages are planned with places from the first block on.
        var entries = entries(handles: handles)
        let pages = Self.pages(entries)
        var layout = SectionLayout(
            blockByteCounts: blocks.map(\.box.count),
            secretByteCounts: blocks.flatMap { $0.items.map(\.secret.count).filter { $0 > 0 } },
            digestPageCount: pages.count,
            itemPageCount: SectionLayout.itemPageCount(itemCount: entries.count),
            dataKeyCount: handles.count
        )
        for index in entries.indices {
            entries[index].block.part.offset += layout.blocksOffset
            entries[index].secret?.offset += layout.secretsOffset
        }
        let bytes = encoded(entries, pages, &layout, id: id, handles: handles, snapshotKey: snapshotKey)
        let section = Section(
            kind: .group,
            group: group,
            id: id,
            offset: 0,
            byteCount: bytes.count,
            blockListByteCount: layout.blockListByteCount,
            fenceByteCount: layout.fenceByteCount,
            count: entries.count,
            digestPageCount: pages.count,
            itemPageCount: layout.itemPageCount
        )
        return (section, bytes)
    }

    /// The data keys of the blocks, each once.
    private var handles: [KeyHandle] {
        var seen: Set<KeyHandle> = []
        return blocks.map(\.handle).filter { seen.insert($0).inserted }
    }

    /// All items, sorted by digest; places count from the first block and the first secret.
    private func entries(handles: [KeyHandle]) -> [MatchEntry] {
        var entries: [MatchEntry] = []
        var blockOffset = 0
        var secretOffset = 0
        for block in blocks {
            let part = SectionPart(offset: blockOffset, byteCount: block.box.count)
            blockOffset = part.range.upperBound
            let dataKey = handles.firstIndex(of: block.handle) ?? 0
            for (number, item) in block.items.enumerated() {
                let secret = SectionPart(offset: secretOffset, byteCount: item.secret.count)
                secretOffset = secret.range.upperBound
                entries.append(
                    MatchEntry(
                        digests: item.match.digests,
                        revision: item.revision,
                        order: item.match.order,
                        block: BlockPlace(part: part, number: number),
                        secret: item.secret.isEmpty ? nil : secret,
                        dataKey: dataKey,
                        itemClass: item.match.itemClass,
                        flags: item.match.flags
                    )
                )
            }
        }
        return entries.sorted { $0.precedes($1) }
    }

    /// The entries of each digest page.
    private static func pages(_ entries: [MatchEntry]) -> [Range<Int>] {
        var pages: [Range<Int>] = []
        var start = 0
        var byteCount = 0
        for (index, entry) in entries.enumerated() {
            let entryByteCount = MatchEntry.byteCount(entry.itemClass)
            if byteCount + entryByteCount > MatchPage.entriesByteCount {
                pages.append(start..<index)
                (start, byteCount) = (index, 0)
            }
            byteCount += entryByteCount
        }
        pages.append(start..<entries.count)
        return pages
    }
}

// MARK: - Bytes

extension GroupSectionBuilder {
    private func encoded(
        _ entries: [MatchEntry],
        _ pages: [Range<Int>],
        _ layout: inout SectionLayout,
        id: SectionID,
        handles: [KeyHandle],
        snapshotKey: Suite.Key
    ) -> [UInt8] {
        var items: [ItemEntry] = []
        var digestPages: [UInt8] = []
        for (number, page) in pages.enumerated() {
            for index in page {
                items.append(
                    ItemEntry(item: entries[index].revision.item, digestPage: number, number: index - page.lowerBound)
                )
            }
            digestPages += self.page(entries[page].map(\.bytes), .digests, number, id)
        }
        items.sort { $0.item < $1.item }
        let itemPageStarts = stride(from: 0, to: items.count, by: SectionLayout.itemsPerPage)
        var itemPages: [UInt8] = []
        for (number, start) in itemPageStarts.enumerated() {
            let page = items[start..<min(start + SectionLayout.itemsPerPage, items.count)]
            itemPages += self.page(page.map(\.bytes), .items, number, id)
        }
        let fence = Fence(
            dataKeys: handles,
            flags: entries.reduce(into: []) { $0.formUnion($1.flags) },
            digests: pages.map { entries[$0.lowerBound].digests.primaryKey },
            items: itemPageStarts.map { items[$0].item }
        ).sealed(group: group, section: id, keys: keys, vault: vault, suite: suite)

        layout.add(.fence, fence, count: 1)
        layout.addPages(.digestPages, digestPages)
        layout.addPages(.itemPages, itemPages)
        for block in blocks { layout.add(.metadata, block.box, count: block.items.count, dataKey: block.handle) }
        layout.addSecrets(blocks.lazy.flatMap { $0.items.lazy.map(\.secret).filter { !$0.isEmpty } })
        return layout.finished(section: id, key: snapshotKey, suite: suite)
    }

    private func page(_ entries: [[UInt8]], _ list: MatchPage.List, _ number: Int, _ id: SectionID) -> [UInt8] {
        let place = MatchPage.Place(group: group, section: id, list: list, number: number)
        return MatchPage.sealed(entries, at: place, keys: keys, vault: vault, suite: suite)
    }
}

extension MatchEntry {
    /// Whether the entry comes before `other` in the pages.
    package func precedes(_ other: MatchEntry) -> Bool {
        (digests.primaryKey, revision.item) < (other.digests.primaryKey, other.revision.item)
    }
}
