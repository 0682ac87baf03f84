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
        var matchValues: MatchValues

        mutating func wipe() {
            values.wipeValues()
            matchValues.wipe()
        }
    }

    package let itemClass: ItemClass
    private let content: Wiped<Content>
    /// The access control, if the item has one.
    package let accessControl: AccessControlEntry?

    /// The attributes in `values`; a name that the class does not have, or a value of the wrong kind, is an error.
    package init(
        _ itemClass: ItemClass,
        _ values: CanonicalDictionary<ArchiveValue, ArchiveValue>
    ) throws(Fault) {
        self.itemClass = itemClass
        content = Wiped(Content(values: values, matchValues: try MatchValues(itemClass, values)))
        accessControl = values["accc"].flatMap { AccessControlEntry($0) }
    }

    /// Whether the access control has conditions.
    var hasConditions: Bool { accessControl.map { $0.flags != 0 } ?? false }

    package var values: CanonicalDictionary<ArchiveValue, ArchiveValue> { content.value.values }

    /// The canonical values that take part in matching.
    var matchValues: MatchValues { content.value.matchValues }

    /// About how much memory the attributes take, with their place in a cache.
    package var memoryByteCount: Int {
        var sum = 768 + 96 * values.count
        for index in values.indices {
            // Long texts and data are in memory of their own, and once more among the match values.
            let value = values[index].value
            let byteCount = value.string?.utf8.count ?? value.data?.count ?? 0
            sum += byteCount > 15 ? 64 + 2 * byteCount : byteCount
        }
        return sum
    }

    /// The value of an attribute.
    package subscript(name: String) -> ArchiveValue? { values[.string(name)] }

    /// The canonical value of an attribute of this class.
    package func canonicalValue(_ name: String) throws(Fault) -> [UInt8] {
        guard let attribute = itemClass.table.attribute(name) else { throw Fault(.badValue) }
        if let number = attribute.matchNumber { return Array(matchValues[number]) }
        return try CanonicalValue.bytes(of: self[name], kind: attribute.kind)
    }

    /// Whether an attribute of this class has this canonical value.
    package func hasCanonicalValue(_ expected: [UInt8], of name: String) -> Bool {
        guard var value = try? canonicalValue(name) else { return false }
        defer { value.wipe() }
        return value == expected
    }

    /// The canonical values of the two columns.
    package func columns() -> (first: ArraySlice<UInt8>, second: ArraySlice<UInt8>) {
        let numbers = itemClass.table.columnNumbers
        return (matchValues[numbers[0]], matchValues[numbers[1]])
    }
}

extension ItemAttributes {
    /// Whether the attributes are the same, apart from those with these names.
    package func areSame(as other: ItemAttributes, except names: [String]) -> Bool {
        var (one, two) = (values, other.values)
        for name in names { (one[.string(name)], two[.string(name)]) = (nil, nil) }
        return itemClass == other.itemClass && one == two
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
        self.attributes = AttributeDigests()
        for (number, name) in table.primaryKeyNames.enumerated() {
            self.attributes.append(Self.attribute(name.span, attributes.matchValues[number].span, keys: keys))
        }
        let leading = self.attributes[attributes.itemClass.leadingAttribute]
        primaryKey = PrimaryKeyDigest(leading: leading, attributes.matchValues, keys: keys)
    }

    /// Appends the digests of the attributes, except that of the leading one, with which the primary key's begins.
    func appendAttributes(of itemClass: ItemClass, to output: inout OutputSpan<UInt8>) {
        for (number, digest) in attributes.enumerated() where number != itemClass.leadingAttribute {
            output.append(littleEndian: digest)
        }
    }

    /// The digest of one attribute.
    package static func attribute(_ name: String, canonicalValue: [UInt8], keys: MatchKeys) -> UInt64 {
        attribute(Array(name.utf8).span, canonicalValue.span, keys: keys)
    }

    fileprivate static func attribute(
        _ name: Span<UInt8>,
        _ canonicalValue: Span<UInt8>,
        keys: MatchKeys
    ) -> UInt64 {
        withTemporarySecret(
            capacity: name.count + canonicalValue.count,
            writtenBy: { output in
                output.append(copying: name)
                output.append(copying: canonicalValue)
            }
        ) { joined in
            keys.digest.shortHash(.second, joined).span.littleEndian(at: 0)
        }
    }
}

/// Section 9.3: the primary key, which identifies an item within its group and class.
package struct PrimaryKey: Sendable {
    fileprivate let itemClass: ItemClass
    fileprivate let values: MatchValues

    /// The primary key of an item with these attributes.
    package init(of attributes: ItemAttributes) {
        (itemClass, values) = (attributes.itemClass, attributes.matchValues)
    }

    /// The primary key with the canonical values that `given` returns for their numbers, and defaults for all others.
    package init(_ itemClass: ItemClass, given: (Int) -> [UInt8]?) {
        self.itemClass = itemClass
        values = MatchValues(itemClass, given: given)
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
        let number = key.itemClass.leadingAttribute
        let name = key.itemClass.table.primaryKeyNames[number]
        let value = key.values[number]
        let leading = MatchDigests.attribute(name.span, value.span, keys: keys)
        self.init(leading: leading, key.values, keys: keys)
    }

    /// The digest of a primary key, whose leading attribute has the digest `leading`.
    fileprivate init(leading: UInt64, _ values: MatchValues, keys: MatchKeys)
    where Kind == PrimaryKeyKind {
        let input = values.primaryKey
        let whole = keys.digest.shortHash(.first, input.span)
        self.init(leading: leading, last: whole.span.littleEndian(at: 0))
    }

    /// The digest of these halves.
    init(leading: UInt64, last: UInt64)
    where Kind == PrimaryKeyKind {
        let bytes = InlineArray<16, UInt8> { output in
            output.append(littleEndian: leading)
            output.append(littleEndian: last)
        }
        self.init(bytes.span)
    }

    /// The digest of the leading attribute.
    package var leading: UInt64 { prefix.byteSwapped }
}
