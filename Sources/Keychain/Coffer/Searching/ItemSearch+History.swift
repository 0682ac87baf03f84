internal import VaultFormat
internal import VaultStore

// Searching the history of the groups that a search is about.
extension ItemSearch {
    /// Returns the revisions of the one item that the search is about, in all groups.
    func history<Item: KeychainItem>(
        _ type: Item.Type,
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> ItemHistory<Item> {
        guard let item = filter.reference else { throw KeychainError.itemNotFound }
        var found: [PastRevision] = []
        for group in try groupIDs(in: vault) {
            found += try vault.revisions(of: ItemName(group: group, item: item))
        }
        found.removeAll { $0.itemClass != filter.itemClass }
        if vault.hasHadGrants {
            let group = try scope.group(of: Set(found.map(\.name.group)), in: vault)
            found.removeAll { $0.name.group != group }
        }
        // An item that moves to another group gets greater revision numbers there.
        found.sort { $0.isNewer(than: $1) }
        guard !found.isEmpty else {
            let mayBeHidden = scope.names(in: vault) == nil && vault.opening.keyring.hasClosedGroups
            throw mayBeHidden ? KeychainError.locked : .itemNotFound
        }
        var lost: [PastRevision] = []
        if found[0].ended == nil, let current = try vault.item(found[0].name) {
            for version in try vault.lostVersions(of: current) { lost += try vault.revisions(of: version.name) }
        }
        return try ItemHistory(found, lost: lost, in: &vault, authentication)
    }

    /// Returns what the search would have found at a point in the past.
    func items<Item: KeychainItem>(
        at date: KeychainDate,
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> PastItems<Item> {
        var found: [PastRevision] = []
        var isComplete = true
        for group in try groupIDs(in: vault) {
            let state = try vault.items(in: group, at: .time(date.time))
            let counting = Dictionary(state.items.map { ($0.primaryKey, $0.name) }) { $1 }
            found += state.items.filter { counting[$0.primaryKey] == $0.name }
            isComplete = isComplete && state.isComplete
        }
        let outcome: SearchOutcome<PastItem<Item>> = try matching(found, in: &vault, authentication)
        return PastItems(items: outcome.found, isComplete: isComplete && outcome.isComplete)
    }

    /// Returns the last revisions of deleted items, where they match.
    func deletedItems<Item: KeychainItem>(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> [PastItem<Item>] {
        let groups = try groupIDs(in: vault)
        let isPerGroup = vault.hasHadGrants
        var last: [ItemName: PastRevision] = [:]
        for group in groups {
            for past in try vault.goneItems(of: group, itemClass: filter.itemClass) {
                let name = ItemName(group: isPerGroup ? group : groups[0], item: past.name.item)
                let known = last[name]?.revision.number ?? 0
                if past.revision.number > known { last[name] = past }
            }
        }
        var found: [PastRevision] = []
        for past in last.values where try vault.currentItem(past.name) == nil { found.append(past) }
        // An item may have moved to a group that is closed here.
        guard found.isEmpty || !vault.opening.keyring.hasClosedGroups else { throw KeychainError.locked }
        return try matching(found, in: &vault, authentication).list()
    }

    // MARK: - Matching

    private func matching<Item: KeychainItem>(
        _ found: [PastRevision],
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> SearchOutcome<PastItem<Item>> {
        var outcome = SearchOutcome<PastItem<Item>>()
        let ranks = scope.ranks(of: try groupIDs(in: vault), in: vault)
        func place(_ past: PastRevision) -> (Int, UInt64, ItemID) {
            (ranks[past.name.group] ?? 0, past.order, past.name.item)
        }
        let stopsAfterGroup = scope.stopsAfterGroup(in: vault)
        for past in found.sorted(by: { place($0) < place($1) }) {
            if stopsAfterGroup, let first = outcome.found.first, first.past.name.group != past.name.group { break }
            guard past.itemClass == filter.itemClass else { continue }
            let protection = vault.opening.keyring.dataKeyEntries[past.dataKey]?.protection
            if let wanted = filter.accessibility, wanted.protection != protection { continue }
            guard let reading = try Self.reading(past, in: &vault) else { continue }
            let attributes: ItemAttributes
            switch reading {
            case .success(let known): attributes = known
            case .failure(let error):
                guard error.isDamageOfAnItem else { throw error }
                outcome.leaveOut(error)
                continue
            }
            let sha1 = past.revision.sha1(vault: vault.vault)
            guard filter.matches(attributes), filter.matchesMarks(of: attributes), filter.sha1 ?? sha1 == sha1 else {
                continue
            }
            guard try authentication.allows(past, attributes, in: &vault) else { continue }
            try outcome.add { PastItem(past, attributes, in: vault) }
        }
        return outcome
    }

    /// Returns the attributes of a revision, or why they cannot be read; nil if they are no longer kept.
    static func reading(
        _ past: PastRevision,
        in vault: inout OpenGeneration
    ) throws -> Result<ItemAttributes, StoreError>? {
        do {
            return .success(try vault.attributes(of: past))
        } catch StoreError.noSuchItem {
            return nil
        } catch let error as StoreError where error.isLocked || error.isDamageOfAnItem {
            return .failure(error)
        }
    }
}

extension ItemHistory {
    /// Reads the revisions of an item, newest first, and the live ones among those of the versions that lost against it.
    init(
        _ own: [PastRevision],
        lost: [PastRevision],
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws {
        var revisions: [PastItem<Item>] = []
        var isComplete = own.isComplete(since: vault.historySince)
        for past in own + lost.filter({ $0.ended == nil }) {
            guard let reading = try ItemSearch.reading(past, in: &vault) else {
                isComplete = false
                continue
            }
            let attributes = try? reading.get()
            if let attributes { try authentication.check(past, attributes, in: &vault) }
            var item = PastItem<Item>(past, attributes, in: vault)
            item.isConflict = past.ended == nil && revisions.contains(where: \.isCurrent)
            revisions.append(item)
        }
        self.init(revisions: revisions, isComplete: isComplete)
    }
}

extension [PastRevision] {
    /// Whether these, newest first, are all revisions of an item, if nothing that ended after `start` was dropped.
    fileprivate func isComplete(since start: HistoryHorizon) -> Bool {
        guard contains(where: { $0.revision.number == 1 }) else { return false }
        return zip(self, dropFirst()).allSatisfy { $0.isNext(after: $1, since: start) }
    }
}

extension PastRevision {
    /// Whether this revision follows `older` directly, if nothing that ended after `start` was dropped.
    func isNext(after older: PastRevision, since start: HistoryHorizon) -> Bool {
        // A greater one was made in another copy of the vault.
        guard revision.number > older.revision.number + 1, let ended = older.ended else { return true }
        let step = revision.number - older.revision.number
        // Moving, restoring or deleting an item skips one number.
        return step == 2 && (ended == written || ended.sequence >= start.sequence)
    }
}

extension ItemFilter {
    /// Whether an item with these attributes matches in being synchronizable and in being a tombstone.
    func matchesMarks(of attributes: ItemAttributes) -> Bool {
        if let isSynchronizable, isSynchronizable != Self.isSet(.synchronizable, attributes) { return false }
        return includesTombstones || !Self.isSet(.tombstone, attributes)
    }

    private static func isSet(_ name: AttributeName, _ attributes: ItemAttributes) -> Bool {
        guard let value = try? attributes.canonicalValue(name.rawValue) else { return false }
        return value != (try? CanonicalValue.bytes(of: nil, kind: .number))
    }
}

extension OpenGeneration {
    /// Returns the item of a past revision as it is now, even in another group to which it was moved.
    ///
    /// In a vault that has, or ever had, a grant, an item of another group may be one that was planted.
    mutating func currentItem(_ name: ItemName) throws -> StoredItem? {
        let others = hasHadGrants ? [] : groupNames.keys.filter { $0 != name.group }
        for group in [name.group] + others {
            if let found = try item(ItemName(group: group, item: name.item)) { return found }
        }
        return nil
    }
}
