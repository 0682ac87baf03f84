internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// A search for the items that a request is about, oldest first.
struct ItemSearch: Sendable {
    /// An item that was found, and its attributes if they were needed.
    struct Found: Sendable {
        let item: StoredItem
        let attributes: ItemAttributes?
    }

    let filter: ItemFilter
    let scope: SearchScope
    /// Whether attributes are needed even if the digests are enough to decide.
    let needsAttributes: Bool
    /// Whether the items will be deleted, for which their digests are enough.
    let isForDeletion: Bool
    /// Whether private keys are used, rather than found or described.
    var usesPrivateKeys = false
    /// A check of the data of items whose attributes match.
    var dataCheck: CertificateCondition.Check?

    /// The result of checking an item that may match.
    enum Verdict {
        case match(Found)
        case noMatchingItem
        case locked
        case damaged(StoreError)
    }

    /// Returns the result of `read` for at most `limit` matching items.
    ///
    /// A locked item that may match is an error, since nothing rules it out. Without an `authentication`, items are
    /// found whatever their access control demands.
    func items<Element>(
        in vault: inout OpenGeneration,
        _ authentication: Authentication?,
        limit: Int,
        _ read: (Found, inout OpenGeneration) throws -> Element
    ) throws -> SearchOutcome<Element> {
        var outcome = SearchOutcome<Element>()
        guard limit > 0 else { return outcome }
        let (candidates, areCertain) = try candidates(in: &vault)
        var answering: GroupID?
        let stopsAfterGroup = scope.stopsAfterGroup(in: vault)
        for item in candidates {
            if stopsAfterGroup, let answering, answering != item.name.group { break }
            switch try verdict(on: item, isCertain: areCertain, in: &vault, authentication) {
            case .noMatchingItem: continue
            case .locked: throw KeychainError.locked
            case .damaged(let error): outcome.leaveOut(error)
            case .match(let found):
                answering = answering ?? item.name.group
                try outcome.add { try read(found, &vault) }
            }
            if outcome.found.count == limit { break }
        }
        if outcome.found.isEmpty, scope.names(in: vault) == nil, vault.opening.keyring.hasClosedGroups {
            throw KeychainError.locked
        }
        return outcome
    }

    /// Returns at most `limit` matching items; empty if none match.
    func items(
        in vault: inout OpenGeneration,
        _ authentication: Authentication?,
        limit: Int
    ) throws -> [Found] {
        try items(in: &vault, authentication, limit: limit) { found, _ in found }.list()
    }

    /// Returns the items that may match, and whether the attributes of all of them are known to match.
    ///
    /// The oldest comes first, and in a vault that has, or ever had, a grant, the oldest of the first group. Versions of
    /// an item that lost are left out, unless a reference names them.
    func candidates(
        in vault: inout OpenGeneration
    ) throws -> (items: [StoredItem], areCertain: Bool) {
        var candidates: [StoredItem] = []
        var areCertain = true
        let vaultID = vault.vault
        let groups = try groupIDs(in: vault)
        for group in groups {
            let (found, isCertain) = try self.candidates(in: group, &vault)
            candidates += found.filter { filter.mayMatch($0, in: vaultID) }
            areCertain = areCertain && isCertain
        }
        guard candidates.count > 1 else { return (candidates, areCertain) }
        if filter.reference != nil {
            let group = try scope.group(of: Set(candidates.map(\.name.group)), in: vault)
            return (candidates.filter { $0.name.group == group }, areCertain)
        }
        let ranks = groups.count > 1 ? scope.ranks(of: groups, in: vault) : [:]
        func place(_ item: StoredItem) -> (Int, UInt64, ItemID) {
            (ranks[item.name.group] ?? 0, item.order, item.name.item)
        }
        candidates.sort { place($0) < place($1) }
        return (candidates, areCertain)
    }

    /// Checks whether a candidate matches, and whether it may be used if there is an `authentication`.
    func verdict(
        on item: StoredItem,
        isCertain: Bool,
        in vault: inout OpenGeneration,
        _ authentication: Authentication?
    ) throws -> Verdict {
        // The digests of a complete primary key leave no doubt, and an item need not be readable to be deleted.
        let isKnownByDigests = isForDeletion && filter.hasOnlyKeyConditions
        if item.presence == .locked { return isKnownByDigests ? .match(Found(item: item, attributes: nil)) : .locked }
        let isGuarded = authentication != nil && item.flags.contains(.hasConditions)
        if isCertain, !needsAttributes, !isGuarded, dataCheck == nil {
            return .match(Found(item: item, attributes: nil))
        }
        let attributes: ItemAttributes
        let sealed: SealedSecret?
        do {
            attributes = try vault.attributes(of: item)
            guard filter.matches(attributes) else { return .noMatchingItem }
            sealed = isGuarded ? try vault.sealedSecret(of: item, attributes) : nil
        } catch let error as StoreError where error.isDamageOfAnItem {
            return isKnownByDigests ? .match(Found(item: item, attributes: nil)) : .damaged(error)
        }
        if isGuarded, let authentication,
            try !authentication.allows(attributes, usesPrivateKey: usesPrivateKeys, sealed)
        {
            return .noMatchingItem
        }
        guard let dataCheck else { return .match(Found(item: item, attributes: attributes)) }
        do {
            let data = try authentication?.secret(of: item, in: &vault) ?? nil
            let isMatch = data.lent { dataCheck(Array(copying: $0)) } ?? false
            return isMatch ? .match(Found(item: item, attributes: attributes)) : .noMatchingItem
        } catch let error as StoreError where error.isDamageOfAnItem {
            return .damaged(error)
        }
    }

    /// Returns the groups to search; throws if it is unknown whether one of them exists.
    func groupIDs(in vault: borrowing OpenGeneration) throws -> [GroupID] {
        guard let names = scope.names(in: vault) else {
            // A reference names a single item, which may be in an open group.
            if filter.reference == nil, vault.opening.keyring.hasClosedGroups { throw KeychainError.locked }
            return Array(vault.groupNames.keys)
        }
        var ids: [GroupID] = []
        for name in names {
            guard let group = vault.opening.keyring.group(named: Array(name.utf8))?.group else {
                guard !vault.opening.keyring.hasClosedGroups else { throw KeychainError.locked }
                continue
            }
            if !ids.contains(group) { ids.append(group) }
        }
        return ids
    }

    /// Returns the items of a group that may match, and whether the attributes of all of them are known to match.
    private func candidates(
        in group: GroupID,
        _ vault: inout OpenGeneration
    ) throws -> (items: [StoredItem], areCertain: Bool) {
        if let item = filter.reference, filter.keyConditions.isEmpty {
            let found = try vault.item(ItemName(group: group, item: item))
            return (found.map { [$0] } ?? [], filter.hasNoConditions)
        }
        if filter.reference == nil, let keys = filter.primaryKeys,
            try !vault.flags(of: group).contains(.extendedKey)
        {
            var found: [StoredItem] = []
            for key in keys { found += try vault.items(withPrimaryKey: key, in: group).prefix(1) }
            return (found, filter.hasOnlyKeyConditions)
        }
        let conditions = filter.keyConditions.map { ($0.name.rawValue, $0.canonicalValue) }
        let found = try vault.items(of: filter.itemClass, in: group, having: conditions)
        guard let item = filter.reference else { return (try vault.counting(found), filter.hasNoConditions) }
        return (found.filter { $0.name.item == item }, false)
    }
}
