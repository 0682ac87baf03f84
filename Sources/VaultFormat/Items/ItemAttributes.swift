internal import CofferBasics
package import KeyedArchive
internal import VaultCrypto

/// Section 9: the attributes of an item, by Apple's four-letter names.
///
/// Group, protection class, data and `sha1` are not among them: other parts of the format hold those.
///
/// They are wiped when the last copy is released, except strings that are referenced elsewhere too.
package struct ItemAttributes: Sendable {
    private struct Content: Wipeable {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue>
        var matchValues: [[UInt8]]

        mutating func wipe() {
            values.wipeValues()
            for index in matchValues.indices { matchValues[index].wipe() }
        }
    }

    package let itemClass: ItemClass
    private let content: Wiped<Content>
    /// Whether the access control has conditions.
    let hasConditions: Bool

    /// The attributes in `values`; a name that the class does not have, or a value of the wrong kind, is an error.
    package init(
        _ itemClass: ItemClass,
        _ values: CanonicalDictionary<ArchiveValue, ArchiveValue>
    ) throws(Fault) {
        let table = itemClass.table
        var matchValues = table.defaultMatchValues
        var hasConditions = false
        for (name, value) in values {
            guard case .string(let name) = name, let attribute = table.attribute(name) else { throw .badValue }
            var canonical = try CanonicalValue.bytes(of: value, kind: attribute.kind)
            if let number = attribute.matchNumber { matchValues[number] = canonical } else { canonical.wipe() }
            if attribute.kind == .accessControl, let flags = value["flags"] { hasConditions = flags != .integer(0) }
        }
        self.itemClass = itemClass
        content = Wiped(Content(values: values, matchValues: matchValues))
        self.hasConditions = hasConditions
    }

    package var values: CanonicalDictionary<ArchiveValue, ArchiveValue> { content.value.values }

    /// The canonical values that take part in matching, in the order of ``AttributeTable``.
    var matchValues: [[UInt8]] { content.value.matchValues }

    /// The value of an attribute.
    package subscript(name: String) -> ArchiveValue? { values[.string(name)] }

    /// The canonical value of an attribute of this class.
    package func canonicalValue(_ name: String) throws(Fault) -> [UInt8] {
        guard let attribute = itemClass.table.attribute(name) else { throw .badValue }
        if let number = attribute.matchNumber { return matchValues[number] }
        return try CanonicalValue.bytes(of: self[name], kind: attribute.kind)
    }

    /// Whether an attribute of this class has this canonical value.
    package func hasCanonicalValue(_ expected: [UInt8], of name: String) -> Bool {
        guard var value = try? canonicalValue(name) else { return false }
        defer { value.wipe() }
        return value == expected
    }

    /// The canonical values of the two columns.
    package func columns() -> (first: [UInt8], second: [UInt8]) {
        let numbers = itemClass.table.columnNumbers
        return (matchValues[numbers[0]], matchValues[numbers[1]])
    }
}

extension ItemAttributes: Equatable {
    package static func == (one: ItemAttributes, other: ItemAttributes) -> Bool {
        one.itemClass == other.itemClass && one.values == other.values
    }
}

/// Section 9.3: the keyed digests by which an item is found while its attributes are sealed.
package struct MatchDigests: Equatable, Sendable {
    package static let attributeByteCount = 8

    /// The digest of the whole primary key.
    package var primaryKey: PrimaryKeyDigest
    /// The digests of the attributes in the class's own primary key.
    package var attributes: AttributeDigests

    package init(primaryKey: PrimaryKeyDigest, attributes: AttributeDigests) {
        self.primaryKey = primaryKey
        self.attributes = attributes
    }

    /// The digests of an item.
    package init(_ attributes: ItemAttributes, keys: MatchKeys) {
        let table = attributes.itemClass.table
        primaryKey = PrimaryKeyDigest(of: attributes, keys: keys)
        self.attributes = AttributeDigests()
        for (name, value) in zip(table.primaryKeyNames, attributes.matchValues) {
            self.attributes.append(Self.attribute(name.span, value, keys: keys))
        }
    }

    /// The digest of one attribute.
    package static func attribute(_ name: String, canonicalValue: [UInt8], keys: MatchKeys) -> UInt64 {
        attribute(Array(name.utf8).span, canonicalValue, keys: keys)
    }

    private static func attribute(_ name: Span<UInt8>, _ canonicalValue: [UInt8], keys: MatchKeys) -> UInt64 {
        var digest = InlineArray<16, UInt8>(repeating: 0)
        var span = digest.mutableSpan
        withSecretBytes(
            capacity: name.count + canonicalValue.count,
            writtenBy: { output in
                output.append(copying: name)
                output.append(copying: canonicalValue.span)
            }
        ) { joined in
            keys.digest.hash(into: &span, .attribute, joined)
        }
        return digest.span.littleEndian(at: 0)
    }
}

/// Section 9.3: the primary key, which identifies an item within its group and class.
package struct PrimaryKey: Sendable {
    let itemClass: ItemClass
    /// The canonical values of the attributes: the class's own, then those that all classes share.
    let values: ArraySlice<[UInt8]>

    /// The primary key of an item with these attributes.
    package init(of attributes: ItemAttributes) {
        itemClass = attributes.itemClass
        values = attributes.matchValues.prefix(itemClass.table.wholePrimaryKeyCount)
    }

    /// The primary key with these canonical values, all other attributes being absent.
    ///
    /// Returns nil if an attribute is named twice or is not part of the primary key.
    package init?(_ itemClass: ItemClass, _ attributes: [(name: String, canonicalValue: [UInt8])]) {
        let table = itemClass.table
        var values = table.defaultMatchValues
        var numbers: UInt64 = 0
        for attribute in attributes {
            guard let number = table.attribute(attribute.name)?.matchNumber, number < table.wholePrimaryKeyCount,
                numbers & 1 << number == 0
            else { return nil }
            numbers |= 1 << number
            values[number] = attribute.canonicalValue
        }
        self.itemClass = itemClass
        self.values = values.prefix(table.wholePrimaryKeyCount)
    }
}

extension PrimaryKeyDigest {
    /// The digest of the primary key of an item with `attributes`.
    package init(of attributes: ItemAttributes, keys: MatchKeys)
    where Kind == PrimaryKeyKind {
        self.init(of: PrimaryKey(of: attributes), keys: keys)
    }

    /// The digest of a primary key.
    package init(of key: PrimaryKey, keys: MatchKeys)
    where Kind == PrimaryKeyKind {
        var digest = InlineArray<16, UInt8>(repeating: 0)
        var span = digest.mutableSpan
        withSecretBytes(
            capacity: 1 + key.values.reduce(0) { $0 + 4 + $1.count },
            writtenBy: { output in
                output.append(key.itemClass.rawValue)
                for value in key.values {
                    output.append(littleEndian: UInt32(value.count))
                    output.append(copying: value.span)
                }
            }
        ) { joined in
            keys.digest.hash(into: &span, .primaryKey, joined)
        }
        self.init(digest.span)
    }
}
