internal import VaultFormat
internal import VaultStore

// Items that were changed in several copies of a vault, or added with one primary key.
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
        let found = try readConflicts(Item.self, in: group) { (groups, itemClass, vault, _) in
            // An item that was planted under the id of another one is no change to that.
            let name = vault.hasHadGrants ? vault.groupNames[groups[0]] : nil
            return try vault.contestedItems(of: itemClass, in: groups).map { item in
                KeychainReference<Item>(item, in: name.map { String(decoding: $0, as: UTF8.self) })
            }
        }
        var histories: [ItemHistory<Item>] = []
        for reference in found { histories.append(try history(of: reference)) }
        return histories
    }

    /// Returns the versions of the items that were changed in several copies of the vault, or that share a primary key,
    /// since several copies added them.
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - group: The group, in a vault that has, or ever had, a grant.
    /// - Returns: For each primary key the live revisions, first the one that lookups take.
    /// - Throws: ``KeychainError`` if the vault cannot be read.
    package func conflictVersions<Item: KeychainItem>(
        _ type: Item.Type,
        in group: String?
    ) throws(KeychainError) -> [[PastItem<Item>]] {
        try readConflicts(Item.self, in: group) { (groups, itemClass, vault, authentication) in
            var found: [[PastItem<Item>]] = []
            for versions in try vault.conflicts(of: itemClass, in: groups) {
                found.append(try read(versions, in: &vault, authentication))
            }
            return found
        }
    }

    /// Returns what `body` finds in the groups that may have conflicts: in all of them together, or if the vault has, or
    /// ever had, a grant, in each of those that `group` stands for.
    private func readConflicts<Item: KeychainItem, Found>(
        _ type: Item.Type,
        in group: String?,
        _ body: ([GroupID], ItemClass, inout OpenGeneration, Authentication) throws -> [Found]
    ) throws(KeychainError) -> [Found] {
        try calls.announce(.readHistory) { [:] }
        let conditions = group.map { [ItemCondition<Item>.group($0)] } ?? []
        let all = try groups.search(Query(Item.itemClass), for: .find)
        let own = try groups.search(ItemTarget(conditions).query(), for: .find)
        return try readIfAny { (vault, authentication) in
            let isPerGroup = vault.hasHadGrants
            let groups = try (isPerGroup ? own : all).groupIDs(in: vault)
            var found: [Found] = []
            for groups in isPerGroup ? groups.map({ [$0] }) : [groups] {
                found += try body(groups, own.filter.itemClass, &vault, authentication)
            }
            return found
        } ?? []
    }

    /// Returns live revisions as items; those of one item follow one another.
    private func read<Item: KeychainItem>(
        _ versions: [PastRevision],
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> [PastItem<Item>] {
        var items: [PastItem<Item>] = []
        for past in versions {
            guard let reading = try ItemSearch.reading(past, in: &vault) else { continue }
            guard let attributes = try? reading.get() else {
                items.append(PastItem(past, nil, in: vault))
                continue
            }
            try authentication.check(past, attributes, in: &vault)
            var item = PastItem<Item>(past, attributes, in: vault)
            item.isConflict = items.last?.past.name.item == past.name.item
            items.append(item)
        }
        return items
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
        try changeItem(.restore, kept.reference) { try $0.resolveConflict(keeping: kept) }
    }

    /// Makes one of several versions of ``conflictVersions(_:in:)`` the only one: other items are deleted.
    package func resolveConflict<Item: KeychainItem>(
        keeping kept: PastItem<Item>,
        of versions: [PastItem<Item>]
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.restore, kept.reference) { (transaction) in
            for version in versions where version.reference != kept.reference && !version.isConflict {
                try transaction.delete(version.reference, ifRevision: version.revision)
            }
            return try transaction.resolveConflict(keeping: kept)
        }
    }
}

extension OpenGeneration {
    /// Returns the items of a class with several live revisions, in the order of their ids.
    fileprivate mutating func contestedItems(
        of itemClass: ItemClass,
        in groups: [GroupID]
    ) throws -> [ItemID] {
        try versions(of: itemClass, in: groups).filter { $0.value.count > 1 }.keys.sorted()
    }

    /// Returns the live revisions of items with several of them, and of items that share a primary key.
    ///
    /// The oldest item comes first, and of those with one primary key the one that VF-72 names.
    fileprivate mutating func conflicts(
        of itemClass: ItemClass,
        in groups: [GroupID]
    ) throws -> [[PastRevision]] {
        var names: [PrimaryKeyDigest: [[PastRevision]]] = [:]
        for versions in try versions(of: itemClass, in: groups).values {
            let versions = versions.sorted { $0.isNewer(than: $1) }
            names[versions[0].primaryKey, default: []].append(versions)
        }
        return names.values.filter { $0.count > 1 || $0[0].count > 1 }
            .map { items in items.sorted { $1[0].isOlder(than: $0[0]) }.flatMap(\.self) }
            .sorted { $0[0].isOlder(than: $1[0]) }
    }

    /// Returns the live revisions of the items of a class that are present here.
    private mutating func versions(
        of itemClass: ItemClass,
        in groups: [GroupID]
    ) throws -> [ItemID: [PastRevision]] {
        var versions: [ItemID: [PastRevision]] = [:]
        for group in groups {
            for revision in try liveRevisions(in: group) where revision.itemClass == itemClass {
                guard keyring.presence(of: revision.dataKey) != .otherDevice else { continue }
                versions[revision.name.item, default: []].append(revision)
            }
        }
        return versions
    }
}

extension PastRevision {
    /// Whether the item is older than that of `other`.
    fileprivate func isOlder(than other: PastRevision) -> Bool {
        (order, name.item) < (other.order, other.name.item)
    }
}
