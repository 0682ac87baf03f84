/// Builds the section of a group, section 5.2, from sealed blocks and what is known of their items.
package struct GroupSectionBuilder<Suite: CipherSuite>: Sendable {
    /// A current item of a block that is added.
    package struct Item: Sendable {
        package var revision: Revision
        package var match: VaultContents.Match
        /// The number of the item in its block.
        package var number: Int
        /// The sealed box, or nil if the item has no data.
        package var secret: PartContent?

        package init(revision: Revision, match: VaultContents.Match, number: Int, secret: PartContent?) {
            self.revision = revision
            self.match = match
            self.number = number
            self.secret = secret
        }
    }

    /// A sealed block, with the number of items in it, of which some may not be current.
    private struct Block: Sendable {
        var content: PartContent
        var handle: KeyHandle
        var itemCount: Int
    }

    private let group: GroupEpoch
    private let keys: MatchKeys<Suite>
    private let vault: VaultID
    private let suite: Suite
    private var blocks: [Block] = []
    private var secrets: [PartContent] = []
    /// The data keys of the blocks, each once.
    private var handles: [KeyHandle] = []
    private var handleNumbers: [KeyHandle: Int] = [:]
    /// The items, whose places count from the first block and the first secret.
    private var entries: [MatchEntry] = []
    private var blocksByteCount = 0
    private var secretsByteCount = 0

    package init(group: GroupEpoch, keys: MatchKeys<Suite>, vault: VaultID, suite: Suite) {
        self.group = group
        self.keys = keys
        self.vault = vault
        self.suite = suite
    }

    /// Whether there is nothing to build: a section has items.
    package var isEmpty: Bool { entries.isEmpty }
    /// How many items were added.
    package var itemCount: Int { entries.count }

    /// Adds a sealed metadata block with `itemCount` items, of which `items` are current.
    package mutating func append(block content: PartContent, handle: KeyHandle, itemCount: Int, items: [Item]) {
        blocks.append(Block(content: content, handle: handle, itemCount: itemCount))
        let part = SectionPart(offset: blocksByteCount, byteCount: content.byteCount)
        blocksByteCount += content.byteCount
        let dataKey = number(of: handle)
        for item in items {
            var secret: SectionPart?
            if let content = item.secret {
                secret = SectionPart(offset: secretsByteCount, byteCount: content.byteCount)
                secrets.append(content)
                secretsByteCount += content.byteCount
            }
            entries.append(
                MatchEntry(
                    digests: item.match.digests,
                    revision: item.revision,
                    order: item.match.order,
                    block: BlockPlace(part: part, number: item.number),
                    secret: secret,
                    dataKey: dataKey,
                    itemClass: item.match.itemClass,
                    flags: item.match.flags
                )
            )
        }
    }

    private mutating func number(of handle: KeyHandle) -> Int {
        if let number = handleNumbers[handle] { return number }
        handles.append(handle)
        handleNumbers[handle] = handles.count - 1
        return handles.count - 1
    }
}

// MARK: - Writing

extension GroupSectionBuilder {
    /// Writes the section at `offset` of the new file, and returns it as if it lay at the start of the snapshot.
    package consuming func write<Sink: GenerationSink>(
        id: SectionID,
        snapshotKey: Suite.Key,
        at offset: Int,
        to sink: inout Sink
    ) throws(Sink.Failure) -> Section {
        precondition(!entries.isEmpty, "a section has items")
        entries.sort { $0.precedes($1) }
        let pages = pages
        let layout = SectionLayout(
            blockByteCounts: blocks.lazy.map(\.content.byteCount),
            secretByteCounts: secrets.map(\.byteCount),
            digestPageCount: pages.count,
            itemPageCount: SectionLayout.itemPageCount(itemCount: entries.count),
            dataKeyCount: handles.count
        )
        for index in entries.indices {
            entries[index].block.part.offset += layout.blocksOffset
            entries[index].secret?.offset += layout.secretsOffset
        }
        var parts = SectionPartWriter<Suite, Sink>(
            sectionOffset: offset,
            firstPart: layout.blockListByteCount,
            suite: suite
        )
        let items = itemEntries(pages)
        let itemPages = stride(from: 0, to: items.count, by: SectionLayout.itemsPerPage).map { start in
            start..<min(start + SectionLayout.itemsPerPage, items.count)
        }
        try parts.write(.fence, fence(pages, items, itemPages, id: id), count: 1, to: &sink)
        try parts.writePages(.digestPages, pages.count, to: &sink) { number in
            page(entries[pages[number]].map(\.bytes), .digests, number, id)
        }
        try parts.writePages(.itemPages, itemPages.count, to: &sink) { number in
            page(items[itemPages[number]].map(\.bytes), .items, number, id)
        }
        for block in blocks {
            let bytes = try sink.bytes(of: block.content)
            try parts.write(.metadata, bytes, count: block.itemCount, dataKey: block.handle, to: &sink)
        }
        for piece in layout.secretPieces {
            var bytes: [UInt8] = []
            for secret in secrets[piece] { bytes += try sink.bytes(of: secret) }
            try parts.write(.secrets, bytes, count: piece.count, to: &sink)
        }
        let list = BlockList(entries: parts.entries).sealed(section: id, key: snapshotKey, suite: suite)
        try sink.write(list.span, at: offset)
        return Section(
            kind: .group,
            group: group,
            id: id,
            offset: 0,
            byteCount: layout.byteCount,
            blockListByteCount: layout.blockListByteCount,
            fenceByteCount: layout.fenceByteCount,
            count: entries.count,
            digestPageCount: pages.count,
            itemPageCount: itemPages.count
        )
    }

    /// The entries of each digest page.
    private var pages: [Range<Int>] {
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

    /// Where each item is in the digest pages, in the order of the ids.
    private func itemEntries(_ pages: [Range<Int>]) -> [ItemEntry] {
        var items: [ItemEntry] = []
        items.reserveCapacity(entries.count)
        for (number, page) in pages.enumerated() {
            for index in page {
                items.append(
                    ItemEntry(item: entries[index].revision.item, digestPage: number, number: index - page.lowerBound)
                )
            }
        }
        items.sort { $0.item < $1.item }
        return items
    }

    private func fence(
        _ pages: [Range<Int>],
        _ items: [ItemEntry],
        _ itemPages: [Range<Int>],
        id: SectionID
    ) -> [UInt8] {
        Fence(
            dataKeys: handles,
            flags: entries.reduce(into: []) { $0.formUnion($1.flags) },
            digests: pages.map { entries[$0.lowerBound].digests.primaryKey },
            items: itemPages.map { items[$0.lowerBound].item }
        ).sealed(group: group, section: id, keys: keys, vault: vault, suite: suite)
    }

    private func page(_ entries: [[UInt8]], _ list: MatchPage.List, _ number: Int, _ id: SectionID) -> [UInt8] {
        let place = MatchPage.Place(group: group, section: id, list: list, number: number)
        return MatchPage.sealed(entries, at: place, keys: keys, vault: vault, suite: suite)
    }
}

/// Writes the parts of a section behind its block list, one after the other, and notes them for the list.
private struct SectionPartWriter<Suite: CipherSuite, Sink: GenerationSink> {
    private(set) var entries: [BlockList.Entry] = []
    private let sectionOffset: Int
    private var end: Int
    private let suite: Suite

    init(sectionOffset: Int, firstPart: Int, suite: Suite) {
        self.sectionOffset = sectionOffset
        end = firstPart
        self.suite = suite
    }

    mutating func write(
        _ kind: BlockList.Kind,
        _ bytes: [UInt8],
        count: Int,
        dataKey: KeyHandle = .none,
        to sink: inout Sink
    ) throws(Sink.Failure) {
        let part = SectionPart(offset: end, byteCount: bytes.count)
        let check = BlockList.check(of: bytes.span, suite: suite)
        entries.append(BlockList.Entry(kind: kind, count: count, part: part, dataKey: dataKey, check: check))
        try sink.write(bytes.span, at: sectionOffset + end)
        end = part.range.upperBound
    }

    /// Writes pages in the pieces that the list has of them.
    mutating func writePages(
        _ kind: BlockList.Kind,
        _ count: Int,
        to sink: inout Sink,
        page: (Int) -> [UInt8]
    ) throws(Sink.Failure) {
        for start in stride(from: 0, to: count, by: SectionLayout.pagesPerPiece) {
            let numbers = start..<min(start + SectionLayout.pagesPerPiece, count)
            var piece: [UInt8] = []
            piece.reserveCapacity(numbers.count * MatchPage.byteCount)
            for number in numbers { piece += page(number) }
            try write(kind, piece, count: numbers.count, to: &sink)
        }
    }
}

extension MatchEntry {
    /// Whether the entry comes before `other` in the pages.
    package func precedes(_ other: MatchEntry) -> Bool {
        (digests.primaryKey, revision.item) < (other.digests.primaryKey, other.revision.item)
    }
}
