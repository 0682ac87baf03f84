internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

extension Transaction {
    /// Takes over what another copy of the vault has and this one lacks, section 10.3.
    ///
    /// - Returns: What changes, and what no record can hold.
    mutating func merge(_ other: inout OpenGeneration) throws(StoreError) -> MergeDraft {
        var draft = MergeDraft()
        draft.ways = MergedWays(of: other, lackingIn: vault.keyring)
        draft.report = try mergeRecords(&other, &draft.inBlocks)
        draft.report.wayCount = draft.ways?.entries.count ?? 0
        if !records.isEmpty || draft.needsReplacement { draft.report.change = sequence }
        return draft
    }

    private mutating func mergeRecords(
        _ other: inout OpenGeneration,
        _ inBlocks: inout [GroupEpoch: [StoredItem]]
    ) throws(StoreError) -> MergeReport {
        var report = MergeReport()
        report.keyCount = try mergeKeys(of: other)
        report.hasSettings = try mergeSettings(of: other)
        let policy = HistoryPolicy(vault.settings)
        for group in Set(vault.epochsOfGroups.keys).union(other.epochsOfGroups.keys).sorted() {
            guard !vault.closedGroups.contains(group), !other.closedGroups.contains(group) else {
                report.closedGroupCount += 1
                continue
            }
            let (own, theirs) = (try vault.copy(of: group), try other.copy(of: group))
            let merge = GroupMerge(of: theirs, into: own, keeping: policy, now: time)
            for revision in merge.added {
                guard let item = try other.itemInBlock(revision) else {
                    try put(revision, from: &other)
                    continue
                }
                inBlocks[item.group, default: []].append(item)
            }
            for revision in merge.ended { try end(revision) }
            for revision in merge.past where try other.itemInBlock(revision) == nil {
                try put(revision, from: &other, isPast: true)
            }
            try see(theirs.seen, in: group)
            report.note(merge, own)
        }
        return report
    }

    /// Whether one frame can hold the records.
    var fitsIntoFrame: Bool {
        let byteCount = records.reduce(0) { $0 + $1.byteCount }
        do throws(Fault) {
            try Frame.check(recordCount: records.count, byteCount: byteCount)
            return true
        } catch {
            return false
        }
    }

    /// Adds the keys of the other copy that are unknown here, verified or not.
    private mutating func mergeKeys(of other: OpenGeneration) throws(StoreError) -> Int {
        let keyring = vault.keyring
        let lacking = (other.verifiedKeybag.entries + other.unverifiedKeys).filter { $0.mayBeAppended && !keyring.has($0) }
        // Names first, since other keys need them.
        guard !lacking.isEmpty else { return 0 }
        try append(lacking.filter(\.isGroupName) + lacking.filter { !$0.isGroupName })
        return lacking.count
    }

    private mutating func mergeSettings(of other: OpenGeneration) throws(StoreError) -> Bool {
        guard let settings = other.settings, let body = other.settingsBody,
            vault.settings(body, countBefore: vault.settingsBody)
        else { return false }
        try append(.settings(body: body))
        (vault.settings, vault.settingsBody) = (settings, body)
        return true
    }

    /// Adds a revision of the other copy as it was written there.
    private mutating func put(
        _ revision: PastRevision,
        from other: inout OpenGeneration,
        isPast: Bool = false
    ) throws(StoreError) {
        guard let match = try vault.matchKeys(of: revision.group) else { throw .keys(.locked) }
        let origin = revision.origin
        try vault.loadSeenPlaces(of: revision.name.group)
        var descent = Descent(
            origin: origin,
            previousPlace: vault.seenPlaces[revision.name.group]?[origin.writer] ?? 0,
            replacedSalt: 0,
            isPast: isPast
        )
        let (put, content): (Put, MatchContent)
        switch revision.content {
        case .put(let former, let itemMatch):
            descent.replacedSalt = former.descent.replacedSalt
            (put, content) = former.resealed(descent, match: itemMatch, keys: match, seed: seed)
        case .snapshot(let item):
            guard let data = try other.dataKeys(of: item.dataKey) else { throw .locked(item.name) }
            let (attributes, secret) = (try other.attributes(of: item), Array(try other.secretBox(of: item)))
            (put, content) = try translating(
                StoreError.refused,
                Put.sealing(
                    item.revision,
                    descent: descent,
                    order: item.order,
                    attributes: attributes,
                    digests: item.digests,
                    secret: secret,
                    handle: item.dataKey,
                    keys: (match: match, data: data),
                    seed: seed
                )
            )
        }
        try append(.put(put), about: revision.name, match: ItemMatch(content), in: revision.group)
    }

    /// Ends a revision, unless a put of the merge has ended it.
    private mutating func end(_ revision: PastRevision) throws(StoreError) {
        guard try vault.live(of: revision.name)[salt: revision.revision.salt] != nil else { return }
        guard let keys = try vault.matchKeys(of: revision.group) else { throw .keys(.locked) }
        let number = revision.revision.number + 1
        guard number < Limits.revision else { throw .refused(.outOfOrder) }
        let delete = Delete(ending: revision.revision, number: number, group: revision.group, keys: keys)
        try append(.delete(delete), about: revision.name, match: nil, in: revision.group)
    }

    /// Notes what the other copy has seen, as far as no put of the merge shows it.
    private mutating func see(_ places: SeenPlaces, in group: GroupID) throws(StoreError) {
        try vault.loadSeenPlaces(of: group)
        let known = vault.seenPlaces[group] ?? SeenPlaces()
        var new = SeenPlaces()
        for origin in places.origins where known[origin.writer] < origin.place { new.insert(origin) }
        guard !new.isEmpty, let epoch = try vault.openEpochs(of: group).first else { return }
        var all = known
        all.formUnion(new)
        guard all.count <= Limits.writerCount else {
            throw .refused(.limitExceeded(.writers, value: UInt64(all.count)))
        }
        try append(.seen(Seen(new, group: epoch.group, keys: epoch.keys)))
        vault.seenPlaces[group] = all
    }
}

extension OpenGeneration {
    /// Returns the item if its metadata stand in a block that cannot be opened.
    fileprivate mutating func itemInBlock(_ revision: PastRevision) throws(StoreError) -> StoredItem? {
        guard case .snapshot(let item) = revision.content, try dataKeys(of: item.dataKey) == nil else { return nil }
        return item
    }

    /// Returns what this copy has of a group that is open.
    fileprivate mutating func copy(of group: GroupID) throws(StoreError) -> GroupCopy {
        try loadSeenPlaces(of: group)
        return GroupCopy(try revisionsOfAllDevices(in: group), seen: seenPlaces[group] ?? SeenPlaces())
    }
}

extension KeybagEntry {
    fileprivate var isGroupName: Bool { if case .groupName = self { true } else { false } }
}
