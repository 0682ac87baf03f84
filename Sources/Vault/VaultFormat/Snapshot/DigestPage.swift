internal import CofferBasics

/// The match entries of a digest page: all were checked when it was opened, and each is parsed on access.
package struct DigestPage: Sendable {
    /// The most memory that a page takes: its bytes, and two bytes for each entry.
    package static let byteCount = MatchPage.byteCount + 2 * MatchPage.byteCount / MatchEntry.leastByteCount

    private let bytes: [UInt8]
    private var offsets: [UInt16] = []

    /// Opens the page at `place`, checks all of its entries, and calls `body` with each of them.
    init(
        opening box: Span<UInt8>,
        at place: MatchPage.Place,
        of section: Section,
        _ fence: Fence,
        keys: MatchKeys,
        forEachEntry body: (MatchEntry) -> Void
    ) throws(Fault) {
        var (count, reader) = try MatchPage.opened(box, at: place, keys: keys)
        bytes = reader.bytes
        offsets.reserveCapacity(Swift.min(count, MatchPage.byteCount / MatchEntry.leastByteCount))
        var last: MatchEntry?
        for _ in 0..<count {
            let start = reader.offset
            let entry = try MatchEntry(from: &reader)
            try entry.check(in: section, fence, at: start)
            let isInOrder =
                if let last { last.precedes(entry) } else { entry.digests.primaryKey == fence.digests[place.number] }
            guard isInOrder else { throw Fault(.outOfOrder, at: start) }
            body(entry)
            offsets.append(UInt16(start))
            last = entry
        }
        try reader.readPadding()
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

extension DigestPage: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { offsets.count }

    package subscript(position: Int) -> MatchEntry {
        var reader = ByteReader(bytes, in: Int(offsets[position])..<bytes.count)
        do throws(Fault) {
            return try MatchEntry(from: &reader)
        } catch {
            preconditionFailure("the entry was checked when the page was opened")
        }
    }
}

extension ItemEntry {
    /// Opens the item page at `place`, and checks all of its entries.
    static func entries(
        opening box: Span<UInt8>,
        at place: MatchPage.Place,
        of section: Section,
        _ fence: Fence,
        keys: MatchKeys
    ) throws(Fault) -> [ItemEntry] {
        var (count, reader) = try MatchPage.opened(box, at: place, keys: keys)
        var entries: [ItemEntry] = []
        entries.reserveCapacity(min(count, MatchPage.byteCount / byteCount))
        for _ in 0..<count {
            let start = reader.offset
            let entry = try ItemEntry(from: &reader)
            guard entry.digestPage < section.digestPageCount else { throw Fault(.badLength, at: start) }
            let isInOrder =
                if let last = entries.last { last.precedes(entry) } else { entry.item == fence.items[place.number] }
            guard isInOrder else { throw Fault(.outOfOrder, at: start) }
            entries.append(entry)
        }
        try reader.readPadding()
        return entries
    }
}

extension MatchEntry {
    /// Throws unless the entry, at `offset` of its page, points into the section and the fence has its flags.
    fileprivate func check(in section: Section, _ fence: Fence, at offset: Int) throws(Fault) {
        guard dataKey < fence.dataKeys.count, writer < fence.origins.count,
            block.part.offset >= section.blocksOffset,
            block.part.byteCount > 0, block.part.range.upperBound <= section.byteCount
        else { throw Fault(.badLength, at: offset) }
        // Otherwise a lookup that trusts the fence would silently miss items.
        guard fence.flags.isSuperset(of: flags) else { throw Fault(.disagrees, at: offset) }
        guard (1...fence.origins[writer].place).contains(place), revision.salt != 0 else {
            throw Fault(.disagrees, at: offset)
        }
        guard let secret else { return }
        guard secret.offset >= section.blocksOffset, secret.range.upperBound <= section.byteCount else {
            throw Fault(.badLength, at: offset)
        }
    }
}
