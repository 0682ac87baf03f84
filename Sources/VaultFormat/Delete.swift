/// Section 8.5: the end of an item.
package struct Delete: Equatable, Sendable {
    package var revision: Revision
    package var group: GroupEpoch
    package var tag: [UInt8]

    private var tagged: [UInt8] { revision.bytes + group.bytes + [0, 0, 0, 0] }

    var body: [UInt8] { tagged + tag }

    init(body reader: inout ByteReader) throws(LocatedFault) {
        revision = try Revision(from: &reader)
        group = try GroupEpoch(from: &reader)
        try reader.readZeros(4)
        tag = try reader.readBytes(32)
    }

    /// A delete that who has the group's match keys believes.
    package init<Suite: CipherSuite>(
        revision: Revision,
        group: GroupEpoch,
        keys: MatchKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) {
        self.revision = revision
        self.group = group
        tag = []
        tag = suite.hash(32, key: keys.delete, label: .delete, vault.bytes + tagged)
    }

    /// Whether the delete was made with the group's match key.
    package func isAuthentic<Suite: CipherSuite>(keys: MatchKeys<Suite>, vault: VaultID, suite: Suite) -> Bool {
        let expected = suite.hash(32, key: keys.delete, label: .delete, vault.bytes + tagged)
        return suite.areEqual(expected.span, tag.span)
    }
}
