internal import CofferBasics
internal import VaultCrypto

/// Section 5.7: the parts of a group section, each with a check that needs none of the group's keys.
package struct BlockList: Equatable, Sendable {
    /// One part of the section.
    package struct Entry: Equatable, Sendable {
        package var kind: Kind
        /// The number of items, secrets or pages in the part.
        package var count: Int
        package var part: SectionPart
        /// The data key of a metadata block, or none.
        package var dataKey: KeyHandle
        package var check: [UInt8]

        package init(kind: Kind, count: Int, part: SectionPart, dataKey: KeyHandle, check: [UInt8]) {
            self.kind = kind
            self.count = count
            self.part = part
            self.dataKey = dataKey
            self.check = check
        }
    }

    /// The content of a part, in the order of the parts in a section.
    package enum Kind: UInt8, Sendable {
        case fence = 1
        case digestPages = 2
        case itemPages = 3
        case metadata = 4
        case secrets = 5
    }

    private static let entryByteCount = 40
    /// The greatest size of a piece of pages or secrets; a longer secret is a piece of its own.
    static let pieceByteCount = 262_144

    package var entries: [Entry]

    static func byteCount(entryCount: Int) -> Int {
        Box.byteCount(contentByteCount: entryCount * entryByteCount)
    }

    /// The check of a part.
    package static func check(of bytes: Span<UInt8>) -> [UInt8] {
        Label.file.hash(16, bytes)
    }

    package func sealed(section: SectionID, keys: GenerationKeys) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            bytes += [entry.kind.rawValue, 0, 0, 0]
            bytes.append(littleEndian: UInt32(entry.count))
            bytes.append(littleEndian: UInt32(entry.part.offset / Padding.unit))
            bytes.append(littleEndian: UInt32(entry.part.byteCount / Padding.unit))
            bytes += entry.dataKey.bytes + entry.check
        }
        let associatedData = Label.blockList.bytes + section.bytes
        return Box.sealed(bytes.span, key: keys.snapshot, associatedData: associatedData, cipher: keys.cipher)
    }

    /// Opens the block list of `section`; its parts must cover the section exactly.
    package init(opening box: [UInt8], of section: Section, keys: GenerationKeys) throws(Fault) {
        let associatedData = Label.blockList.bytes + section.id.bytes
        var reader = try ByteReader(opening: box.span, key: keys.snapshot, associatedData: associatedData)
        let count = reader.end / Self.entryByteCount
        guard count * Self.entryByteCount == reader.end else { throw Fault(.badLength) }
        try Limit.blockListEntries.check(count, atMost: Limits.blockListEntryCount)
        entries = []
        var end = section.blockListByteCount
        for _ in 0..<count {
            let start = reader.offset
            let entry = try Entry(from: &reader)
            guard entry.part.offset == end, entry.part.byteCount > 0,
                entries.last.map({ $0.kind.rawValue <= entry.kind.rawValue }) ?? (entry.kind == .fence)
            else { throw Fault(.badLength, at: start) }
            end = entry.part.range.upperBound
            entries.append(entry)
        }
        guard end == section.byteCount else { throw Fault(.badLength, at: reader.end) }
        try checkConsistency(section)
    }

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// Throws unless the parts have the sizes and counts that the directory gives.
    private func checkConsistency(_ section: Section) throws(Fault) {
        func byteCount(_ kind: Kind) -> Int {
            entries.reduce(0) { $0 + ($1.kind == kind ? $1.part.byteCount : 0) }
        }
        func count(_ kind: Kind) -> Int {
            entries.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) }
        }
        guard entries.first?.part.byteCount == section.fenceByteCount, byteCount(.fence) == section.fenceByteCount,
            byteCount(.digestPages) == section.digestPagesRange.count,
            byteCount(.itemPages) == section.itemPagesRange.count,
            count(.metadata) >= section.count
        else { throw Fault(.disagrees) }
    }
}

extension BlockList.Entry {
    fileprivate init(from reader: inout ByteReader) throws(Fault) {
        let start = reader.offset
        guard let kind = BlockList.Kind(rawValue: try reader.read(UInt8.self)) else {
            throw Fault(.badValue, at: start)
        }
        self.kind = kind
        try reader.readZeros(3)
        count = try reader.readCount()
        part = SectionPart(
            offset: try reader.readCount() * Padding.unit,
            byteCount: try reader.readCount() * Padding.unit
        )
        let handleOffset = reader.offset
        dataKey = try reader.readShortIdentifier()
        guard kind == .metadata || dataKey == .none else { throw Fault(.reservedNotZero, at: handleOffset) }
        check = try reader.readBytes(16)
        guard hasFittingCount else { throw Fault(.disagrees, at: start + 4) }
    }

    /// Whether the count and the size of the part agree, as far as its kind says how.
    private var hasFittingCount: Bool {
        switch kind {
        case .fence: count == 1
        case .digestPages, .itemPages:
            part.byteCount == count * MatchPage.byteCount && part.byteCount <= BlockList.pieceByteCount
        case .metadata: count > 0
        case .secrets: count == 1 || count > 1 && part.byteCount <= BlockList.pieceByteCount
        }
    }
}
