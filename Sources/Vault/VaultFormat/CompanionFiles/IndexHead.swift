internal import CofferBasics
internal import VaultCrypto

/// Section 13.3 of `store.md`: the head of an index file, which says which part of a log it is about.
///
/// The sections of groups follow it, with pages like those of a snapshot.
package struct IndexHead: Equatable, Sendable {
    private static let magic = Array("COFI".utf8)
    /// The size of the magic, and of the fields that tell how long the head is.
    package static let prefixByteCount = 64

    /// The chain value before the part of the log.
    package var start: ChainValue
    package var end: LogPosition
    /// The last bytes before the end.
    package var tag: [UInt8]
    /// How many more live revisions there are at the end than in the snapshot.
    package var itemBalance: Int
    /// When the last record was written.
    package var lastTime: Time
    /// When the oldest record of the log that ended a revision was written.
    package var oldestGarbageTime: Time?
    /// The records that are neither puts nor deletes.
    package var records: [Run.Entry]
    /// The items that are gone, in ascending order.
    package var removed: [ItemName]
    /// The sections, at their offsets in the file.
    package var sections: [Section]

    package init(
        start: ChainValue,
        end: LogPosition,
        tag: [UInt8],
        itemBalance: Int,
        lastTime: Time,
        oldestGarbageTime: Time?,
        records: [Run.Entry],
        removed: [ItemName],
        sections: [Section]
    ) {
        self.start = start
        self.end = end
        self.tag = tag
        self.itemBalance = itemBalance
        self.lastTime = lastTime
        self.oldestGarbageTime = oldestGarbageTime
        self.records = records
        self.removed = removed
        self.sections = sections
    }

    /// The head, in front of the sections.
    package func sealed(keys: GenerationKeys) -> [UInt8] {
        let box = Box.sealed(content.span, key: keys.snapshot, associatedData: Label.index.bytes, cipher: keys.cipher)
        var bytes = Self.magic
        bytes.append(littleEndian: UInt32(box.count))
        bytes.append(zeroByteCount: Self.prefixByteCount - bytes.count)
        return bytes + box
    }

    private var content: [UInt8] {
        var bytes = start.bytes
        bytes.append(littleEndian: UInt64(end.offset))
        bytes.append(littleEndian: end.sequence)
        bytes += end.chain.bytes + tag
        bytes.append(littleEndian: Int64(itemBalance))
        bytes.append(littleEndian: lastTime.microseconds)
        bytes.append(littleEndian: oldestGarbageTime?.microseconds ?? .max)
        for count in [records.count, removed.count, sections.count, 0] { bytes.append(littleEndian: UInt32(count)) }
        for record in records { record.append(to: &bytes) }
        for name in removed { bytes += name.group.bytes + name.item.bytes }
        for section in sections {
            bytes += section.id.bytes + section.group.bytes
            for size in [section.byteCount, section.fenceByteCount, section.count] {
                bytes.append(littleEndian: UInt32(size))
            }
        }
        return bytes
    }

    // MARK: - Reading

    /// The size of a head with its prefix, or nil if `prefix` does not begin one.
    package static func byteCount(prefix: Span<UInt8>) -> Int? {
        guard prefix.count >= prefixByteCount, magic.indices.allSatisfy({ prefix[$0] == magic[$0] }) else { return nil }
        return prefixByteCount + Int(prefix.littleEndian(at: magic.count, as: UInt32.self))
    }

    /// Opens the head in the first bytes of a file of `fileByteCount` bytes about a log that starts at `logOffset`.
    package init(
        opening head: Span<UInt8>,
        fileByteCount: Int,
        logOffset: Int,
        keys: GenerationKeys
    ) throws(Fault) {
        let box = head.extracting(Self.prefixByteCount...)
        var reader = try ByteReader(opening: box, key: keys.snapshot, associatedData: Label.index.bytes)
        start = ChainValue(bytes: try reader.readBytes(32))
        let offset = try reader.read(UInt64.self)
        let sequence = try reader.read(UInt64.self)
        guard let offset = Int(exactly: offset), (logOffset..<Limits.fileByteCount).contains(offset),
            sequence < Limits.sequence
        else { throw Fault(.badValue, at: 32) }
        end = LogPosition(offset: offset, sequence: sequence, chain: ChainValue(bytes: try reader.readBytes(32)))
        tag = try reader.readBytes(Box.tagByteCount)
        let balance = try reader.read(Int64.self)
        guard (-Int64(Limits.itemCount)...Int64(Limits.itemCount)).contains(balance) else {
            throw Fault(.badValue, at: reader.offset - 8)
        }
        itemBalance = Int(balance)
        lastTime = Time(microseconds: try reader.read())
        let garbage = try reader.read(Int64.self)
        oldestGarbageTime = garbage == .max ? nil : Time(microseconds: garbage)
        let (recordCount, removedCount) = (try reader.readCount(), try reader.readCount())
        let sectionCount = try reader.readCount()
        try reader.readZeros(4)
        records = []
        for _ in 0..<recordCount {
            let start = reader.offset
            let entry = try Run.Entry(from: &reader)
            guard entry.isKeptByIndex else { throw Fault(.badValue, at: start) }
            records.append(entry)
        }
        removed = try reader.readNames(removedCount)
        var (sections, offsetInFile): ([Section], Int) = ([], head.count)
        for _ in 0..<sectionCount {
            let section = try reader.readSection(at: offsetInFile, fileByteCount: fileByteCount)
            sections.append(section)
            offsetInFile += section.byteCount
        }
        self.sections = sections
        try reader.expectEnd()
    }
}

extension ByteReader {
    /// Reads `count` names of items, which must be in order.
    fileprivate mutating func readNames(_ count: Int) throws(Fault) -> [ItemName] {
        var names: [ItemName] = []
        names.reserveCapacity(min(count, remainingByteCount / 24))
        for _ in 0..<count {
            let start = offset
            let name = ItemName(group: try readShortIdentifier(), item: try readIdentifier())
            if let last = names.last, !last.precedes(name) { throw Fault(.outOfOrder, at: start) }
            names.append(name)
        }
        return names
    }

    /// Reads the sizes of a section at `fileOffset`.
    fileprivate mutating func readSection(at fileOffset: Int, fileByteCount: Int) throws(Fault) -> Section {
        let start = offset
        let id: SectionID = try readIdentifier()
        let group = try GroupEpoch(from: &self)
        var section = Section(
            kind: .group,
            group: group,
            id: id,
            byteCount: try readCount(),
            fenceByteCount: try readCount(),
            count: try readCount(),
            check: []
        )
        section.offset = fileOffset
        guard section.fenceByteCount > 0, section.fenceByteCount <= Limits.fenceByteCount,
            section.fenceByteCount <= section.byteCount, section.byteCount <= fileByteCount - fileOffset
        else { throw Fault(.badLength, at: start) }
        return section
    }
}

extension Run.Entry {
    /// Whether an index holds the record itself: it is about keys or settings, or says what was seen.
    package var isKeptByIndex: Bool {
        switch record {
        case .put, .delete, .unknown, .malformed: false
        case .key, .settings, .seen: true
        }
    }
}

extension ItemName {
    /// Whether the name comes before `other` in an index.
    package func precedes(_ other: ItemName) -> Bool { (group, item) < (other.group, other.item) }
}
