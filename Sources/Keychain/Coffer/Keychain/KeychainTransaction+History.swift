internal import VaultFormat
internal import VaultStore

extension KeychainTransaction {
    /// Returns the known revisions of an item, even if it is deleted.
    public mutating func history<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> ItemHistory<Item> {
        try read(.readHistory, ItemTarget(reference)) { try $0.history(Item.self, in: &$1, $2) }
    }

    /// Returns the last revisions of deleted items, as far as they are kept.
    package mutating func deletedItems<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> [PastItem<Item>] {
        try read(.readHistory, ItemTarget(conditions)) { try $0.deletedItems(in: &$1, $2) }
    }

    /// Lends `body` the secret that an item had, in memory that is wiped afterwards; nil if it had none.
    package mutating func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of past: PastItem<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try keychain.check(past, to: calls)
        return try read { try $1.checkedSecret(of: past.past, in: &$0) }.lent(to: body)
    }

    /// Restores a past revision of an item, including secret, group and protection, even if the item was deleted.
    @discardableResult
    public mutating func restore<Item: KeychainItem>(
        _ past: PastItem<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore, ItemTarget(past.reference))
        return try restoreRevision(past, expected)
    }

    private mutating func restoreRevision<Item: KeychainItem>(
        _ past: PastItem<Item>,
        _ expected: ItemRevision?
    ) throws(KeychainError) -> Stored<Item> {
        try keychain.groups.check(past.accessGroup, for: .update)
        try undoingIfItFails { transaction in
            let current = try transaction.transaction.vault.currentItem(past.past.name)
            if let expected {
                guard let current else { throw KeychainError.itemNotFound }
                guard expected == ItemRevision(current.revision) else { throw KeychainError.revisionDiffers }
            }
            try transaction.restore(past.past, over: current)
        }
        return try written(past.reference)
    }

    /// Undoes the last change to an item, or its deletion, by restoring the revision before it.
    @discardableResult
    public mutating func undo<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore, ItemTarget(reference))
        let history = try known(of: reference)
        guard let newest = history.revisions.first else { throw .noSuchRevision }
        // Not one that another copy of the vault had at the same time.
        let before = history.revisions.first { past in
            past.ended != nil && (history.isDeleted || past.revision.number < newest.revision.number)
        }
        guard let before else { throw .noSuchRevision }
        // A revision in between cannot be restored if it is no longer kept, or in a group that the program may not use.
        let isNext = newest.past.isNext(after: before.past, since: transaction.vault.historySince)
        guard history.isDeleted || isNext else { throw .noSuchRevision }
        return try restoreRevision(before, expected)
    }

    /// Ends a conflict: keeps the current revision or one that lost, and the others become past.
    @discardableResult
    public mutating func resolveConflict<Item: KeychainItem>(
        keeping kept: PastItem<Item>
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore, ItemTarget(kept.reference))
        let live = try known(of: kept.reference).revisions.filter { $0.ended == nil }
        guard live.contains(where: { $0.revision == kept.revision }) else { throw .noSuchRevision }
        for revision in live { try keychain.groups.check(revision.accessGroup, for: .update) }
        try undoingIfItFails { transaction in
            let current = try transaction.transaction.vault.currentItem(kept.past.name)
            if let current {
                for version in try transaction.transaction.vault.versions(of: current)
                where version.name != current.name { try transaction.transaction.delete(version) }
            }
            let isCurrent = current.map { ItemRevision($0.revision) == kept.revision } ?? false
            if !isCurrent { try transaction.restore(kept.past, over: current) }
            for revision in live where !isCurrent || revision.revision != kept.revision {
                try transaction.transaction.end(revision.past)
            }
        }
        return try written(kept.reference)
    }

    private mutating func known<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> ItemHistory<Item> {
        let search = try keychain.groups.search(ItemTarget(reference).query(returning: .attributes), for: .find)
        return try read { try search.history(Item.self, in: &$0, $1) }
    }

    /// Writes a past revision over the current item, which may be in another group.
    private mutating func restore(_ past: PastRevision, over current: StoredItem?) throws {
        let old = try KeychainError.ofPast { try transaction.vault.attributes(of: past) }
        try authentication.check(past, old, forData: true, in: &transaction.vault)
        let sealed = try KeychainError.ofPast { try transaction.vault.sealedSecret(of: past, old) }
        let passwords = try authentication.passwords(replacing: sealed, for: past.hasData ? old : nil)
        let latest = current.flatMap { try? transaction.vault.attributes(of: $0) } ?? old
        let attributes = try changed(old, ItemChanges(), after: latest)
        if let current {
            let isMoving = current.name.group != past.name.group
            try transaction.checkLeavesNoVersion(current, for: isMoving ? nil : attributes)
        }
        guard let current, current.name.group != past.name.group else {
            return try KeychainError.ofPast {
                try transaction.restore(past, attributes: attributes, passwords: passwords)
            }
        }
        let names = transaction.vault.opening.keyring.groupNames
        try keychain.groups.check(String(decoding: names[current.group] ?? [], as: UTF8.self), for: .update)
        let name = names[past.group] ?? []
        let entry = transaction.vault.opening.keyring.dataKeyEntries[past.dataKey]
        let protection = entry?.protection ?? current.protection
        let owner = transaction.vault.owner(for: protection)
        try KeychainError.ofPast {
            guard let secret = try authentication.secret(of: past, in: &transaction.vault) else {
                return try transaction.move(
                    current,
                    to: name,
                    attributes: attributes,
                    secret: .remove,
                    protection: protection,
                    owner: owner,
                    passwords: passwords
                )
            }
            try secret.withBytes { (bytes) in
                try transaction.move(
                    current,
                    to: name,
                    attributes: attributes,
                    secret: .replace(bytes),
                    protection: protection,
                    owner: owner,
                    passwords: passwords
                )
            }
        }
    }
}
