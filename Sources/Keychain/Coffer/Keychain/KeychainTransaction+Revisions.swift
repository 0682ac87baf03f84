package import CofferBasics
internal import VaultFormat
internal import VaultStore

/// An item as another vault had it, with its past.
package struct ItemRevisions<Item: KeychainItem> {
    /// One of its revisions.
    package struct Revision {
        let item: Item
        let secret: HeldSecret?
        let created: KeychainDate?
        let modified: KeychainDate?
        let written: KeychainDate?

        /// Creates a revision; one without dates is as new as the transaction that adds it.
        package init(
            _ item: Item,
            secret: HeldSecret?,
            created: KeychainDate?,
            modified: KeychainDate?,
            written: KeychainDate?
        ) {
            (self.item, self.secret) = (item, secret)
            (self.created, self.modified, self.written) = (created, modified, written)
        }
    }

    /// The live revisions: the current one, then its conflicts; empty if the item was deleted.
    package var live: [Revision]
    /// The past revisions, oldest first.
    package var past: [Revision]

    /// Creates an item that has at least one revision.
    package init(live: [Revision], past: [Revision]) {
        (self.live, self.past) = (live, past)
    }
}

extension KeychainTransaction {
    /// Adds an item with its past, its dates and its conflicts, as another vault had it.
    ///
    /// Its past ended at the time of the transaction, and a deleted item was deleted then.
    package mutating func add<Item: KeychainItem>(_ item: ItemRevisions<Item>) throws(KeychainError) {
        guard let last = item.live.first ?? item.past.last else { return }
        try calls.announce(.add, carriesSecret: last.secret != nil) { last.item.request }
        // The same numbers as after a merge: those of the past lead up to the current one without a gap.
        let greatest = UInt64(max(item.past.count, item.live.count - 1))
        try undoingIfItFails { transaction in
            var added: ForeignItem?
            for (index, revision) in item.live.enumerated() {
                let standing: RevisionStanding = index == 0 ? .current : .conflict
                try transaction.add(revision, greatest + 1 - UInt64(index), of: &added, as: standing)
            }
            for (age, revision) in item.past.reversed().enumerated() {
                try transaction.add(revision, greatest - UInt64(age), of: &added, as: .past)
            }
        }
    }

    private mutating func add<Item: KeychainItem>(
        _ revision: ItemRevisions<Item>.Revision,
        _ number: UInt64,
        of item: inout ForeignItem?,
        as standing: RevisionStanding
    ) throws {
        let modified = revision.modified?.secondsSinceReferenceDate ?? keychain.now
        let created = revision.created?.secondsSinceReferenceDate ?? modified
        let addition = try keychain.groups.addition(revision.item.query(), at: modified, created: created)
        let written = revision.written?.time
        guard let secret = revision.secret else {
            return try add(addition, nil, number, of: &item, as: standing, written)
        }
        try secret.withSpan { try add(addition, $0, number, of: &item, as: standing, written) }
    }

    private mutating func add(
        _ addition: Addition,
        _ secret: Span<UInt8>?,
        _ number: UInt64,
        of item: inout ForeignItem?,
        as standing: RevisionStanding,
        _ written: Time?
    ) throws {
        let protection = addition.accessibility.protection
        try transaction.addRevision(
            number,
            of: &item,
            as: standing,
            written: written,
            addition.attributes,
            secret: secret,
            group: Array(addition.group.utf8),
            protection: protection,
            owner: transaction.vault.owner(for: protection),
            password: secret == nil ? nil : authentication.password(for: addition.attributes)
        )
    }
}
