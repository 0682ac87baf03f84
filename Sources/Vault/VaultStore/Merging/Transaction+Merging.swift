internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

extension Transaction {
    /// Takes over what another copy of the vault has and this one lacks, section 10.3.
    ///
    /// - Returns: What changes, and what no record can hold.
    ///
    /// With `isReversed`, the report is about the other copy, whose place this one takes. With `takesAll`, nothing is
    /// left out because a copy does not know of a revocation.
    mutating func merge(
        _ other: inout OpenGeneration,
        isReversed: Bool = false,
        takesAll: Bool = false
    ) throws -> MergeDraft {
        var draft = MergeDraft()
        try other.completeLog()
        if vault.hasKeys(of: other) { draft.ways = MergedWays(of: other, lackingIn: vault.keyring) }
        if vault.hasKeys(of: other) { draft.report.keyCount = try mergeKeys(of: other, besides: draft.ways) }
        try mergeRecords(&other, &draft, isReversed: isReversed, takesAll: takesAll)
        draft.report.wayCount = draft.ways?.count ?? 0
        if !records.isEmpty || draft.needsReplacement { draft.report.change = sequence }
        return draft
    }

    /// No more puts than this fit into a frame.
    private static let mostPutsInFrame = Limits.transactionByteCount / 512

    private mutating func mergeRecords(
        _ other: inout OpenGeneration,
        _ draft: inout MergeDraft,
        isReversed: Bool,
        takesAll: Bool
    ) throws {
        try other.checkSections()
        // With the same keys, both know of the same revocations.
        let revocations = takesAll || vault.hasKeys(of: other) ? nil : (vault.revocations, other.revocations)
        // A former owner can sign settings, too.
        let isLater = revocations.map { known, knownThere in knownThere.know(known.concerning([])) } ?? true
        try mergeSettings(of: other, mayCount: isLater, &draft)
        let policy = HistoryPolicy(vault.settings)
        for theirID in Set(other.keys.epochs.keys).union(other.closedGroups).sorted() {
            guard let group = try counterpart(of: theirID, in: other) else {
                draft.report.closedGroupCount += 1
                continue
            }
            let (own, theirs) = (try vault.copy(of: group), try other.copy(of: theirID))
            var merge = GroupMerge(of: theirs, into: own, keeping: policy, now: time, takesAll: takesAll)
            var reversed = GroupMerge?.none
            if isReversed || revocations != nil {
                reversed = GroupMerge(of: own, into: theirs, keeping: policy, now: time, takesAll: takesAll)
            }
            let name = vault.groupNames[group] ?? []
            if let (known, knownThere) = revocations {
                let groups = [group, theirID] as Set
                if !knownThere.know(known.concerning(groups)) {
                    draft.report.leftOut += .changes(merge, of: &other, to: &vault, in: name, isOwn: isReversed)
                    if isReversed { draft.report.note(GroupMerge(replacing: theirs, with: own), theirs, []) }
                    continue
                }
                if let unknown = reversed, !unknown.isEmpty, !known.know(knownThere.concerning(groups)) {
                    draft.report.leftOut += .changes(unknown, of: &vault, to: &other, in: name, isOwn: !isReversed)
                    merge = GroupMerge(replacing: own, with: theirs)
                    reversed = GroupMerge(of: theirs, into: theirs, keeping: policy, now: time)
                    draft.discarded.formUnion(own.revisions(besides: theirs))
                    vault.seen.replace(SeenPlaces(), in: group)
                }
            }
            draft.report.leftOut += .undecided(merge.undecided.theirs, of: &other, in: name, isOwn: isReversed)
            draft.report.leftOut += .undecided(merge.undecided.own, of: &vault, in: name, isOwn: !isReversed)
            draft.discarded.formUnion(merge.undecided.own.map(\.revision))
            try apply(merge, of: &other, in: group, &draft)
            try see(theirs.seen, in: group)
            let duplicates = try deleteEqualItems(in: group)
            if !isReversed {
                draft.report.note(merge, own, duplicates)
            } else if let reversed {
                draft.report.note(reversed, theirs, duplicates)
            }
        }
    }

    private mutating func apply(
        _ merge: GroupMerge,
        of other: inout OpenGeneration,
        in group: GroupID,
        _ draft: inout MergeDraft
    ) throws {
        let areMany = merge.added.count(where: \.isInSection) > Self.mostPutsInFrame
        for revision in merge.added {
            guard let item = try other.itemInSection(revision, evenIfOpen: areMany), knows(item.dataKey) else {
                try put(revision, from: &other, in: group)
                continue
            }
            draft.inSections[item.group, default: []].append(item)
        }
        for revision in merge.ended { try end(revision) }
        for revision in merge.past where try other.itemInSection(revision) == nil {
            try put(revision, from: &other, in: group, isPast: true)
        }
    }

    /// Whether one frame, of at most this size, can hold the records.
    func fitIntoFrame(ofAtMost limit: Int) -> Bool {
        let byteCount = records.reduce(0) { $0 + $1.byteCount }
        do throws(Fault) {
            try Frame.check(recordCount: records.count, byteCount: byteCount)
        } catch {
            return false
        }
        return FrameHead.frameByteCount(recordByteCount: byteCount) <= limit
    }

    /// Returns the group of this copy that is a group of the other one; nil if it is closed in either.
    private mutating func counterpart(
        of theirs: GroupID,
        in other: OpenGeneration
    ) throws -> GroupID? {
        guard !other.closedGroups.contains(theirs) else { return nil }
        var group = theirs
        if !vault.hasKeys(of: other) {
            guard let name = other.groupNames[theirs] else { return nil }
            group = try self.group(named: name).group
        }
        return vault.closedGroups.contains(group) ? nil : group
    }

    /// Whether this copy has the data key, which it may be unable to open.
    private func knows(_ dataKey: KeyHandle) -> Bool { vault.keyring.dataKeyEntries[dataKey] != nil }

    /// Adds the keys of the other copy that are unknown here, verified or not.
    ///
    /// Not those of a former epoch in which nothing stands here any more: without their group, whose name cannot be
    /// verified, no keybag may have them, and what stands in that epoch there is sealed anew here.
    private mutating func mergeKeys(of other: OpenGeneration, besides ways: MergedWays?) throws -> Int {
        let keyring = vault.keyring
        let lacking = (other.verifiedKeybag.entries + other.unverifiedKeys).filter {
            $0.mayBeAppended && !keyring.has($0) && !(ways?.has($0) ?? false) && !isOfFormerEpoch($0)
        }
        // Names first, since other keys need them.
        guard !lacking.isEmpty else { return 0 }
        try append(lacking.filter(\.isGroupName) + lacking.filter { !$0.isGroupName })
        return lacking.count
    }

    /// Whether the key is of an epoch of a group of which this owner has later ones only.
    private func isOfFormerEpoch(_ entry: KeybagEntry) -> Bool {
        let group: GroupEpoch
        switch entry {
        case .matchKey(let entry): group = entry.group
        case .groupName(let entry): group = entry.group
        case .dataKey(let entry): group = entry.group
        default: return false
        }
        let own = vault.groups(with: group.group)
        return vault.keyring.isOwner && !own.isEmpty && own.allSatisfy { $0.epoch > group.epoch }
    }

    /// Takes over the settings of the other copy if they may count and do, and its revocations in any case.
    private mutating func mergeSettings(
        of other: OpenGeneration,
        mayCount: Bool,
        _ draft: inout MergeDraft
    ) throws {
        guard let theirs = other.log.settings else { return }
        let known = vault.settings?.revocations ?? Revocations()
        if known.isSuperset(of: theirs.settings.revocations), theirs.settings.revocations.isSuperset(of: known) {
            guard let record = vault.settings(in: theirs.body), record.counts(before: vault.log.settings) else {
                return
            }
            try append(.settings(body: record.body))
            vault.log.note(record)
            draft.report.hasSettings = true
            return
        }
        // Only an owner can unite them.
        guard vault.keyring.isOwner else { return }
        var united = known
        united.formUnion(theirs.settings.revocations)
        draft.hasNewRevocations = united.bytes != known.bytes
        draft.report.hasSettings = mayCount && theirs.settings.revision > vault.settings?.revision ?? 0
        guard draft.hasNewRevocations || draft.report.hasSettings else { return }
        var settings = draft.report.hasSettings ? theirs.settings : vault.settings ?? Settings()
        settings.revocations = united
        try change(settings)
    }

    /// Adds a revision of the other copy as it was written there, and sealed anew if this copy lacks its data key.
    private mutating func put(
        _ revision: PastRevision,
        from other: inout OpenGeneration,
        in group: GroupID,
        isPast: Bool = false
    ) throws {
        var origin = revision.origin
        try vault.loadSeen(of: group)
        if !isPast, origin.place <= vault.seen[group].floor {
            // It was undecided, so it is written anew.
            origin = Origin(writer: writer, place: try nextPlace(in: group))
        }
        var provenance = Provenance(
            origin: origin,
            previousPlace: vault.seen[group][origin.writer],
            replacedSalt: 0,
            isPast: isPast
        )
        if case .put(let former, let match) = revision.content {
            provenance.replacedSalt = former.provenance.replacedSalt
            if knows(revision.dataKey) {
                guard let keys = try vault.matchKeys(of: revision.group) else { throw StoreError.keys(.locked) }
                let (put, content) = former.resealed(provenance, match: match, keys: keys)
                return try append(put, ItemMatch(content), about: revision.name, in: revision.group)
            }
        }
        let keys = try keys(for: revision, of: other)
        let (attributes, secret) = (try other.attributes(of: revision), try secretBox(of: revision, in: &other, keys))
        let (put, content) = try Put.sealing(
            revision.revision,
            provenance: provenance,
            order: revision.order,
            written: revision.written.time,
            attributes: attributes,
            secret: secret,
            handle: keys.handle,
            keys: (match: keys.match, data: keys.data)
        )
        let name = ItemName(group: group, item: revision.name.item)
        try append(put, ItemMatch(content), about: name, in: keys.group)
    }

    /// Returns the keys of a revision: the same ones, or those here for the same purpose.
    private mutating func keys(
        for revision: PastRevision,
        of other: OpenGeneration
    ) throws -> ItemKeys {
        if knows(revision.dataKey) { return try keys(of: revision.dataKey) }
        guard let entry = other.keyring.dataKeyEntries[revision.dataKey],
            other.keyring.presence(of: revision.dataKey) != .otherDevice,
            let name = other.groupNames[entry.group.group]
        else { throw StoreError.merge(.deviceNeeded, path: other.path) }
        let purpose = DataKeyPurpose(group: try group(named: name), protection: entry.protection, owner: entry.owner)
        return try keys(of: try dataKey(purpose))
    }

    /// Returns the sealed data of a revision, sealed anew if it gets another key.
    private func secretBox(
        of revision: PastRevision,
        in other: inout OpenGeneration,
        _ keys: ItemKeys
    ) throws -> [UInt8] {
        if case .snapshot(let item) = revision.content, revision.dataKey == keys.handle {
            let box = Array(try other.secretBox(of: item))
            guard !box.isEmpty else { return [] }
            // The check in the section fits if the damage is older than the section.
            _ = try item.name.opening { try Secret(opening: box.span, of: revision.revision, keys: keys.data) }
            return box
        }
        guard let secret = try other.secret(of: revision) else { return [] }
        let form = secret.form
        return secret.withBytes { data in
            Put.sealedSecret(data, form: form, of: revision.revision, keys: keys.data)
        }
    }

    /// Ends a revision that may have ended already.
    package mutating func end(_ revision: PastRevision) throws {
        guard try vault.live(of: revision.name)[salt: revision.revision.salt] != nil else { return }
        guard let keys = try vault.matchKeys(of: revision.group) else { throw StoreError.keys(.locked) }
        let delete = Delete(ending: revision.revision, group: revision.group, keys: keys)
        try append(delete, about: revision.name)
    }

    /// Notes what the other copy has seen, as far as no put of the merge shows it.
    private mutating func see(_ places: SeenPlaces, in group: GroupID) throws {
        try vault.loadSeen(of: group)
        let known = vault.seen[group]
        var new = places.origins.filter { known[$0.writer] < $0.place }[...]
        guard !new.isEmpty, let epoch = try vault.openEpochs(of: group).first else { return }
        while !new.isEmpty {
            let some = Array(new.prefix(Limits.writerCount))
            try append(.seen(Seen(some, group: epoch.group, keys: epoch.keys)))
            for origin in some { vault.seen.insert(origin, in: group) }
            new = new.dropFirst(some.count)
        }
    }
}

extension OpenGeneration {
    /// Throws unless the sections of all groups are undamaged: a revision that was taken over once is never taken over
    /// again, so damage that comes with it would stay.
    fileprivate func checkSections() throws {
        let source = try source()
        for section in opening.directory.sections where section.kind == .group {
            try check(section, in: source)
        }
    }

    /// Returns the item of a revision in a section, unless its metadata can be opened and that matters.
    fileprivate mutating func itemInSection(
        _ revision: PastRevision,
        evenIfOpen: Bool = false
    ) throws -> StoredItem? {
        guard case .snapshot(let item) = revision.content else { return nil }
        if !evenIfOpen, try dataKeys(of: item.dataKey) != nil { return nil }
        return item
    }

    /// Returns what this copy has of a group that is open.
    fileprivate mutating func copy(of group: GroupID) throws -> GroupCopy {
        try loadSeen(of: group)
        return GroupCopy(try revisionsOfAllDevices(in: group), seen: seen[group])
    }
}

extension PastRevision {
    /// Whether it is in a section.
    fileprivate var isInSection: Bool { if case .snapshot = content { true } else { false } }
}

extension KeybagEntry {
    fileprivate var isGroupName: Bool { if case .groupName = self { true } else { false } }
}
