internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// Items that were changed in several copies of a vault.
extension Keychain {
    /// Returns the items with conflicts: those that were changed in several copies of the vault before these were merged.
    ///
    /// Searches and lookups see the winner of each only.
    ///
    /// ```swift
    /// for history in try keychain.conflicts(GenericPassword.self) {
    ///     guard let winner = history.revisions.first else { continue }
    ///     try keychain.resolveConflict(keeping: winner)
    /// }
    /// ```
    ///
    /// - Parameter type: The type of the items.
    /// - Returns: What is known about each, with the current revision first; see ``ItemHistory/conflicts``.
    /// - Throws: ``KeychainError`` if the vault cannot be read.
    public func conflicts<Item: KeychainItem>(
        _ type: Item.Type = Item.self
    ) throws(KeychainError) -> [ItemHistory<Item>] {
        try conflicts(Item.self, in: nil)
    }

    /// Returns the items that were changed in several copies of the vault; in a vault that has, or ever had, a grant,
    /// those of this group.
    package func conflicts<Item: KeychainItem>(
        _ type: Item.Type,
        in group: String?
    ) throws(KeychainError) -> [ItemHistory<Item>] {
        try calls.announce(.readHistory) { [:] }
        let all = try typedSearch([ItemCondition<Item>]())
        let own = try typedSearch(group.map { [ItemCondition<Item>.group($0)] } ?? [])
        let found = try readIfAny { (vault, _) throws(KeychainError) -> [KeychainReference<Item>] in
            let isPerGroup = vault.hasHadGrants
            let groups = try (isPerGroup ? own : all).groupIDs(in: vault)
            // An item that was planted under the id of another one is no change to that.
            return try translating(KeychainError.init) { () throws(StoreError) in
                var references: [KeychainReference<Item>] = []
                for groups in isPerGroup ? groups.map({ [$0] }) : [groups] {
                    let name = isPerGroup ? vault.groupNames[groups[0]] : nil
                    let items = try vault.contestedItems(of: own.filter.itemClass, in: groups)
                    references += items.map { item in
                        KeychainReference(item, in: name.map { String(decoding: $0, as: UTF8.self) })
                    }
                }
                return references
            }
        }
        var histories: [ItemHistory<Item>] = []
        for reference in found ?? [] { histories.append(try history(of: reference)) }
        return histories
    }

    /// Ends a conflict: the item gets the content of one of its live revisions, and the others become past.
    ///
    /// - Parameter kept: The current revision, or one of ``ItemHistory/conflicts``.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/noSuchRevision`` if the revision is no longer one of these, or an error of
    ///   ``restore(_:ifRevision:)``.
    @discardableResult
    public func resolveConflict<Item: KeychainItem>(
        keeping kept: PastItem<Item>
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore) { kept.reference.request }
        return try changeItems { (transaction) throws(KeychainError) in
            try transaction.resolveConflict(keeping: kept)
        }
    }
}

extension OpenGeneration {
    /// Returns the items of a class with several live revisions, in the order of their ids.
    fileprivate mutating func contestedItems(
        of itemClass: ItemClass,
        in groups: [GroupID]
    ) throws(StoreError) -> [ItemID] {
        var counts: [ItemID: Int] = [:]
        for group in groups {
            for revision in try liveRevisions(in: group) where revision.itemClass == itemClass {
                if keyring.presence(of: revision.dataKey) != .otherDevice {
                    counts[revision.name.item, default: 0] += 1
                }
            }
        }
        return counts.filter { $0.value > 1 }.keys.sorted()
    }
}
