internal import CofferBasics
internal import VaultCrypto

/// Writes the section of a group, section 5.2, part by part as it comes: dictionaries, live revisions in order, past ones
/// in order.
package struct GroupSectionWriter<Sink: GenerationSink> {
    /// Where everything goes.
    package private(set) var sink: Sink
    private let group: GroupEpoch
    private let id: SectionID
    private let keys: MatchKeys
    private let list: PageList
    private let sectionOffset: Int
    private var end = 0
    private let hash = RunningHash(.file)
    private var fence = Fence()
    private var handleNumbers: [KeyHandle: Int] = [:]
    private var seen = SeenPlaces()
    /// Where each live item is.
    private var places: [IDEntry] = []
    private var leaf = OpenLeaf()

    /// The leaf that is being filled.
    private struct OpenLeaf {
        var list = PageList.live
        var entries: [UInt8] = []
        var count = 0
        var boxes: [UInt8] = []
        var first: (digest: PrimaryKeyDigest, item: ItemID) = (.none, .none)
    }

    /// A leaf ends when its boxes have this size, so that they need not be in memory together.
    private static var boxesByteCountGoal: Int { 1 << 18 }

    /// A writer of a section at `offset` of the file, or, if `isIndex`, of one that says where in a log puts are.
    package init(
        _ group: GroupEpoch,
        keys: MatchKeys,
        isIndex: Bool = false,
        at offset: Int,
        to sink: Sink
    ) {
        self.group = group
        self.keys = keys
        self.sink = sink
        list = isIndex ? .indexed : .live
        id = keys.cipher.random.identifier()
        sectionOffset = offset
    }

    /// Adds a dictionary, before all revisions, and returns its number for entries.
    package mutating func append(_ dictionary: SealedDictionary) throws(Sink.Failure) -> Int {
        try write(dictionary.box.span)
        fence.append(dictionary.id, dataKey: number(of: dictionary.handle), end: end)
        return fence.dictionaries.count
    }

    /// Adds a live revision with its boxes; `entry` has the number of its dictionary, and needs none of its data key.
    package mutating func append(
        _ entry: MatchEntry,
        handle: KeyHandle,
        metadata: Span<UInt8>,
        secret: Span<UInt8>
    ) throws(Sink.Failure) {
        fence.writtenFlags.formUnion(entry.writtenFlags)
        seen.insert(entry.origin)
        try append(entry, handle, metadata, secret, to: list)
        places.append(IDEntry(entry.revision.item, leaf: fence.live.count, number: leaf.count - 1))
    }

    /// Adds a past revision with its boxes, after all live ones.
    package mutating func append(
        past entry: MatchEntry,
        handle: KeyHandle,
        metadata: Span<UInt8>,
        secret: Span<UInt8>
    ) throws(Sink.Failure) {
        fence.pastEntryCount += 1
        try append(entry, handle, metadata, secret, to: .past)
    }

    private mutating func append(
        _ entry: MatchEntry,
        _ handle: KeyHandle,
        _ metadata: Span<UInt8>,
        _ secret: Span<UInt8>,
        to list: PageList
    ) throws(Sink.Failure) {
        var entry = entry
        entry.dataKey = number(of: handle)
        let byteCount = entry.byteCount
        if leaf.list != list
            || leaf.entries.count + byteCount > Page.entriesByteCount
            || leaf.boxes.count >= Self.boxesByteCountGoal
        {
            try endLeaf()
        }
        if leaf.count == 0 {
            leaf.list = list
            leaf.first = (entry.digests.primaryKey, entry.revision.item)
        }
        leaf.entries.append(addingCapacity: byteCount) { output in entry.append(to: &output) }
        leaf.boxes.append(copying: metadata)
        leaf.boxes.append(copying: secret)
        leaf.count += 1
    }

    private mutating func endLeaf() throws(Sink.Failure) {
        let full = leaf
        guard full.count > 0 else { return }
        leaf = OpenLeaf()
        let isPast = full.list == .past
        let page = page(full.entries, full.count, full.list, isPast ? fence.past.count : fence.live.count)
        try write(page.span)
        try write(full.boxes.span)
        if isPast {
            fence.past.append(full.first.item, end: end, pageByteCount: page.count)
        } else {
            fence.live.append(full.first.digest, end: end, pageByteCount: page.count)
        }
    }

    /// Writes the rest, and returns the entry for the directory, with the offset 0.
    ///
    /// `seen` is what the copy has seen of the group, besides the live revisions that were added. Of more
    /// writers than `writerCount`, those with the least places are forgotten.
    package mutating func finish(
        seen others: SeenPlaces,
        remembering writerCount: Int = Limits.rememberedWriterCount
    ) throws(Sink.Failure) -> Section {
        try endLeaf()
        let count = places.count
        try writeIDPages()
        // Zeros would show where it begins.
        try write(keys.cipher.random.bytes((Padding.unit - end % Padding.unit) % Padding.unit).span)
        seen.formUnion(others)
        fence.seen = seen.remembering(writerCount)
        let box = fence.sealed(group: group, section: id, keys: keys)
        try write(box.span)
        return Section(
            kind: .group,
            group: group,
            id: id,
            byteCount: end,
            fenceByteCount: box.count,
            count: count,
            check: hash.finish()
        )
    }

    private mutating func writeIDPages() throws(Sink.Failure) {
        places.sort { $0.precedes($1) }
        let perPage = Page.entriesByteCount / IDEntry.byteCount
        for start in stride(from: 0, to: places.count, by: perPage) {
            let some = places[start..<min(start + perPage, places.count)]
            var entries: [UInt8] = []
            entries.append(addingCapacity: some.count * IDEntry.byteCount) { output in
                for place in some { place.append(to: &output) }
            }
            try write(page(entries, some.count, .ids, fence.ids.count).span)
            fence.ids.append(places[start].prefix, end: end)
        }
        places = []
    }

    private func page(_ entries: [UInt8], _ count: Int, _ list: PageList, _ number: Int) -> [UInt8] {
        let place = Page.Place(group: group, section: id, list: list, number: number)
        return Page.sealed(entries.span, count: count, at: place, keys: keys)
    }

    private mutating func write(_ bytes: Span<UInt8>) throws(Sink.Failure) {
        guard !bytes.isEmpty else { return }
        try sink.write(bytes, at: sectionOffset + end)
        hash.append(bytes)
        end += bytes.count
    }

    private mutating func number(of handle: KeyHandle) -> Int {
        if let number = handleNumbers[handle] { return number }
        fence.dataKeys.append(handle)
        handleNumbers[handle] = fence.dataKeys.count - 1
        return fence.dataKeys.count - 1
    }
}
