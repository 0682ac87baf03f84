internal import CofferBasics

/// The leaves and pages of a group section, and those of the index of a log, which has the same form.
package enum PageList: UInt32, Sendable {
    case live = 1
    case past = 2
    case ids = 3
    /// Entries that say where in a log a put is; only indexes have them.
    case indexed = 4
}

/// Section 5.3: the entry of a revision in a leaf.
package struct MatchEntry: Equatable, Sendable {
    /// What only entries of some lists have.
    package enum Tail: Equatable, Sendable {
        case none
        case ended(Run.Ending)
        case frame(FramePlace)
    }

    private static let fixedByteCount = 90
    private static let tailByteCount = 16

    package var digests: MatchDigests
    package var revision: Revision
    package var origin: Origin
    package var order: UInt64
    /// The transaction that wrote the revision into this copy of the vault.
    package var sequence: UInt64
    /// When the revision was written first.
    package var written: Time
    package var sizes: BoxSizes
    /// The number of the data key's handle in the fence.
    package var dataKey: Int
    /// The number of the dictionary in the fence, from 1; 0 if the metadata are not deflated.
    package var dictionary: Int
    package var itemClass: ItemClass
    package var flags: MatchFlags
    package var tail: Tail
    /// The offset of the boxes from the start of the section; an entry that was not read from a leaf has none.
    package var boxesOffset = 0

    package init(
        _ revision: Revision,
        _ origin: Origin,
        _ match: ItemMatch,
        sizes: BoxSizes,
        sequence: UInt64,
        tail: Tail = .none
    ) {
        digests = match.digests
        self.revision = revision
        self.origin = origin
        order = match.order
        self.sequence = sequence
        written = match.written
        self.sizes = sizes
        dataKey = 0
        dictionary = 0
        itemClass = match.itemClass
        flags = match.flags
        self.tail = tail
    }

    /// Where the boxes are in the section.
    package var boxes: SectionPart { SectionPart(offset: boxesOffset, byteCount: sizes.sum) }
    package var metadata: SectionPart { SectionPart(offset: boxesOffset, byteCount: sizes.metadata) }
    /// Nil if the item has no data.
    package var secret: SectionPart? {
        sizes.secret == 0 ? nil : SectionPart(offset: boxesOffset + sizes.metadata, byteCount: sizes.secret)
    }

    /// The flags as the file has them, in the entry and, for live ones, in the fence.
    package var writtenFlags: MatchFlags { order == origin.place ? flags : flags.union(.changed) }

    /// The size of the smallest entry.
    static let leastByteCount =
        fixedByteCount + (ItemClass.allCases.map(\.primaryKeyCount).min() ?? 1) * MatchDigests.attributeByteCount
        - MatchDigests.attributeByteCount

    /// About how much the revision takes in a leaf.
    package var byteCountInLeaf: Int { byteCount + sizes.sum }

    var byteCount: Int {
        Self.fixedByteCount + (itemClass.primaryKeyCount - 1) * MatchDigests.attributeByteCount
            + (order == origin.place ? 0 : 8) + (tail == .none ? 0 : Self.tailByteCount)
    }

    /// The offset of the class in an entry.
    static let classOffset = 88

    /// The offset of the digest of an attribute in an entry.
    static func offset(ofDigest number: Int, of itemClass: ItemClass) -> Int {
        let leading = itemClass.leadingAttribute
        guard number != leading else { return 0 }
        return fixedByteCount + (number < leading ? number : number - 1) * MatchDigests.attributeByteCount
    }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        digests.primaryKey.append(to: &output)
        revision.append(to: &output)
        origin.append(to: &output)
        output.append(littleEndian: sequence)
        output.append(littleEndian: written.microseconds)
        output.append(littleEndian: UInt16(sizes.metadata / ItemPart.metadataUnit))
        output.append(littleEndian: UInt16(sizes.secret / ItemPart.secretUnit))
        output.append(littleEndian: UInt16(dataKey))
        output.append(littleEndian: UInt16(dictionary))
        output.append(itemClass.rawValue)
        output.append(writtenFlags.rawValue)
        digests.appendAttributes(of: itemClass, to: &output)
        if order != origin.place { output.append(littleEndian: order) }
        switch tail {
        case .none: break
        case .ended(let ending):
            output.append(littleEndian: ending.sequence)
            output.append(littleEndian: ending.time.microseconds)
        case .frame(let place):
            output.append(littleEndian: UInt64(place.offset))
            output.append(littleEndian: UInt32(place.byteCount))
            output.append(littleEndian: UInt32(place.record))
        }
    }

    init(from reader: inout ByteReader, of list: PageList) throws(Fault) {
        let start = try reader.skip(Self.fixedByteCount)
        let bytes = reader.bytes
        let fixed = bytes.span.extracting(start..<reader.offset)
        func shortCount(at offset: Int) -> Int { Int(fixed.littleEndian(at: offset, as: UInt16.self)) }
        let primaryKey = PrimaryKeyDigest(fixed)
        revision = Revision(
            item: ItemID(fixed.extracting(16..<32)),
            number: fixed.littleEndian(at: 32),
            salt: fixed.littleEndian(at: 40)
        )
        guard (1..<Limits.revision).contains(revision.number) else { throw Fault(.badValue, at: start + 32) }
        guard revision.salt != 0 else { throw Fault(.badValue, at: start + 40) }
        origin = Origin(writer: WriterID(fixed.extracting(48..<56)), place: fixed.littleEndian(at: 56))
        guard origin.isValid else { throw Fault(.badValue, at: start + 48) }
        sequence = fixed.littleEndian(at: 64)
        written = Time(microseconds: fixed.littleEndian(at: 72))
        sizes = BoxSizes(
            metadata: shortCount(at: 80) * ItemPart.metadataUnit,
            secret: shortCount(at: 82) * ItemPart.secretUnit
        )
        guard sizes.areValid else { throw Fault(.badLength, at: start + 80) }
        dataKey = shortCount(at: 84)
        dictionary = shortCount(at: 86)
        guard let itemClass = ItemClass(rawValue: fixed[Self.classOffset]) else {
            throw Fault(.badValue, at: start + Self.classOffset)
        }
        self.itemClass = itemClass
        flags = MatchFlags(rawValue: fixed[89])
        guard MatchFlags.knownInEntry.isSuperset(of: flags), list == .live || !flags.contains(.contested) else {
            throw Fault(.reservedNotZero, at: start + 89)
        }
        digests = try reader.readDigests(of: itemClass, after: primaryKey)
        order = origin.place
        if flags.remove(.changed) != nil {
            order = try reader.read()
            guard order != origin.place else { throw Fault(.badValue, at: reader.offset - 8) }
        }
        switch list {
        case .live, .ids: tail = .none
        case .past:
            tail = .ended(Run.Ending(sequence: try reader.read(), time: Time(microseconds: try reader.read())))
        case .indexed:
            let offset = try reader.read(UInt64.self)
            guard offset <= Limits.fileByteCount else { throw Fault(.badValue, at: reader.offset - 8) }
            tail = .frame(
                FramePlace(offset: Int(offset), byteCount: try reader.readCount(), record: try reader.readCount())
            )
        }
    }
}

extension MatchEntry {
    /// The transaction that ended the revision, in a past leaf.
    package var ended: Run.Ending? { if case .ended(let ending) = tail { ending } else { nil } }

    /// Whether the entry comes before `other` in the leaves of a list.
    package func precedes(_ other: MatchEntry, in list: PageList) -> Bool {
        list == .past ? precedesByItem(other) : precedes(other)
    }

    /// Whether the entry comes before `other` in live leaves.
    package func precedes(_ other: MatchEntry) -> Bool {
        digests.primaryKey == other.digests.primaryKey
            ? precedesByItem(other) : digests.primaryKey < other.digests.primaryKey
    }

    private func precedesByItem(_ other: MatchEntry) -> Bool {
        revision.item == other.revision.item
            ? revision.precedes(other.revision) : revision.item < other.revision.item
    }
}

/// The sizes of the boxes of a revision.
package struct BoxSizes: Hashable, Sendable {
    package var metadata: Int
    /// 0 if the item has no data.
    package var secret: Int

    package init(metadata: Int, secret: Int) {
        self.metadata = metadata
        self.secret = secret
    }

    package var sum: Int { metadata + secret }

    /// Whether boxes can have these sizes.
    var areValid: Bool {
        Self.mayBeBox(metadata, of: .metadata, atMost: Limits.metadataByteCount)
            && (secret == 0 || Self.mayBeBox(secret, of: .secret, atMost: Limits.secretContentByteCount))
    }

    private static func mayBeBox(_ byteCount: Int, of part: ItemPart, atMost contentByteCount: Int) -> Bool {
        byteCount.isMultiple(of: part.unit) && byteCount >= ItemBox.byteCount(part, contentByteCount: 1)
            && byteCount <= ItemBox.byteCount(part, contentByteCount: contentByteCount)
    }
}

/// A part of a section, by its offset from the start of the section.
package struct SectionPart: Hashable, Sendable {
    package var offset: Int
    package var byteCount: Int

    package var range: Range<Int> { offset..<offset + byteCount }

    package init(offset: Int, byteCount: Int) {
        self.offset = offset
        self.byteCount = byteCount
    }
}

/// The frame that holds a put, and the number of its record there.
package struct FramePlace: Hashable, Sendable {
    package let offset: Int
    package let byteCount: Int
    package let record: Int

    package init(offset: Int, byteCount: Int, record: Int) {
        self.offset = offset
        self.byteCount = byteCount
        self.record = record
    }
}

/// Section 5.3: the entry of an item in an id page, which refers to its entry in a live leaf.
package struct IDEntry: Equatable, Sendable {
    static let byteCount = 8

    package let prefix: IDPrefix
    private let place: UInt32

    package var leaf: Int { Int(place >> 6) }
    package var number: Int { Int(place & 63) }

    init(_ item: ItemID, leaf: Int, number: Int) {
        prefix = IDPrefix(item)
        place = UInt32(leaf << 6 | number)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        prefix = try IDPrefix(from: &reader)
        place = try reader.read()
    }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        prefix.append(to: &output)
        output.append(littleEndian: place)
    }

    /// Whether the entry comes before `other` in the pages.
    package func precedes(_ other: IDEntry) -> Bool { (prefix, place) < (other.prefix, other.place) }
}

/// The first four bytes of an item id.
package struct IDPrefix: Comparable, Sendable {
    static let byteCount = 4

    private let number: UInt32

    package init(_ item: ItemID) { number = UInt32(item.prefix >> 32) }

    init(from reader: inout ByteReader) throws(Fault) { number = try reader.read(UInt32.self).byteSwapped }

    func append(to output: inout OutputSpan<UInt8>) { output.append(littleEndian: number.byteSwapped) }

    package static func < (one: IDPrefix, other: IDPrefix) -> Bool { one.number < other.number }
}
