package import KeyedArchive

/// Section 9: the attributes of an item, by Apple's four-letter names.
///
/// Group, protection, data and `sha1` are not among them: other parts of the format say those.
package struct ItemAttributes: Equatable, Sendable {
    package let itemClass: ItemClass
    package let values: CanonicalDictionary<ArchiveValue, ArchiveValue>

    /// The attributes in `values`; a name that the class lacks, or a value of another kind, is an error.
    package init(
        _ itemClass: ItemClass,
        _ values: CanonicalDictionary<ArchiveValue, ArchiveValue>
    ) throws(Fault) {
        let kinds = itemClass.attributes
        for (name, value) in values {
            guard case .string(let name) = name, let kind = kinds[name] else { throw .badValue }
            _ = try CanonicalValue.bytes(of: value, kind: kind)
        }
        self.itemClass = itemClass
        self.values = values
    }

    /// The value of an attribute.
    package subscript(name: String) -> ArchiveValue? { values[.string(name)] }

    /// The canonical value of an attribute of this class.
    package func canonicalValue(_ name: String) throws(Fault) -> [UInt8] {
        guard let kind = itemClass.attributes[name] else { throw .badValue }
        return try CanonicalValue.bytes(of: self[name], kind: kind)
    }

    /// The two attributes that stand beside the archive.
    func columns() throws(Fault) -> (first: [UInt8], second: [UInt8]) {
        let names = itemClass.columns
        return (try canonicalValue(names[0]), try canonicalValue(names[1]))
    }
}

/// Section 9.3: the keyed digests by which an item is found while its attributes are sealed.
package struct MatchDigests: Equatable, Sendable {
    package static let attributeByteCount = 8

    /// Of the whole primary key.
    package var primaryKey: PrimaryKeyDigest
    /// Of each attribute of the primary key that its class does not share with all.
    package var attributes: AttributeDigests

    package init(primaryKey: PrimaryKeyDigest, attributes: AttributeDigests) {
        self.primaryKey = primaryKey
        self.attributes = attributes
    }

    /// The digests of an item.
    package init<Suite: CipherSuite>(
        _ attributes: ItemAttributes,
        keys: MatchKeys<Suite>,
        suite: Suite
    ) throws(Fault) {
        let itemClass = attributes.itemClass
        var joined = [itemClass.rawValue]
        self.attributes = AttributeDigests()
        for name in itemClass.primaryKey + ItemClass.sharedPrimaryKey {
            let value = try attributes.canonicalValue(name)
            joined.append(littleEndian: UInt32(value.count))
            joined += value
            guard self.attributes.count < itemClass.primaryKey.count else { continue }
            self.attributes.append(Self.attribute(name, canonicalValue: value, keys: keys, suite: suite))
        }
        let digest = suite.hash(PrimaryKeyDigest.byteCount, key: keys.digest, label: .primaryKey, joined)
        primaryKey = PrimaryKeyDigest(digest.span)
    }

    /// The digest of one attribute.
    package static func attribute<Suite: CipherSuite>(
        _ name: String,
        canonicalValue: [UInt8],
        keys: MatchKeys<Suite>,
        suite: Suite
    ) -> UInt64 {
        let digest = suite.hash(16, key: keys.digest, label: .attribute, Array(name.utf8) + canonicalValue)
        return digest.span.littleEndian(at: 0)
    }
}
