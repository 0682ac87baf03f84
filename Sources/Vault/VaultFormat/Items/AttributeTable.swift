/// The attributes of a class, with names as numbers, for going through many items quickly.
package final class AttributeTable: Sendable {
    /// One attribute.
    package struct Attribute: Sendable {
        package let kind: AttributeKind
        /// The index of its value among the match values, or nil if it takes no part in matching.
        package let matchNumber: Int?
    }

    /// The name of the attribute that marks an item as deleted.
    private static let tombstone = "tomb"

    private let attributes: [UInt32: Attribute]
    /// The match values of an item without attributes: the canonical values of the class's own primary key, of the part
    /// that all primary keys share and of the deletion mark, in this order.
    let defaultMatchValues: [[UInt8]]
    /// The kinds of the match values.
    let matchKinds: [AttributeKind]
    /// The number of match values in the class's own primary key.
    package let primaryKeyCount: Int
    /// The number of match values in the whole primary key.
    let wholePrimaryKeyCount: Int
    let columnNumbers: [Int]
    /// The names of the class's own primary key, as bytes.
    let primaryKeyNames: [[UInt8]]
    package let synchronizableNumber: Int
    /// The indices of `vwht`, `tkid`, `musr` and `ggrp`.
    let extendedNumbers: Range<Int>
    let tombstoneNumber: Int

    init(_ itemClass: ItemClass) {
        let names = itemClass.primaryKey + ItemClass.sharedPrimaryKey + [Self.tombstone]
        let kinds = itemClass.attributes
        var attributes: [UInt32: Attribute] = [:]
        for (name, kind) in kinds {
            guard let code = Self.code(name) else { preconditionFailure("attribute names have four letters") }
            attributes[code] = Attribute(kind: kind, matchNumber: names.firstIndex(of: name))
        }
        self.attributes = attributes
        defaultMatchValues = names.map { name in
            kinds[name].flatMap { try? CanonicalValue.bytes(of: nil, kind: $0) } ?? []
        }
        matchKinds = names.compactMap { kinds[$0] }
        primaryKeyCount = itemClass.primaryKey.count
        wholePrimaryKeyCount = names.count - 1
        columnNumbers = itemClass.columns.compactMap(names.firstIndex(of:))
        primaryKeyNames = itemClass.primaryKey.map { Array($0.utf8) }
        synchronizableNumber = primaryKeyCount
        extendedNumbers = primaryKeyCount + 1..<wholePrimaryKeyCount
        tombstoneNumber = wholePrimaryKeyCount
    }

    /// The attribute with this name, or nil if the class does not have it.
    package func attribute(_ name: String) -> Attribute? {
        Self.code(name).flatMap { attributes[$0] }
    }

    /// The four letters of a name as a number.
    private static func code(_ name: String) -> UInt32? {
        var code: UInt32 = 0
        var count = 0
        for byte in name.utf8 {
            guard count < 4 else { return nil }
            code = code << 8 | UInt32(byte)
            count += 1
        }
        return count == 4 ? code : nil
    }
}

extension ItemClass {
    private static let tables = allCases.map(AttributeTable.init)

    /// The table of the attributes of the class.
    package var table: AttributeTable { Self.tables[Int(rawValue) - 1] }
}
