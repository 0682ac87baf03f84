internal import CofferBasics

/// Builds the section of a group, section 5.2, from sealed blocks and the match entries of their items.
package struct GroupSectionBuilder: Sendable {
    /// A current item of a block that is added.
    package struct Item: Sendable {
        /// The number of its entry in this builder.
        package var entry: Int
        /// The number of the item in its block.
        package var number: Int
        /// The sealed secret, or nil if the item has no data.
        package var secret: PartContent?

        package init(entry: Int, number: Int, secret: PartContent?) {
            self.entry = entry
            self.number = number
            self.secret = secret
        }
    }

    /// A sealed block and the number of items in it, some of which may not be current.
    private struct Block: Sendable {
        var content: PartContent
        var handle: KeyHandle
        var itemCount: Int
    }

    private let group: GroupEpoch
    private let keys: MatchKeys
    private var blocks: [Block] = []
    private var secrets: [PartContent] = []
    /// The data keys of the blocks, each once.
    private var handles: [KeyHandle] = []
    private var handleNumbers: [KeyHandle: Int] = [:]
    /// The entries; once an item has a block, its offsets count from the first block and the first secret.
    private var entries = MatchEntryList()
    /// The numbers of the entries that have a block.
    private var placed: [UInt32] = []
    /// The flags that at least one of these entries has.
    private var flags: MatchFlags = []
    /// What the copy has seen of the group.
    private var seen: SeenPlaces
    /// The writers of the entries, which refer to them by number until the section is written.
    private var writers: [WriterID] = []
    private var writerNumbers: [WriterID: Int] = [:]
    private var blocksByteCount = 0
    private var secretsByteCount = 0

    /// A builder without items; `seen` is what the copy has seen of the group, besides the items that are added.
    package init(group: GroupEpoch, seen: SeenPlaces = SeenPlaces(), keys: MatchKeys) {
        self.group = group
        self.seen = seen
        self.keys = keys
    }

    /// Reserves memory for `entryCount` entries, which take about `byteCount` bytes in pages.
    package mutating func reserveCapacity(entryCount: Int, byteCount: Int) {
        entries.reserveCapacity(count: entryCount, byteCount: byteCount)
        placed.reserveCapacity(entryCount)
        secrets.reserveCapacity(entryCount)
    }

    /// Whether nothing was ever in the group, so that there is no section to build.
    package var isEmpty: Bool { placed.isEmpty && seen.isEmpty }
    /// The number of items that were added.
    package var itemCount: Int { placed.count }

    /// Adds an entry for an item and returns its number; it is left out unless a block with the item follows.
    package mutating func add(
        _ revision: Revision,
        _ origin: Origin,
        _ match: ItemMatch,
        sequence: UInt64
    ) -> Int {
        add(
            MatchEntry(
                digests: match.digests,
                revision: revision,
                order: match.order,
                block: BlockPlace(part: SectionPart(offset: 0, byteCount: 0), number: 0),
                secret: nil,
                dataKey: 0,
                itemClass: match.itemClass,
                flags: match.flags,
                writer: 0,
                place: origin.place,
                sequence: sequence,
                written: match.written
            ),
            writer: origin.writer
        )
    }

    /// Adds an entry of the old section and returns its number; it is left out unless a block with the item follows.
    package mutating func add(_ entry: MatchEntry, writer: WriterID) -> Int {
        var entry = entry
        entry.writer = number(of: writer)
        entry.flags.remove(.contested)
        seen.insert(Origin(writer: writer, place: entry.place))
        entries.append(entry)
        return entries.count - 1
    }

    private mutating func number(of writer: WriterID) -> Int {
        if let number = writerNumbers[writer] { return number }
        writers.append(writer)
        writerNumbers[writer] = writers.count - 1
        return writers.count - 1
    }

    /// The entry with this number, unchanged until its block is added.
    package func entry(_ number: Int) -> MatchEntry { entries[number] }

    /// Appends a sealed metadata block with `itemCount` items, of which `items` are current.
    package mutating func append(block content: PartContent, handle: KeyHandle, itemCount: Int, items: [Item]) {
        blocks.append(Block(content: content, handle: handle, itemCount: itemCount))
        let part = SectionPart(offset: blocksByteCount, byteCount: content.byteCount)
        blocksByteCount += content.byteCount
        let dataKey = number(of: handle)
        for item in items {
            let secret = item.secret.map { SectionPart(offset: secretsByteCount, byteCount: $0.byteCount) }
            place(item.entry, dataKey, BlockPlace(part: part, number: item.number), secret)
            guard let content = item.secret else { continue }
            secrets.append(content)
            secretsByteCount += content.byteCount
        }
    }

    /// Places an entry whose content is in a frame instead, in a section without blocks; `block` counts from the start
    /// of the log, and stands for its secret too.
    package mutating func place(_ entry: Int, handle: KeyHandle, block: BlockPlace, hasData: Bool) {
        place(entry, number(of: handle), block, hasData ? block.part : nil)
    }

    private mutating func place(_ number: Int, _ dataKey: Int, _ block: BlockPlace, _ secret: SectionPart?) {
        var entry = entries[number]
        entry.block = block
        entry.dataKey = dataKey
        entry.secret = secret
        entries[number] = entry
        placed.append(UInt32(number))
        flags.formUnion(entry.flags)
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
    /// Writes the section at `offset` of the new file and returns its directory entry, with the offset 0.
    package func write<Sink: GenerationSink>(
        id: SectionID,
        keys snapshotKeys: GenerationKeys,
        at offset: Int,
        to sink: inout Sink
    ) throws(Sink.Failure) -> Section {
        let numbers = sortedNumbers
        let origins = seen.origins
        let numberInFence = Dictionary(uniqueKeysWithValues: origins.enumerated().map { ($1.writer, $0) })
        let writerNumbers = writers.map { numberInFence[$0] ?? 0 }
        let pages = pages(of: numbers)
        let layout = SectionLayout(
            blockByteCounts: blocks.lazy.map(\.content.byteCount),
            secretByteCounts: secrets.lazy.map(\.byteCount),
            digestPageCount: pages.count,
            itemPageCount: SectionLayout.itemPageCount(itemCount: numbers.count),
            dataKeyCount: handles.count,
            writerCount: origins.count
        )
        var parts = SectionPartWriter<Sink>(sectionOffset: offset, firstPart: layout.blockListByteCount)
        let items = itemEntries(pages, of: numbers)
        let itemPages = stride(from: 0, to: items.count, by: SectionLayout.itemsPerPage).map { start in
            start..<min(start + SectionLayout.itemsPerPage, items.count)
        }
        let contested = Set(zip(items, items.dropFirst()).lazy.filter { $0.item == $1.item }.map(\.0.item))
        let fence = Fence(
            dataKeys: handles,
            origins: origins,
            flags: contested.isEmpty ? flags : flags.union(.contested),
            digests: pages.map { entries.digest(Int(numbers[$0.lowerBound])) },
            items: itemPages.map { items[$0.lowerBound].item }
        ).sealed(group: group, section: id, keys: keys)
        try parts.write(.fence, fence, count: 1, to: &sink)
        try parts.writePages(.digestPages, pages.count, to: &sink) { number in
            page(.digests, number, id, count: pages[number].count) { output in
                for number in numbers[pages[number]] {
                    var entry = layout.placed(entries[Int(number)])
                    entry.writer = writerNumbers[entry.writer]
                    if contested.contains(entry.revision.item) { entry.flags.insert(.contested) }
                    entry.append(to: &output)
                }
            }
        }
        try parts.writePages(.itemPages, itemPages.count, to: &sink) { number in
            page(.items, number, id, count: itemPages[number].count) { output in
                for item in items[itemPages[number]] { item.append(to: &output) }
            }
        }
        for block in blocks {
            let bytes = try sink.bytes(of: block.content)
            try parts.write(.metadata, bytes, count: block.itemCount, dataKey: block.handle, to: &sink)
        }
        for piece in layout.secretPieces {
            var bytes: [UInt8] = []
            for secret in PartContent.joined(secrets[piece]) { bytes += try sink.bytes(of: secret) }
            try parts.write(.secrets, bytes, count: piece.count, to: &sink)
        }
        let list = BlockList(entries: parts.entries).sealed(section: id, keys: snapshotKeys)
        try sink.write(list.span, at: offset)
        return Section(
            kind: .group,
            group: group,
            id: id,
            offset: 0,
            byteCount: layout.byteCount,
            blockListByteCount: layout.blockListByteCount,
            fenceByteCount: layout.fenceByteCount,
            count: numbers.count,
            digestPageCount: pages.count,
            itemPageCount: itemPages.count,
            check: BlockList.check(of: list.span)
        )
    }

    /// The numbers of the entries in the order of the pages.
    private var sortedNumbers: [UInt32] {
        // Sort by the prefixes of the digests: moving 16 bytes is much faster than moving an entry.
        var keys = placed.map { (prefix: entries.digest(Int($0)).prefix, number: $0) }
        keys.sort { one, other in
            guard one.prefix == other.prefix else { return one.prefix < other.prefix }
            return entries[Int(one.number)].precedes(entries[Int(other.number)])
        }
        return keys.map(\.number)
    }

    /// The entries of each digest page.
    private func pages(of numbers: [UInt32]) -> [Range<Int>] {
        var pages: [Range<Int>] = []
        var start = 0
        var byteCount = 0
        for (index, number) in numbers.enumerated() {
            let entryByteCount = entries.byteCount(Int(number))
            if byteCount + entryByteCount > MatchPage.entriesByteCount {
                pages.append(start..<index)
                (start, byteCount) = (index, 0)
            }
            byteCount += entryByteCount
        }
        if start < numbers.count { pages.append(start..<numbers.count) }
        return pages
    }

    /// The item entries, which say where each item is in the digest pages, sorted by item id.
    private func itemEntries(_ pages: [Range<Int>], of numbers: [UInt32]) -> [ItemEntry] {
        var items: [ItemEntry] = []
        items.reserveCapacity(numbers.count)
        for (page, range) in pages.enumerated() {
            for index in range {
                let item = entries.item(Int(numbers[index]))
                items.append(ItemEntry(item: item, digestPage: page, number: index - range.lowerBound))
            }
        }
        items.sort { $0.precedes($1) }
        return items
    }

    private func page(
        _ list: MatchPage.List,
        _ number: Int,
        _ id: SectionID,
        count: Int,
        entries: (inout OutputSpan<UInt8>) -> Void
    ) -> [UInt8] {
        let place = MatchPage.Place(group: group, section: id, list: list, number: number)
        return MatchPage.sealed(count, at: place, keys: keys, entries: entries)
    }
}

/// Writes the parts of a section after its block list, one after the other, and collects the entries of the list.
private struct SectionPartWriter<Sink: GenerationSink> {
    private(set) var entries: [BlockList.Entry] = []
    private let sectionOffset: Int
    private var end: Int

    init(sectionOffset: Int, firstPart: Int) {
        self.sectionOffset = sectionOffset
        end = firstPart
    }

    mutating func write(
        _ kind: BlockList.Kind,
        _ bytes: [UInt8],
        count: Int,
        dataKey: KeyHandle = .none,
        to sink: inout Sink
    ) throws(Sink.Failure) {
        let part = SectionPart(offset: end, byteCount: bytes.count)
        let check = BlockList.check(of: bytes.span)
        entries.append(BlockList.Entry(kind: kind, count: count, part: part, dataKey: dataKey, check: check))
        try sink.write(bytes.span, at: sectionOffset + end)
        end = part.range.upperBound
    }

    /// Writes pages in pieces, each with an entry in the block list.
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
        let (mine, theirs) = ((digests.primaryKey, revision.item), (other.digests.primaryKey, other.revision.item))
        return mine == theirs ? revision.precedes(other.revision) : mine < theirs
    }
}
