internal import VaultFormat
internal import VaultStore

// Items that were changed in several copies of a vault, or added with one primary key.
extension Keychain {
    /// Returns the items with conflicts: those that were changed in several copies of the vault before these were merged,
    /// or added with one primary key.
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
    /// - Returns: What is known about each, with the current revision first, the oldest item first; see
    ///   ``ItemHistory/conflicts``.
    /// - Throws: ``KeychainError`` if the vault cannot be read.
    public func conflicts<Item: KeychainItem>(
        _ type: Item.Type = Item.self
    ) throws(KeychainError) -> [ItemHistory<Item>] {
        try conflicts(Item.self, in: nil)
    }

    /// Returns the items with conflicts; in a vault that has, or ever had, a grant, those of this group.
    package func conflicts<Item: KeychainItem>(
        _ type: Item.Type,
        in group: String?
    ) throws(KeychainError) -> [ItemHistory<Item>] {
        try calls.announce(.readHistory) { [:] }
        let conditions = group.map { [ItemCondition<Item>.group($0)] } ?? []
        let all = try groups.search(Query(Item.itemClass), for: .find)
        let own = try groups.search(ItemTarget(conditions).query(), for: .find)
        return try readIfAny { (vault, authentication) in
            // An item that was planted under the id of another one is no change to that.
            let isPerGroup = vault.hasHadGrants
            let groups = try (isPerGroup ? own : all).groupIDs(in: vault)
            var found: [ItemHistory<Item>] = []
            for groups in isPerGroup ? groups.map({ [$0] }) : [groups] {
                for (item, lost) in try vault.contestedItems(of: own.filter.itemClass, in: groups) {
                    found.append(try ItemHistory(item, lost: lost, in: &vault, authentication))
                }
            }
            return found
        } ?? []
    }

    /// Ends a conflict: keeps the current revision or one that lost, and the others become past.
    ///
    /// Other items with the primary key of the kept one are deleted.
    ///
    /// - Parameter kept: The current revision, or one of ``ItemHistory/conflicts``.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/noSuchRevision`` if the revision is no longer one of these, or an error of
    ///   ``restore(_:ifRevision:)``.
    @discardableResult
    public func resolveConflict<Item: KeychainItem>(
        keeping kept: PastItem<Item>
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.restore, kept.reference) { try $0.resolveConflict(keeping: kept) }
    }
}

extension OpenGeneration {
    /// Returns the items of a class with several live revisions or with versions that lost, oldest first: the revisions
    /// of each, newest first, and those of its versions.
    fileprivate mutating func contestedItems(
        of itemClass: ItemClass,
        in groups: [GroupID]
    ) throws -> [(item: [PastRevision], lost: [PastRevision])] {
        var revisions: [ItemID: [PastRevision]] = [:]
        var losers: [ItemName: [ItemName]] = [:]
        var lost: Set<ItemName> = []
        for group in groups {
            for revision in try knownRevisions(in: group) where revision.itemClass == itemClass {
                revisions[revision.name.item, default: []].append(revision)
            }
            for versions in try versions(in: items(in: group)) {
                losers[versions[0].name] = versions.dropFirst().map(\.name)
                lost.formUnion(versions.dropFirst().map(\.name))
            }
        }
        var found: [(item: [PastRevision], lost: [PastRevision])] = []
        for item in revisions.values.map({ $0.sorted { $0.isNewer(than: $1) } }) where !lost.contains(item[0].name) {
            let versions = item[0].ended == nil ? losers[item[0].name] ?? [] : []
            guard !versions.isEmpty || item.count(where: { $0.ended == nil }) > 1 else { continue }
            let others = versions.flatMap { name in
                (revisions[name.item] ?? []).filter { $0.name == name }.sorted { $0.isNewer(than: $1) }
            }
            found.append((item, others))
        }
        return found.sorted { ($0.item[0].order, $0.item[0].name.item) < ($1.item[0].order, $1.item[0].name.item) }
    }
}
