internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// Looks for the items that a request is about, the oldest first.
struct ItemSearch: Sendable {
    /// An item that was found, and its attributes if they were needed.
    struct Found: Sendable {
        let item: StoredItem
        let attributes: ItemAttributes?
    }

    let filter: ItemFilter
    /// The names of the groups, or nil for all.
    let groups: [String]?
    /// Whether attributes are needed, also where the digests tell enough.
    let needsAttributes: Bool
    /// Whether the items will be deleted, which needs nothing but their digests.
    let isForDeletion: Bool

    /// The items, `limit` at most.
    ///
    /// One that is locked, and may be meant, is an error: nobody can say that it is not.
    func items(in vault: inout OpenGeneration, limit: Int) throws(KeychainError) -> [Found] {
        guard limit > 0 else { return [] }
        var candidates: [StoredItem] = []
        var areCertain = true
        for group in try groupIDs(in: vault) {
            let (found, isCertain) = try self.candidates(in: group, &vault)
            candidates += found.filter { filter.mayMatch($0, vault: vault.vault, suite: vault.environment.suite) }
            areCertain = areCertain && isCertain
        }
        if candidates.count > 1 { candidates.sort { ($0.order, $0.name.item) < ($1.order, $1.name.item) } }
        var found: [Found] = []
        for item in candidates {
            if item.presence == .locked {
                guard isForDeletion, filter.hasOnlyKeyConditions else { throw .locked }
                found.append(Found(item: item, attributes: nil))
            } else if areCertain, !needsAttributes {
                found.append(Found(item: item, attributes: nil))
            } else if let attributes = try attributes(of: item, &vault), filter.matches(attributes) {
                found.append(Found(item: item, attributes: attributes))
            }
            if found.count == limit { break }
        }
        if found.isEmpty, groups == nil, vault.opening.keyring.hasClosedGroups { throw .locked }
        return found
    }

    /// The groups that are searched; one that nobody can tell to be there or not is an error.
    func groupIDs(in vault: borrowing OpenGeneration) throws(KeychainError) -> [GroupID] {
        let hasClosedGroups = vault.opening.keyring.hasClosedGroups
        guard let groups else {
            // A reference is of one item only, which may be in a group that is open.
            guard !hasClosedGroups || filter.reference != nil else { throw .locked }
            return Array(vault.groupNames.keys)
        }
        var ids: [GroupID] = []
        for name in groups {
            guard let group = vault.opening.keyring.group(named: Array(name.utf8))?.group else {
                guard !hasClosedGroups else { throw .locked }
                continue
            }
            if !ids.contains(group) { ids.append(group) }
        }
        return ids
    }

    /// The attributes of an item, or nil if it is damaged: then it is none.
    private func attributes(
        of item: StoredItem,
        _ vault: inout OpenGeneration
    ) throws(KeychainError) -> ItemAttributes? {
        do throws(StoreError) {
            return try vault.attributes(of: item)
        } catch {
            if case .invalidItem = error { return nil }
            throw KeychainError(error)
        }
    }

    /// The items of a group that may be meant, and whether all of them are, as to their attributes.
    private func candidates(
        in group: GroupID,
        _ vault: inout OpenGeneration
    ) throws(KeychainError) -> (items: [StoredItem], areCertain: Bool) {
        try translating(KeychainError.init) { () throws(StoreError) in
            if let item = filter.reference {
                let found = try vault.item(ItemName(group: group, item: item))
                return (found.map { [$0] } ?? [], filter.hasNoConditions)
            }
            if let keys = filter.primaryKeys, try !vault.flags(of: group).contains(.extendedKey) {
                var found: [StoredItem] = []
                for key in keys { found += try vault.items(withPrimaryKeyOf: key, in: group) }
                return (found, filter.hasOnlyKeyConditions)
            }
            let conditions = filter.keyConditions.map { ($0.name, $0.canonicalValue) }
            let found = try vault.items(of: filter.itemClass, in: group, having: conditions)
            return (found, filter.hasNoConditions)
        }
    }
}
