internal import CofferBasics
internal import VaultCrypto

/// Section 8.5: the end of a revision of an item.
package struct Delete: Equatable, Sendable {
    /// The revision that ends.
    package var revision: Revision
    package var group: GroupEpoch
    package var tag: [UInt8]

    private var tagged: [UInt8] { revision.bytes + group.bytes + [0, 0, 0, 0] }

    var body: [UInt8] { tagged + tag }

    init(body reader: inout ByteReader) throws(Fault) {
        revision = try Revision(from: &reader)
        group = try GroupEpoch(from: &reader)
        try reader.readZeros(4)
        tag = try reader.readBytes(32)
    }

    /// A delete of `ended` with a tag made with the group's match keys.
    package init(ending ended: Revision, group: GroupEpoch, keys: MatchKeys) {
        revision = ended
        self.group = group
        tag = []
        tag = expectedTag(keys)
    }

    /// Whether the delete was made with the group's match key.
    package func isAuthentic(keys: MatchKeys) -> Bool {
        areEqual(expectedTag(keys).span, tag.span)
    }

    private func expectedTag(_ keys: MatchKeys) -> [UInt8] {
        keys.delete.hash(32, .delete, keys.cipher.vault.bytes + tagged)
    }
}
