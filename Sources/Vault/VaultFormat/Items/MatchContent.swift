internal import CofferBasics
internal import KeyedArchive

/// Section 8.2: the content of a match box, by which an item is found.
package struct MatchContent: Equatable, Sendable {
    static let byteCount = 136

    package var itemClass: ItemClass
    package var flags: MatchFlags
    package var order: UInt64
    /// When the revision was written first.
    package var written: Time
    package var digests: MatchDigests
    /// The hash of the rest of the record, so that no part of it can be removed or exchanged unnoticed.
    package var recordHash: [UInt8]

    package init(
        itemClass: ItemClass,
        flags: MatchFlags,
        order: UInt64,
        written: Time,
        digests: MatchDigests,
        recordHash: [UInt8]
    ) {
        self.itemClass = itemClass
        self.flags = flags
        self.order = order
        self.written = written
        self.digests = digests
        self.recordHash = recordHash
    }

    package var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 136 bytes of the content.
    func append(to output: inout OutputSpan<UInt8>) {
        let end = output.count + Self.byteCount
        output.append(itemClass.rawValue)
        output.append(flags.rawValue)
        output.append(zeroByteCount: 6)
        output.append(littleEndian: order)
        output.append(littleEndian: written.microseconds)
        digests.primaryKey.append(to: &output)
        digests.appendAttributes(of: itemClass, to: &output)
        output.append(zeroByteCount: end - recordHash.count - output.count)
        output.append(copying: recordHash.span)
    }

    package init(parsing bytes: [UInt8]) throws(Fault) {
        try self.init(parsing: ByteReader(bytes))
    }

    init(parsing reader: consuming ByteReader) throws(Fault) {
        guard reader.remainingByteCount == Self.byteCount else { throw Fault(.badLength) }
        (itemClass, flags) = try reader.readClassAndFlags()
        try reader.readZeros(6)
        order = try reader.read()
        written = Time(microseconds: try reader.read())
        digests = try reader.readDigests(of: itemClass, after: reader.readIdentifier())
        try reader.readZeros(reader.remainingByteCount - 32)
        recordHash = try reader.readBytes(32)
    }
}

/// Flags that a match box has for its item, and a fence for all items of its section.
package struct MatchFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The item is synchronizable.
    package static let synchronizable = MatchFlags(rawValue: 1)
    /// One of `vwht`, `tkid`, `musr`, `ggrp` is not empty.
    package static let extendedKey = MatchFlags(rawValue: 2)
    package static let tombstone = MatchFlags(rawValue: 4)
    /// The item's access control has conditions.
    package static let hasConditions = MatchFlags(rawValue: 8)

    /// The section has several revisions of the item.
    package static let contested = MatchFlags(rawValue: 16)

    /// The creation order is not the place.
    static let changed = MatchFlags(rawValue: 32)
    static let known: MatchFlags = [.synchronizable, .extendedKey, .tombstone, .hasConditions]
    static let knownInEntry: MatchFlags = known.union([.contested, .changed])

    /// The flags of an item with `attributes`.
    package init(_ attributes: ItemAttributes) {
        self = []
        let table = attributes.itemClass.table
        let (values, defaults) = (attributes.matchValues, table.defaultMatchValues)
        if values[table.synchronizableNumber] != defaults[table.synchronizableNumber][...] { insert(.synchronizable) }
        if table.extendedNumbers.contains(where: { !values[$0].isEmpty }) { insert(.extendedKey) }
        if values[table.tombstoneNumber] != defaults[table.tombstoneNumber][...] { insert(.tombstone) }
        if attributes.hasConditions { insert(.hasConditions) }
    }
}

extension ByteReader {
    mutating func readClassAndFlags(known: MatchFlags = .known) throws(Fault) -> (ItemClass, MatchFlags) {
        let start = offset
        guard let itemClass = ItemClass(rawValue: try read(UInt8.self)) else {
            throw Fault(.badValue, at: start)
        }
        return (itemClass, try readFlags(known: known))
    }

    mutating func readFlags(known: MatchFlags) throws(Fault) -> MatchFlags {
        let start = offset
        let flags = MatchFlags(rawValue: try read(UInt8.self))
        guard known.isSuperset(of: flags) else { throw Fault(.reservedNotZero, at: start) }
        return flags
    }

    /// Reads the digests that follow that of the primary key, which begins with the one of the leading attribute.
    mutating func readDigests(
        of itemClass: ItemClass,
        after primaryKey: PrimaryKeyDigest
    ) throws(Fault) -> MatchDigests {
        var attributes = AttributeDigests()
        for number in 0..<itemClass.primaryKeyCount {
            attributes.append(number == itemClass.leadingAttribute ? primaryKey.leading : try read())
        }
        return MatchDigests(primaryKey: primaryKey, attributes: attributes)
    }
}

/// The canonical values by which an item is matched, in the order of ``AttributeTable``.
///
/// They are kept as the input of the primary key digest, section 9.3: the number of the class, then for each value its
/// size and its bytes. So one array holds them all.
struct MatchValues: Wipeable {
    private var bytes: [UInt8]
    /// How many of the bytes belong to the primary key.
    private var primaryKeyByteCount = 0

    /// The values of an item of which only some are known: those that `given` returns for their numbers.
    init(_ itemClass: ItemClass, given: (Int) -> [UInt8]?) {
        bytes = []
        bytes.reserveCapacity(128)
        bytes.append(itemClass.rawValue)
        let table = itemClass.table
        for number in table.defaultMatchValues.indices {
            append(given(number) ?? table.defaultMatchValues[number])
            if number < table.wholePrimaryKeyCount { primaryKeyByteCount = bytes.count }
        }
    }

    /// The values of an item with these attributes; a name that the class does not have, or a value of the wrong kind,
    /// is an error.
    init(_ itemClass: ItemClass, _ attributes: CanonicalDictionary<ArchiveValue, ArchiveValue>) throws(Fault) {
        let table = itemClass.table
        var indices = InlineArray<16, Int>(repeating: -1)
        // Enough for all: an array that grows leaves a copy behind, which is not wiped.
        var greatestByteCount = 1
        for index in attributes.indices {
            let entry = attributes[index]
            guard case .string(let name) = entry.key, let attribute = table.attribute(name) else {
                throw Fault(.badValue)
            }
            if let number = attribute.matchNumber {
                indices[number] = index
                greatestByteCount += entry.value.string?.utf8.count ?? entry.value.data?.count ?? 0
            } else {
                try CanonicalValue.check(entry.value, kind: attribute.kind)
            }
        }
        // A size, and a number with its form.
        greatestByteCount += table.matchKinds.count * 13
        bytes = []
        bytes.reserveCapacity(greatestByteCount)
        bytes.append(itemClass.rawValue)
        for (number, kind) in table.matchKinds.enumerated() {
            if indices[number] < 0 {
                append(table.defaultMatchValues[number])
            } else {
                let start = bytes.count
                bytes.append(littleEndian: UInt32(0))
                try CanonicalValue.append(attributes[indices[number]].value, kind: kind, to: &bytes)
                let byteCount = UInt32(bytes.count - start - 4)
                for byte in 0..<4 { bytes[start + byte] = UInt8(truncatingIfNeeded: byteCount >> (8 * byte)) }
            }
            if number < table.wholePrimaryKeyCount { primaryKeyByteCount = bytes.count }
        }
    }

    private mutating func append(_ value: [UInt8]) {
        bytes.append(littleEndian: UInt32(value.count))
        bytes += value
    }

    /// The input of the primary key digest.
    var primaryKey: ArraySlice<UInt8> { bytes[..<primaryKeyByteCount] }

    /// The value with this number.
    subscript(number: Int) -> ArraySlice<UInt8> {
        var start = 1
        for _ in 0..<number { start += 4 + byteCount(at: start) }
        return bytes[start + 4..<start + 4 + byteCount(at: start)]
    }

    private func byteCount(at offset: Int) -> Int { Int(bytes.span.littleEndian(at: offset, as: UInt32.self)) }

    mutating func wipe() { bytes.wipe() }
}
