internal import CofferBasics
internal import VaultCrypto

/// Section 8.8: what a merge has seen of a group.
package struct Seen: Equatable, Sendable {
    package var group: GroupEpoch
    /// The last place of each writer, in ascending order of the writers; the floor is that of no writer.
    package var origins: [Origin]
    package var tag: [UInt8]

    private var tagged: [UInt8] {
        var bytes = group.bytes
        bytes.append(littleEndian: UInt32(origins.count))
        bytes.append(addingCapacity: origins.count * Origin.byteCount) { output in
            for origin in origins { origin.append(to: &output) }
        }
        return bytes
    }

    var body: [UInt8] { tagged + tag }

    init(body reader: inout ByteReader) throws(Fault) {
        group = try GroupEpoch(from: &reader)
        origins = try reader.readSeenPlaces(try reader.readCount()).origins
        tag = try reader.readBytes(32)
    }

    /// A record with a tag made with the group's match keys.
    package init(_ origins: [Origin], group: GroupEpoch, keys: MatchKeys) {
        self.group = group
        self.origins = origins
        tag = []
        tag = expectedTag(keys)
    }

    /// Whether the record was made with the group's match key.
    package func isAuthentic(keys: MatchKeys) -> Bool { areEqual(expectedTag(keys).span, tag.span) }

    private func expectedTag(_ keys: MatchKeys) -> [UInt8] {
        keys.delete.hash(32, .seen, keys.cipher.vault.bytes + tagged)
    }
}
