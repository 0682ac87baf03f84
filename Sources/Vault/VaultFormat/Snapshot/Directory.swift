internal import CofferBasics
internal import VaultCrypto

/// Section 5.1: the table of the sections of a snapshot.
package struct Directory: Equatable, Sendable {
    /// The size of the fields before the sections.
    private static let headByteCount = 8 + HistoryHorizon.byteCount

    package var historySince: HistoryHorizon
    package var sections: [Section]

    package init(historySince: HistoryHorizon = .beginning, sections: [Section] = []) {
        self.historySince = historySince
        self.sections = sections
    }
}

/// One entry of the directory.
package struct Section: Equatable, Sendable {
    static let byteCount = 80

    /// The content of a section.
    package enum Kind: Equatable, Hashable, Sendable {
        case group
        case run
        case history
        /// A section of an unknown kind that is not critical.
        case unknown(UInt8)
    }

    package var kind: Kind
    package var group: GroupEpoch
    package var id: SectionID
    /// The offset from the start of the snapshot.
    package var offset: Int
    package var byteCount: Int
    package var blockListByteCount: Int
    package var fenceByteCount: Int
    /// The number of items of a group, or of records of a run or history.
    package var count: Int
    package var digestPageCount: Int
    package var itemPageCount: Int
    /// The check of the block list of a group, or of the whole run or history.
    package var check: [UInt8]

    /// The range of the section in the snapshot.
    package var range: Range<Int> { offset..<offset + byteCount }

    /// For how many entries to reserve memory.
    ///
    /// Only the pages show whether the count is right; before they are read, they limit it.
    package var entryCapacity: Int { min(count, digestPageCount * MatchPage.byteCount / MatchEntry.leastByteCount) }

    // Ranges within a group section, from its start.
    package var fenceRange: Range<Int> { blockListByteCount..<blockListByteCount + fenceByteCount }
    package var digestPagesRange: Range<Int> { pages(from: fenceRange.upperBound, count: digestPageCount) }
    package var itemPagesRange: Range<Int> { pages(from: digestPagesRange.upperBound, count: itemPageCount) }
    /// The offset of the metadata blocks and secrets, which go on to the end of the section.
    package var blocksOffset: Int { itemPagesRange.upperBound }

    private func pages(from offset: Int, count: Int) -> Range<Int> {
        offset..<offset + count * MatchPage.byteCount
    }
}

// MARK: - Writing

extension Directory {
    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(sections.count))
        bytes.append(littleEndian: UInt32(0))
        bytes += historySince.bytes
        for section in sections { bytes += section.bytes }
        return bytes
    }

    /// The size of a sealed directory with `sectionCount` sections.
    package static func byteCount(sectionCount: Int) -> Int {
        Box.byteCount(contentByteCount: headByteCount + sectionCount * Section.byteCount)
    }

    /// The directory in its box.
    package func sealed(keys: GenerationKeys) -> [UInt8] {
        Box.sealed(bytes.span, key: keys.snapshot, associatedData: Label.directory.bytes, cipher: keys.cipher)
    }
}

extension Section {
    fileprivate var bytes: [UInt8] {
        let kindNumber: UInt8 =
            switch kind {
            case .group: 1
            case .run: 2
            case .history: 3
            case .unknown(let number): number
            }
        var bytes: [UInt8] = [kindNumber, 0, 0, 0]
        bytes.append(littleEndian: group.epoch)
        bytes += id.bytes + group.group.bytes
        for byteCount in [offset, byteCount, blockListByteCount, fenceByteCount] {
            bytes.append(littleEndian: UInt32(byteCount / Padding.unit))
        }
        for count in [count, digestPageCount, itemPageCount, 0] { bytes.append(littleEndian: UInt32(count)) }
        return bytes + check
    }
}

// MARK: - Reading

extension Directory {
    /// Opens the directory of a snapshot of `snapshotByteCount` bytes, up to the transaction `baseSequence`.
    package init(
        opening box: [UInt8],
        snapshotByteCount: Int,
        baseSequence: UInt64,
        keys: GenerationKeys
    ) throws(Fault) {
        var reader = try ByteReader(opening: box.span, key: keys.snapshot, associatedData: Label.directory.bytes)
        let count = try reader.readCount()
        try Limit.sections.check(count, atMost: Limits.sectionCount)
        try reader.readZeros(4)
        historySince = try HistoryHorizon(from: &reader, baseSequence: baseSequence)
        sections = []
        var end = box.count
        for _ in 0..<count {
            let start = reader.offset
            let section = try Section(from: &reader)
            guard section.offset == end, section.byteCount > 0,
                section.range.upperBound <= snapshotByteCount
            else { throw Fault(.badLength, at: start + 32) }
            end = section.range.upperBound
            sections.append(section)
        }
        try reader.expectEnd()
        guard end == snapshotByteCount else { throw Fault(.badLength, at: end) }
        try checkConsistency()
    }

    private func checkConsistency() throws(Fault) {
        let groups = sections.filter { $0.kind == .group }.map(\.group)
        guard Set(groups).count == groups.count, Set(sections.map(\.id)).count == sections.count else {
            throw Fault(.duplicate)
        }
        let itemCount = sections.reduce(0) { $0 + ($1.kind == .group ? $1.count : 0) }
        try Limit.items.check(itemCount, atMost: Limits.itemCount)
    }
}

extension Section {
    fileprivate init(from reader: inout ByteReader) throws(Fault) {
        let start = reader.offset
        let kindNumber = try reader.read(UInt8.self)
        let flags = try reader.read(UInt8.self)
        guard flags & ~1 == 0 else { throw Fault(.reservedNotZero, at: start + 1) }
        kind =
            switch kindNumber {
            case 1: .group
            case 2: .run
            case 3: .history
            default: .unknown(kindNumber)
            }
        if case .unknown = kind, flags != 0 {
            throw Fault(.unsupported(.section(kind: Int(kindNumber))), at: start)
        }
        try reader.readZeros(2)
        let epoch = try reader.read(UInt32.self)
        id = try reader.readIdentifier()
        group = GroupEpoch(group: try reader.readShortIdentifier(), epoch: epoch)
        offset = try reader.readCount() * Padding.unit
        byteCount = try reader.readCount() * Padding.unit
        blockListByteCount = try reader.readCount() * Padding.unit
        fenceByteCount = try reader.readCount() * Padding.unit
        count = try reader.readCount()
        digestPageCount = try reader.readCount()
        itemPageCount = try reader.readCount()
        try reader.readZeros(4)
        check = try reader.readBytes(16)
        try checkFields(flags: flags, at: start)
    }

    private func checkFields(flags: UInt8, at start: Int) throws(Fault) {
        switch kind {
        case .group:
            guard flags == 0, group.group != .none, blockListByteCount > 0, fenceByteCount > 0,
                (count > 0) == (digestPageCount > 0), (count > 0) == (itemPageCount > 0),
                count > 0 ? blocksOffset < byteCount : blocksOffset == byteCount
            else { throw Fault(.badLength, at: start) }
            try Limit.fence.check(fenceByteCount, atMost: Limits.fenceByteCount, at: start + 44)
        case .run, .history:
            guard flags == 0, count > 0, blockListByteCount == 0, fenceByteCount == 0, digestPageCount == 0,
                itemPageCount == 0, group.group != .none || kind == .run && group.epoch == 0
            else { throw Fault(.badLength, at: start) }
            try Limit.run.check(byteCount, atMost: Box.byteCount(contentByteCount: Limits.runByteCount), at: start + 36)
        case .unknown:
            guard blockListByteCount == 0, fenceByteCount == 0, digestPageCount == 0, itemPageCount == 0 else {
                throw Fault(.reservedNotZero, at: start + 40)
            }
        }
    }
}
