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
        /// A section of an unknown kind that is not critical.
        case unknown(UInt8)
    }

    package var kind: Kind
    package var group: GroupEpoch
    package var id: SectionID
    /// The offset from the start of the snapshot.
    package var offset: Int
    package var byteCount: Int
    /// 0 unless it is the section of a group.
    package var fenceByteCount: Int
    /// The number of live entries of a group, or of records of a run.
    package var count: Int
    /// The hash of the whole section.
    package var check: [UInt8]

    package init(
        kind: Kind,
        group: GroupEpoch,
        id: SectionID,
        byteCount: Int,
        fenceByteCount: Int,
        count: Int,
        check: [UInt8]
    ) {
        self.kind = kind
        self.group = group
        self.id = id
        offset = 0
        self.byteCount = byteCount
        self.fenceByteCount = fenceByteCount
        self.count = count
        self.check = check
    }

    /// The range of the section in the snapshot.
    package var range: Range<Int> { offset..<offset + byteCount }

    /// The fence of a group section, which ends with the section.
    package var fence: SectionPart {
        SectionPart(offset: byteCount - fenceByteCount, byteCount: fenceByteCount)
    }

    /// For how many entries to reserve memory.
    ///
    /// Only the leaves show whether the count is right; before they are read, the size of the section limits it.
    package var entryCapacity: Int { min(count, byteCount / MatchEntry.leastByteCount) }
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
            case .unknown(let number): number
            }
        var bytes: [UInt8] = [kindNumber, 0, 0, 0]
        bytes.append(littleEndian: group.epoch)
        bytes += id.bytes + group.group.bytes
        for byteCount in [offset, byteCount, fenceByteCount] {
            bytes.append(littleEndian: UInt32(byteCount / Padding.unit))
        }
        bytes.append(littleEndian: UInt32(count))
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
        fenceByteCount = try reader.readCount() * Padding.unit
        count = try reader.readCount()
        check = try reader.readBytes(32)
        try checkFields(flags: flags, at: start)
    }

    private func checkFields(flags: UInt8, at start: Int) throws(Fault) {
        switch kind {
        case .group:
            guard flags == 0, group.group != .none, fenceByteCount > 0, fenceByteCount <= byteCount else {
                throw Fault(.badLength, at: start)
            }
            try Limit.fence.check(fenceByteCount, atMost: Limits.fenceByteCount, at: start + 40)
        case .run:
            guard flags == 0, count > 0, fenceByteCount == 0, group.group != .none || group.epoch == 0 else {
                throw Fault(.badLength, at: start)
            }
            try Limit.run.check(byteCount, atMost: Box.byteCount(contentByteCount: Limits.runByteCount), at: start + 36)
        case .unknown:
            guard fenceByteCount == 0 else { throw Fault(.reservedNotZero, at: start + 40) }
        }
    }
}
