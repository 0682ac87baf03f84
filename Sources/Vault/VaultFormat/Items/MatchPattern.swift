import CofferBasics

/// Section 9.3: a class, and values that attributes of its primary key must have, as digests.
package struct MatchPattern: Sendable {
    private let itemClass: ItemClass
    private let digests: [(number: Int, digest: UInt64)]

    /// A pattern of canonical values of attributes; nil if one of them is not in the primary key of the class.
    package init?(_ itemClass: ItemClass, having values: [(name: String, canonicalValue: [UInt8])], keys: MatchKeys) {
        self.itemClass = itemClass
        var digests: [(number: Int, digest: UInt64)] = []
        for (name, value) in values {
            guard let number = itemClass.primaryKey.firstIndex(of: name) else { return nil }
            digests.append((number, MatchDigests.attribute(name, canonicalValue: value, keys: keys)))
        }
        self.digests = digests
    }

    /// The digest of the leading attribute, with which those of all matching items begin; nil if it may be any.
    package var leading: UInt64? { digests.first { $0.number == itemClass.leadingAttribute }?.digest }

    /// Whether an item matches.
    package func matches(_ itemClass: ItemClass, _ known: MatchDigests) -> Bool {
        itemClass == self.itemClass && digests.allSatisfy { known.attributes[$0.number] == $0.digest }
    }

    /// Whether the item of an encoded entry matches.
    func matches(_ entry: Span<UInt8>) -> Bool {
        guard entry[MatchEntry.classOffset] == itemClass.rawValue else { return false }
        return digests.allSatisfy { number, digest in
            entry.littleEndian(at: MatchEntry.offset(ofDigest: number, of: itemClass)) == digest
        }
    }
}
