internal import CofferBasics
internal import VaultCrypto

/// Section 5.4: the index that tells where each part of a group section is, and which one to open for a digest or an
/// item id.
package struct Fence: Equatable, Sendable {
    /// The parts of one kind, one behind the other: where each ends, and the key of its first entry.
    package struct Parts<Key: Comparable & Sendable>: Equatable, Sendable {
        package fileprivate(set) var keys: [Key] = []
        fileprivate var ends: [UInt32] = []
        /// The sizes of the pages of leaves; empty for pages without boxes.
        fileprivate var pageUnits: [UInt16] = []

        package var count: Int { keys.count }

        func first(_ number: Int) -> Key { keys[number] }

        mutating func append(_ key: Key, end: Int, pageByteCount: Int = 0) {
            keys.append(key)
            ends.append(UInt32(end))
            if pageByteCount > 0 { pageUnits.append(UInt16(pageByteCount / Padding.unit)) }
        }
    }

    /// A dictionary of the section.
    package struct Dictionary: Equatable, Sendable {
        package let id: DictionaryID
        /// The number of its data key.
        package let dataKey: Int
        fileprivate let end: UInt32
    }

    package internal(set) var dataKeys: [KeyHandle] = []
    package internal(set) var dictionaries: [Dictionary] = []
    /// What this copy of the group has seen.
    package internal(set) var seen = SeenPlaces()
    /// The flags that at least one live entry of the section has, as the file has them.
    package internal(set) var writtenFlags: MatchFlags = []
    package internal(set) var pastEntryCount = 0
    /// The leaves of live revisions, or of an index.
    package internal(set) var live = Parts<PrimaryKeyDigest>()
    package internal(set) var past = Parts<ItemID>()
    package internal(set) var ids = Parts<IDPrefix>()

    init() {}

    /// The flags that at least one live item of the section has; no leaf need be opened to look for any other flag.
    package var flags: MatchFlags { writtenFlags.subtracting(.changed) }

    /// The leaves that may hold digests that begin with that of a leading attribute.
    package static func candidates(leading digest: UInt64, in fences: [PrimaryKeyDigest]) -> Range<Int> {
        let first = candidates(for: PrimaryKeyDigest(leading: digest, last: 0), in: fences).lowerBound
        let end = candidates(for: PrimaryKeyDigest(leading: digest, last: .max), in: fences).upperBound
        return first..<end
    }

    /// The leaves or pages that may hold `key`.
    @specialized(where Key == PrimaryKeyDigest)
    @specialized(where Key == ItemID)
    @specialized(where Key == IDPrefix)
    package static func candidates<Key: Comparable>(for key: Key, in fences: [Key]) -> Range<Int> {
        var low = 0
        var high = fences.count
        while low < high {
            let middle = (low + high) / 2
            if fences[middle] <= key { low = middle + 1 } else { high = middle }
        }
        // If a page begins with the key, entries with it may begin on an earlier page.
        var first = max(0, low - 1)
        while first > 0, fences[first] == key { first -= 1 }
        return first..<low
    }

    /// Throws unless the fence has what an entry, at `offset` of its page, refers to.
    func check(_ entry: MatchEntry, of list: PageList, at offset: Int) throws(Fault) {
        guard entry.dataKey < dataKeys.count, entry.dictionary <= dictionaries.count,
            entry.dictionary == 0 || dictionaries[entry.dictionary - 1].dataKey == entry.dataKey
        else { throw Fault(.badLength, at: offset) }
        guard list != .past else { return }
        let origin = entry.origin
        // Otherwise a lookup that trusts the fence would silently miss items.
        guard writtenFlags.isSuperset(of: entry.writtenFlags),
            origin.place <= seen[origin.writer] || origin.place > SeenPlaces.greatestFloor
        else {
            throw Fault(.disagrees, at: offset)
        }
    }

    /// Whether a leaf may begin with `entry`.
    func begins(_ list: PageList, _ number: Int, with entry: MatchEntry) -> Bool {
        list == .past ? past.keys[number] == entry.revision.item : live.keys[number] == entry.digests.primaryKey
    }
}

// MARK: - Parts

extension Fence {
    /// Where a dictionary, counted from 0, is in the section.
    package func dictionaryPart(_ number: Int) -> SectionPart {
        part(from: number == 0 ? 0 : dictionaries[number - 1].end, to: dictionaries[number].end)
    }

    /// Where a leaf is in the section: its page, and the boxes behind it.
    package func leafPart(_ number: Int, of list: PageList) -> (page: SectionPart, boxes: SectionPart) {
        let (whole, units) =
            if list == .past {
                (part(number, ends: past.ends, after: live.ends.last ?? dictionariesEnd), past.pageUnits[number])
            } else {
                (part(number, ends: live.ends, after: dictionariesEnd), live.pageUnits[number])
            }
        let pageByteCount = Int(units) * Padding.unit
        return (
            SectionPart(offset: whole.offset, byteCount: pageByteCount),
            SectionPart(offset: whole.offset + pageByteCount, byteCount: whole.byteCount - pageByteCount)
        )
    }

    /// Where an id page is in the section.
    package func idPagePart(_ number: Int) -> SectionPart {
        part(number, ends: ids.ends, after: past.ends.last ?? live.ends.last ?? dictionariesEnd)
    }

    /// The size of all past leaves.
    package var pastByteCount: Int { past.ends.last.map { Int($0 - (live.ends.last ?? dictionariesEnd)) } ?? 0 }

    private var dictionariesEnd: UInt32 { dictionaries.last?.end ?? 0 }

    /// The end of the last part.
    var end: Int { Int(ids.ends.last ?? past.ends.last ?? live.ends.last ?? dictionariesEnd) }

    private func part(_ number: Int, ends: [UInt32], after end: UInt32) -> SectionPart {
        part(from: number == 0 ? end : ends[number - 1], to: ends[number])
    }

    private func part(from start: UInt32, to end: UInt32) -> SectionPart {
        SectionPart(offset: Int(start), byteCount: Int(end) - Int(start))
    }

    mutating func append(_ id: DictionaryID, dataKey: Int, end: Int) {
        dictionaries.append(Dictionary(id: id, dataKey: dataKey, end: UInt32(end)))
    }
}

// MARK: - Writing

extension Fence {
    private static let headByteCount = 28
    private static let dictionaryByteCount = 16
    private static let leafByteCount = 24
    private static let idPageByteCount = 8

    private var bytes: [UInt8] {
        [UInt8](byteCount: byteCount) { output in
            output.append(littleEndian: UInt16(dataKeys.count))
            output.append(littleEndian: UInt16(dictionaries.count))
            output.append(writtenFlags.rawValue)
            output.append(zeroByteCount: 3)
            for count in [seen.origins.count, live.count, past.count, ids.count, pastEntryCount] {
                output.append(littleEndian: UInt32(count))
            }
            for handle in dataKeys { handle.append(to: &output) }
            for dictionary in dictionaries {
                dictionary.id.append(to: &output)
                output.append(littleEndian: dictionary.end)
                output.append(littleEndian: UInt16(dictionary.dataKey))
                output.append(littleEndian: UInt16(0))
            }
            for origin in seen.origins { origin.append(to: &output) }
            live.append(to: &output)
            past.append(to: &output)
            for number in ids.keys.indices {
                ids.keys[number].append(to: &output)
                output.append(littleEndian: ids.ends[number])
            }
        }
    }

    private var byteCount: Int {
        let leafCount = live.count + past.count
        return Self.headByteCount + dataKeys.count * KeyHandle.byteCount
            + dictionaries.count * Self.dictionaryByteCount + seen.origins.count * Origin.byteCount
            + leafCount * Self.leafByteCount + ids.count * Self.idPageByteCount
    }

    private static func associatedData(_ group: GroupEpoch, _ section: SectionID, _ vault: VaultID) -> [UInt8] {
        Label.fence.bytes + vault.bytes + group.bytes + section.bytes
    }

    /// The fence in its box.
    func sealed(group: GroupEpoch, section: SectionID, keys: MatchKeys) -> [UInt8] {
        Box.sealed(
            bytes.span,
            key: keys.page,
            associatedData: Self.associatedData(group, section, keys.cipher.vault),
            cipher: keys.cipher
        )
    }
}

extension Fence.Parts {
    fileprivate func append<Kind>(to output: inout OutputSpan<UInt8>) where Key == Identifier<Kind> {
        for number in keys.indices {
            keys[number].append(to: &output)
            output.append(littleEndian: ends[number])
            output.append(littleEndian: pageUnits[number])
            output.append(littleEndian: UInt16(0))
        }
    }
}

// MARK: - Reading

extension Fence {
    /// Opens the fence of `section`.
    package init(opening box: [UInt8], of section: Section, keys: MatchKeys) throws(Fault) {
        let associatedData = Self.associatedData(section.group, section.id, keys.cipher.vault)
        var reader = try ByteReader(opening: box.span, key: keys.page, associatedData: associatedData)
        let dataKeyCount = Int(try reader.read(UInt16.self))
        let dictionaryCount = Int(try reader.read(UInt16.self))
        writtenFlags = try reader.readFlags(known: .knownInEntry)
        try reader.readZeros(3)
        let writerCount = try reader.readCount()
        let (liveCount, pastCount, idPageCount) = (
            try reader.readCount(), try reader.readCount(), try reader.readCount()
        )
        pastEntryCount = try reader.readCount()
        try Limit.fenceKeys.check(dataKeyCount, atMost: Limits.fenceKeyCount)
        try Limit.dictionaries.check(dictionaryCount, atMost: Limits.dictionaryCount)
        try Limit.writers.check(writerCount, atMost: Limits.writerCount)
        try Limit.pastEntries.check(pastEntryCount, atMost: Limits.pastEntryCount)
        guard
            reader.remainingByteCount == dataKeyCount * KeyHandle.byteCount
                + dictionaryCount * Self.dictionaryByteCount + writerCount * Origin.byteCount
                + (liveCount + pastCount) * Self.leafByteCount + idPageCount * Self.idPageByteCount,
            (liveCount > 0) == (section.count > 0), (idPageCount > 0) == (section.count > 0),
            (pastCount > 0) == (pastEntryCount > 0)
        else { throw Fault(.badLength) }
        for _ in 0..<dataKeyCount { dataKeys.append(try reader.readShortIdentifier()) }
        guard Set(dataKeys).count == dataKeyCount else { throw Fault(.duplicate, at: Self.headByteCount) }
        try readDictionaries(dictionaryCount, from: &reader)
        seen = try reader.readSeenPlaces(writerCount)
        var end = dictionariesEnd
        live = try reader.readLeaves(liveCount, after: &end)
        past = try reader.readLeaves(pastCount, after: &end)
        for _ in 0..<idPageCount {
            let start = reader.offset
            let prefix = try IDPrefix(from: &reader)
            ids.append(prefix, end: Int(try reader.readEnd(&end, isWhole: true)))
            guard ids.count < 2 || ids.keys[ids.count - 2] <= prefix else { throw Fault(.outOfOrder, at: start) }
            guard idPagePart(ids.count - 1).byteCount <= Page.byteCount else { throw Fault(.badLength, at: start) }
        }
        guard (0..<Padding.unit).contains(section.byteCount - section.fenceByteCount - Int(end)) else {
            throw Fault(.badLength)
        }
    }

    private mutating func readDictionaries(_ count: Int, from reader: inout ByteReader) throws(Fault) {
        var end: UInt32 = 0
        var ids: Set<DictionaryID> = []
        for _ in 0..<count {
            let start = reader.offset
            let id: DictionaryID = try reader.readShortIdentifier()
            guard ids.insert(id).inserted else { throw Fault(.duplicate, at: start) }
            try reader.readEnd(&end, isWhole: true)
            let dataKey = Int(try reader.read(UInt16.self))
            try reader.readZeros(2)
            guard dataKey < dataKeys.count else { throw Fault(.badValue, at: start + 12) }
            dictionaries.append(Dictionary(id: id, dataKey: dataKey, end: end))
        }
    }
}

extension ByteReader {
    /// Reads the end of a part, which is after `end`, and by whole units if `isWhole`.
    @discardableResult
    fileprivate mutating func readEnd(_ end: inout UInt32, isWhole: Bool) throws(Fault) -> UInt32 {
        let next = try read(UInt32.self)
        guard next > end, !isWhole || (next - end).isMultiple(of: UInt32(Padding.unit)) else {
            throw Fault(.badLength, at: offset - 4)
        }
        end = next
        return next
    }

    /// Reads where leaves are, and their first keys, which must be in order.
    fileprivate mutating func readLeaves<Kind>(
        _ count: Int,
        after end: inout UInt32
    ) throws(Fault) -> Fence.Parts<Identifier<Kind>> {
        var parts = Fence.Parts<Identifier<Kind>>()
        parts.keys.reserveCapacity(count)
        parts.ends.reserveCapacity(count)
        parts.pageUnits.reserveCapacity(count)
        for _ in 0..<count {
            let start = offset
            let key: Identifier<Kind> = try readIdentifier()
            guard parts.keys.last.map({ $0 <= key }) ?? true else { throw Fault(.outOfOrder, at: start) }
            let before = end
            try readEnd(&end, isWhole: false)
            let units = try read(UInt16.self)
            let pageByteCount = Int(units) * Padding.unit
            guard units > 0, pageByteCount <= Page.byteCount, Int(end - before) >= pageByteCount else {
                throw Fault(.badLength, at: start)
            }
            try readZeros(2)
            parts.keys.append(key)
            parts.ends.append(end)
            parts.pageUnits.append(units)
        }
        return parts
    }
}
