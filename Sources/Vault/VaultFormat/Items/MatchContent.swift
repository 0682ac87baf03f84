internal import CofferBasics

/// Section 8.2: the content of a match box, by which an item is found.
package struct MatchContent: Equatable, Sendable {
    static let byteCount = 136

    package var itemClass: ItemClass
    package var flags: MatchFlags
    package var order: UInt64
    package var digests: MatchDigests
    /// The hash of the rest of the record, so that no part of it can be removed or exchanged unnoticed.
    package var recordHash: [UInt8]

    package init(
        itemClass: ItemClass,
        flags: MatchFlags,
        order: UInt64,
        digests: MatchDigests,
        recordHash: [UInt8]
    ) {
        self.itemClass = itemClass
        self.flags = flags
        self.order = order
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
        digests.primaryKey.append(to: &output)
        for digest in digests.attributes { output.append(littleEndian: digest) }
        output.append(zeroByteCount: end - recordHash.count - output.count)
        output.append(copying: recordHash.span)
    }

    package init(parsing bytes: [UInt8]) throws(LocatedFault) {
        try self.init(parsing: ByteReader(bytes))
    }

    init(parsing reader: consuming ByteReader) throws(LocatedFault) {
        guard reader.remainingByteCount == Self.byteCount else { throw LocatedFault(.badLength, at: 0) }
        (itemClass, flags) = try reader.readClassAndFlags()
        try reader.readZeros(6)
        order = try reader.read()
        digests = try reader.readDigests(of: itemClass)
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

    static let known: MatchFlags = [.synchronizable, .extendedKey, .tombstone, .hasConditions]
    static let knownInEntry: MatchFlags = known.union(.contested)

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
    mutating func readClassAndFlags(known: MatchFlags = .known) throws(LocatedFault) -> (ItemClass, MatchFlags) {
        let start = offset
        guard let itemClass = ItemClass(rawValue: try read(UInt8.self)) else {
            throw LocatedFault(.badValue, at: start)
        }
        return (itemClass, try readFlags(known: known))
    }

    mutating func readFlags(known: MatchFlags) throws(LocatedFault) -> MatchFlags {
        let start = offset
        let flags = MatchFlags(rawValue: try read(UInt8.self))
        guard known.isSuperset(of: flags) else { throw LocatedFault(.reservedNotZero, at: start) }
        return flags
    }

    mutating func readDigests(of itemClass: ItemClass) throws(LocatedFault) -> MatchDigests {
        let primaryKey: PrimaryKeyDigest = try readIdentifier()
        return MatchDigests(primaryKey: primaryKey, attributes: try readAttributeDigests(of: itemClass))
    }

    mutating func readAttributeDigests(of itemClass: ItemClass) throws(LocatedFault) -> AttributeDigests {
        var digests = AttributeDigests()
        for _ in 0..<itemClass.primaryKeyCount { digests.append(try read()) }
        return digests
    }
}
