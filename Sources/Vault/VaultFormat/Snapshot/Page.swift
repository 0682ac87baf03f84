internal import CofferBasics
internal import VaultCrypto

/// Section 5.3: a sealed page of entries.
enum Page {
    static let byteCount = 4096
    private static let headByteCount = 4
    /// The number of bytes of a page that entries can take.
    static let entriesByteCount = byteCount - Box.overhead - headByteCount

    /// The place that a page is bound to; it opens nowhere else.
    struct Place {
        var group: GroupEpoch
        var section: SectionID
        var list: PageList
        var number: Int

        fileprivate func associatedData(_ vault: VaultID) -> [UInt8] {
            let byteCount = Label.byteCount + VaultID.byteCount + GroupEpoch.byteCount + SectionID.byteCount + 8
            return [UInt8](byteCount: byteCount) { output in
                Label.page.append(to: &output)
                vault.append(to: &output)
                group.group.append(to: &output)
                output.append(littleEndian: group.epoch)
                section.append(to: &output)
                output.append(littleEndian: list.rawValue)
                output.append(littleEndian: UInt32(number))
            }
        }
    }

    /// A sealed page of `count` encoded entries.
    static func sealed(_ entries: Span<UInt8>, count: Int, at place: Place, keys: MatchKeys) -> [UInt8] {
        let content = [UInt8](byteCount: headByteCount + entries.count) { output in
            output.append(littleEndian: UInt16(count))
            output.append(littleEndian: UInt16(0))
            output.append(copying: entries)
        }
        return Box.sealed(
            content.span,
            key: keys.page,
            associatedData: place.associatedData(keys.cipher.vault),
            cipher: keys.cipher
        )
    }

    /// The number of entries in a page, and a reader of them.
    static func opened(
        _ page: Span<UInt8>,
        at place: Place,
        keys: MatchKeys
    ) throws(Fault) -> (count: Int, reader: ByteReader) {
        let associatedData = place.associatedData(keys.cipher.vault)
        var reader = try ByteReader(opening: page, key: keys.page, associatedData: associatedData)
        let count = Int(try reader.read(UInt16.self))
        try reader.readZeros(2)
        guard count > 0 else { throw Fault(.badValue) }
        return (count, reader)
    }
}

/// The entries of a leaf: all were checked when it was opened, and each is parsed on access.
package struct Leaf: Sendable {
    /// The most entries that fit into a page; an id page has 6 bits for their numbers.
    static let entryCountLimit = Page.entriesByteCount / MatchEntry.leastByteCount
    /// The most memory that a leaf takes: its page, and six bytes for each entry.
    package static let byteCount = Page.byteCount + 6 * entryCountLimit

    private let list: PageList
    private let bytes: [UInt8]
    private var offsets: [UInt16] = []
    /// The offset of the boxes of each entry from the start of the section.
    private var boxesOffsets: [UInt32] = []

    /// Opens the page of a leaf, checks all of its entries, and calls `body` with each of them; `boxes` is the part of the
    /// section behind the page.
    init(
        opening box: Span<UInt8>,
        at place: Page.Place,
        boxes: SectionPart,
        _ fence: Fence,
        keys: MatchKeys,
        forEachEntry body: (MatchEntry) -> Void
    ) throws(Fault) {
        list = place.list
        var (count, reader) = try Page.opened(box, at: place, keys: keys)
        guard count <= Self.entryCountLimit else { throw Fault(.badValue) }
        bytes = reader.bytes
        offsets.reserveCapacity(count)
        boxesOffsets.reserveCapacity(count)
        var last: MatchEntry?
        var end = boxes.offset
        for _ in 0..<count {
            let start = reader.offset
            var entry = try MatchEntry(from: &reader, of: list)
            try fence.check(entry, of: list, at: start)
            let isInOrder =
                if let last { last.precedes(entry, in: list) } else { fence.begins(list, place.number, with: entry) }
            guard isInOrder else { throw Fault(.outOfOrder, at: start) }
            let byteCount = list == .indexed ? 0 : entry.sizes.sum
            guard end + byteCount <= boxes.range.upperBound else { throw Fault(.disagrees, at: start) }
            entry.boxesOffset = end
            body(entry)
            offsets.append(UInt16(start))
            boxesOffsets.append(UInt32(end))
            last = entry
            end += byteCount
        }
        try reader.expectEnd()
        guard end == boxes.range.upperBound else { throw Fault(.disagrees) }
    }

    /// The digest of an entry.
    package func digest(at position: Int) -> PrimaryKeyDigest {
        let offset = Int(offsets[position])
        return PrimaryKeyDigest(bytes.span.extracting(offset..<offset + PrimaryKeyDigest.byteCount))
    }

    /// The index of the first entry whose digest is not less than `digest`.
    package func firstIndex(notBefore digest: PrimaryKeyDigest) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self.digest(at: middle) < digest { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The entries that match a pattern.
    package func entries(matching pattern: MatchPattern) -> [MatchEntry] {
        offsets.indices.filter { pattern.matches(bytes.span.extracting(Int(offsets[$0])...)) }.map { self[$0] }
    }
}

extension Leaf: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { offsets.count }

    package subscript(position: Int) -> MatchEntry {
        var reader = ByteReader(bytes, in: Int(offsets[position])..<bytes.count)
        do throws(Fault) {
            var entry = try MatchEntry(from: &reader, of: list)
            entry.boxesOffset = Int(boxesOffsets[position])
            return entry
        } catch {
            preconditionFailure("the entry was checked when the leaf was opened")
        }
    }
}

extension IDEntry {
    /// Opens the id page at `place`, and checks all of its entries.
    static func entries(
        opening box: Span<UInt8>,
        at place: Page.Place,
        _ fence: Fence,
        keys: MatchKeys
    ) throws(Fault) -> [IDEntry] {
        var (count, reader) = try Page.opened(box, at: place, keys: keys)
        guard reader.remainingByteCount == count * byteCount else { throw Fault(.badLength) }
        var entries: [IDEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let start = reader.offset
            let entry = try IDEntry(from: &reader)
            guard entry.leaf < fence.live.count else { throw Fault(.badLength, at: start) }
            let isInOrder =
                if let last = entries.last { last.precedes(entry) } else {
                    entry.prefix == fence.ids.first(place.number)
                }
            guard isInOrder else { throw Fault(.outOfOrder, at: start) }
            entries.append(entry)
        }
        return entries
    }
}
