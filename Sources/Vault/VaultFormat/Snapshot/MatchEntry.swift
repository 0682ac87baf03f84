internal import CofferBasics

/// Section 5.3: the entry of an item in a digest page.
package struct MatchEntry: Equatable, Sendable {
    private static let fixedByteCount = 102

    package var digests: MatchDigests
    package var revision: Revision
    package var order: UInt64
    package var block: BlockPlace
    /// The place of the secret, or nil if the item has no data.
    package var secret: SectionPart?
    /// The number of the data key's handle in the fence.
    package var dataKey: Int
    package var itemClass: ItemClass
    package var flags: MatchFlags
    /// The number of the writer in the fence.
    package var writer: Int
    package var place: UInt64
    /// The transaction that wrote the revision into this copy of the vault.
    package var sequence: UInt64
    /// When the revision was written first.
    package var written: Time

    /// The size of the smallest entry.
    static let leastByteCount = ItemClass.allCases.map(byteCount).min() ?? fixedByteCount

    static func byteCount(_ itemClass: ItemClass) -> Int {
        fixedByteCount + (itemClass.primaryKeyCount - 1) * MatchDigests.attributeByteCount
    }

    /// The offset of the class in an entry.
    static let classOffset = 72

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
        output.append(littleEndian: order)
        output.append(littleEndian: UInt32(block.part.offset / Padding.unit))
        output.append(littleEndian: UInt16(block.part.byteCount / Padding.unit))
        output.append(littleEndian: UInt16(block.number))
        output.append(littleEndian: UInt32((secret?.offset ?? 0) / Padding.unit))
        output.append(littleEndian: UInt16((secret?.byteCount ?? 0) / Padding.unit))
        output.append(littleEndian: UInt16(dataKey))
        output.append(itemClass.rawValue)
        output.append(flags.rawValue)
        output.append(littleEndian: UInt32(writer))
        output.append(littleEndian: place)
        output.append(littleEndian: sequence)
        output.append(littleEndian: written.microseconds)
        digests.appendAttributes(of: itemClass, to: &output)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        let start = try reader.skip(Self.fixedByteCount)
        let bytes = reader.bytes
        let fixed = bytes.span.extracting(start..<reader.offset)
        func count(at offset: Int) -> Int { Int(fixed.littleEndian(at: offset, as: UInt32.self)) }
        func shortCount(at offset: Int) -> Int { Int(fixed.littleEndian(at: offset, as: UInt16.self)) }
        let primaryKey = PrimaryKeyDigest(fixed)
        revision = Revision(
            item: ItemID(fixed.extracting(16..<32)),
            number: fixed.littleEndian(at: 32),
            salt: fixed.littleEndian(at: 40)
        )
        guard (1..<Limits.revision).contains(revision.number) else { throw Fault(.badValue, at: start + 32) }
        order = fixed.littleEndian(at: 48)
        let part = SectionPart(
            offset: count(at: 56) * Padding.unit,
            byteCount: shortCount(at: 60) * Padding.unit
        )
        block = BlockPlace(part: part, number: shortCount(at: 62))
        let secretPart = SectionPart(
            offset: count(at: 64) * Padding.unit,
            byteCount: shortCount(at: 68) * Padding.unit
        )
        guard secretPart.byteCount > 0 || secretPart.offset == 0 else { throw Fault(.badValue, at: start + 64) }
        secret = secretPart.byteCount > 0 ? secretPart : nil
        dataKey = shortCount(at: 70)
        guard let itemClass = ItemClass(rawValue: fixed[Self.classOffset]) else {
            throw Fault(.badValue, at: start + Self.classOffset)
        }
        self.itemClass = itemClass
        flags = MatchFlags(rawValue: fixed[73])
        guard MatchFlags.knownInEntry.isSuperset(of: flags) else {
            throw Fault(.reservedNotZero, at: start + 73)
        }
        writer = count(at: 74)
        place = fixed.littleEndian(at: 78)
        sequence = fixed.littleEndian(at: 86)
        written = Time(microseconds: fixed.littleEndian(at: 94))
        digests = try reader.readDigests(of: itemClass, after: primaryKey)
    }
}

extension MatchEntry {
    package init(
        digests: MatchDigests,
        revision: Revision,
        order: UInt64,
        block: BlockPlace,
        secret: SectionPart?,
        dataKey: Int,
        itemClass: ItemClass,
        flags: MatchFlags,
        writer: Int,
        place: UInt64,
        sequence: UInt64,
        written: Time
    ) {
        self.digests = digests
        self.revision = revision
        self.order = order
        self.block = block
        self.secret = secret
        self.dataKey = dataKey
        self.itemClass = itemClass
        self.flags = flags
        self.writer = writer
        self.place = place
        self.sequence = sequence
        self.written = written
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

/// The place of an item in a metadata block.
package struct BlockPlace: Hashable, Sendable {
    package var part: SectionPart
    package var number: Int

    package init(part: SectionPart, number: Int) {
        self.part = part
        self.number = number
    }
}

/// Section 5.3: the entry of an item in an item page, which refers to its match entry.
package struct ItemEntry: Equatable, Sendable {
    static let byteCount = 20

    package let item: ItemID
    private let place: UInt32

    package var digestPage: Int { Int(place >> 8) }
    package var number: Int { Int(place & 0xFF) }

    init(item: ItemID, digestPage: Int, number: Int) {
        self.item = item
        place = UInt32(digestPage << 8 | number)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        item = try reader.readIdentifier()
        place = try reader.read()
    }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        item.append(to: &output)
        output.append(littleEndian: place)
    }
}

extension ItemEntry {
    /// Whether the entry comes before `other` in the pages.
    package func precedes(_ other: ItemEntry) -> Bool { (item, place) < (other.item, other.place) }
}

/// Encoded match entries, one after the other: a million take little more memory than in the file.
package struct MatchEntryList: Sendable {
    private var bytes: [UInt8] = []
    /// The offset of each entry, and of the next one to be appended.
    private var offsets: [UInt32] = [0]

    package init() {}

    package var count: Int { offsets.count - 1 }

    package mutating func reserveCapacity(count: Int, byteCount: Int) {
        offsets.reserveCapacity(count + 1)
        bytes.reserveCapacity(byteCount)
    }

    package mutating func append(_ entry: MatchEntry) {
        bytes.append(addingCapacity: MatchEntry.byteCount(entry.itemClass)) { output in entry.append(to: &output) }
        offsets.append(UInt32(bytes.count))
    }

    /// The entry with this number.
    package subscript(number: Int) -> MatchEntry {
        get {
            var reader = ByteReader(bytes, in: range(number))
            do throws(Fault) {
                return try MatchEntry(from: &reader)
            } catch {
                preconditionFailure("an entry that was written cannot be read")
            }
        }
        set {
            let range = range(number)
            precondition(range.count == MatchEntry.byteCount(newValue.itemClass), "an entry cannot change its class")
            let written = [UInt8](byteCount: range.count) { output in newValue.append(to: &output) }
            for (index, byte) in zip(range, written) { bytes[index] = byte }
        }
    }

    func byteCount(_ number: Int) -> Int { range(number).count }

    /// The digest that pages are sorted by.
    func digest(_ number: Int) -> PrimaryKeyDigest {
        PrimaryKeyDigest(bytes.span.extracting(range(number)))
    }

    func item(_ number: Int) -> ItemID {
        ItemID(bytes.span.extracting(range(number)).extracting(PrimaryKeyDigest.byteCount...))
    }

    private func range(_ number: Int) -> Range<Int> { Int(offsets[number])..<Int(offsets[number + 1]) }
}
