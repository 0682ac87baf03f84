internal import CofferBasics
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

    /// What can be said of an item that may be meant.
    enum Verdict {
        case meant(Found)
        case notMeant
        case locked
        case damaged(StoreError)
    }

    /// What `read` makes of the items, of `limit` at most.
    ///
    /// One that is locked, and may be meant, is an error: nobody can say that it is not.
    func items<Element>(
        in vault: inout OpenGeneration,
        limit: Int,
        _ read: (Found, inout OpenGeneration) throws(StoreError) -> Element
    ) throws(KeychainError) -> SearchOutcome<Element> {
        var outcome = SearchOutcome<Element>()
        guard limit > 0 else { return outcome }
        let (candidates, areCertain) = try candidates(in: &vault)
        for item in candidates {
            switch try verdict(on: item, isCertain: areCertain, in: &vault) {
            case .notMeant: continue
            case .locked: throw .locked
            case .damaged(let error): outcome.leaveOut(error)
            case .meant(let found): try outcome.add { () throws(StoreError) in try read(found, &vault) }
            }
            if outcome.found.count == limit { break }
        }
        if outcome.found.isEmpty, groups == nil, vault.opening.keyring.hasClosedGroups { throw .locked }
        return outcome
    }

    /// The items, of `limit` at most, or none.
    func items(in vault: inout OpenGeneration, limit: Int) throws(KeychainError) -> [Found] {
        try items(in: &vault, limit: limit) { found, _ in found }.list()
    }

    /// The items that may be meant, the oldest first, and whether all of them are, as to their attributes.
    func candidates(
        in vault: inout OpenGeneration
    ) throws(KeychainError) -> (items: [StoredItem], areCertain: Bool) {
        var candidates: [StoredItem] = []
        var areCertain = true
        let vaultID = vault.vault
        for group in try groupIDs(in: vault) {
            let (found, isCertain) = try self.candidates(in: group, &vault)
            candidates += found.filter { filter.mayMatch($0, in: vaultID) }
            areCertain = areCertain && isCertain
        }
        if candidates.count > 1 { candidates.sort { ($0.order, $0.name.item) < ($1.order, $1.name.item) } }
        return (candidates, areCertain)
    }

    /// Whether one of the candidates is meant.
    func verdict(
        on item: StoredItem,
        isCertain: Bool,
        in vault: inout OpenGeneration
    ) throws(KeychainError) -> Verdict {
        // The digests of a whole key leave no doubt, and what is deleted need not be readable.
        let isKnownByDigests = isForDeletion && filter.hasOnlyKeyConditions
        if item.presence == .locked { return isKnownByDigests ? .meant(Found(item: item, attributes: nil)) : .locked }
        if isCertain, !needsAttributes { return .meant(Found(item: item, attributes: nil)) }
        do throws(StoreError) {
            let attributes = try vault.attributes(of: item)
            return filter.matches(attributes) ? .meant(Found(item: item, attributes: attributes)) : .notMeant
        } catch {
            guard error.isDamageOfAnItem else { throw KeychainError(error) }
            return isKnownByDigests ? .meant(Found(item: item, attributes: nil)) : .damaged(error)
        }
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

    /// The items of a group that may be meant, and whether all of them are, as to their attributes.
    private func candidates(
        in group: GroupID,
        _ vault: inout OpenGeneration
    ) throws(KeychainError) -> (items: [StoredItem], areCertain: Bool) {
        try translating(KeychainError.init) { () throws(StoreError) in
            let conditions = filter.keyConditions.map { ($0.name.rawValue, $0.canonicalValue) }
            if let item = filter.reference {
                guard conditions.isEmpty else {
                    let found = try vault.items(of: filter.itemClass, in: group, having: conditions)
                    return (found.filter { $0.name.item == item }, false)
                }
                let found = try vault.item(ItemName(group: group, item: item))
                return (found.map { [$0] } ?? [], filter.hasNoConditions)
            }
            if let keys = filter.primaryKeys, try !vault.flags(of: group).contains(.extendedKey) {
                var found: [StoredItem] = []
                for key in keys { found += try vault.items(withPrimaryKey: key, in: group) }
                return (found, filter.hasOnlyKeyConditions)
            }
            let found = try vault.items(of: filter.itemClass, in: group, having: conditions)
            return (found, filter.hasNoConditions)
        }
    }
}
