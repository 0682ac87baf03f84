internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Planning sections: where in the old files everything is that goes into each of them.
extension Rewrite {
    mutating func planGroups(progress: () throws -> Void) throws {
        let sections = vault.opening.directory.sections
        var folded = FoldedGroup.groups(of: vault)
        var ids = Set(sections.filter { $0.kind == .group }.map(\.group.group)).union(folded.keys)
        ids.formUnion(vault.seen.groups)
        ids.formUnion(request.foreign?.items.map(\.group.group) ?? [])
        for id in ids.sorted() {
            try progress()
            if vault.closedGroups.contains(id) || vault.groups(with: id).isEmpty {
                copied += sections.filter { $0.kind == .group && $0.group.group == id }
            } else {
                try planGroup(id, folded.removeValue(forKey: id) ?? FoldedGroup())
            }
        }
        for section in sections { if case .unknown = section.kind { copied.append(section) } }
        history.share(&plans)
    }

    private mutating func planGroup(_ id: GroupID, _ folded: FoldedGroup) throws {
        try vault.loadSeen(of: id, toleratesDamage: isSalvage)
        var plans: [GroupEpoch: SectionPlan] = [:]
        for epoch in vault.groups(with: id) {
            guard
                let section = vault.opening.directory.sections.first(where: { $0.kind == .group && $0.group == epoch })
            else { continue }
            try tolerant { rewrite in
                if !rewrite.isSalvage { try rewrite.vault.check(section, in: rewrite.source) }
                guard let reader = try rewrite.vault.withSection(epoch, { $0.reader }) else { return }
                try rewrite.plan(rewrite.reader.add(reader), reader, folded, &plans)
            }
        }
        for put in folded.puts.sorted() { try plan(live: RevisionSource(.put(put)), &plans) }
        for (put, ended) in folded.endedPuts { try plan(past: RevisionSource(.put(put)), ended, &plans) }
        for (number, foreign) in (request.foreign?.items ?? []).enumerated() where foreign.group.group == id {
            try plan(live: RevisionSource(.foreign(number)), &plans)
        }
        let newest =
            if let change = keys.change {
                change.matchKeys.keys.filter { $0.group == id }.max { $0.epoch < $1.epoch }
            } else {
                vault.groups(with: id).first
            }
        if let newest, plans[newest] == nil, !vault.seen[id].isEmpty { plans[newest] = SectionPlan(newest) }
        for var plan in plans.values.sorted(by: { $0.group.epoch < $1.group.epoch }) {
            plan.live.sort { $0.digest < $1.digest }
            history.choose(&plan)
            self.plans.append(plan)
        }
    }

    /// Runs a step of planning; in a salvage, what is damaged in the snapshot is left out.
    private mutating func tolerant(_ body: (inout Rewrite) throws -> Void) throws {
        do {
            try body(&self)
        } catch {
            guard isSalvage, error.isAboutSnapshot else { throw error }
            history.dropUnknown(sequence: vault.frames.end.sequence)
        }
    }

    /// Plans the revisions of a section.
    private mutating func plan(
        _ section: Int,
        _ reader: SnapshotSection.Reader,
        _ folded: FoldedGroup,
        _ plans: inout [GroupEpoch: SectionPlan]
    ) throws {
        let group = reader.section.group
        // Only what is damaged can have a revision twice.
        var names: Set<EntryName> = []
        for leaf in reader.fence.live.keys.indices.reversed() {
            try tolerant { rewrite in
                let opened = try rewrite.leaf(leaf, of: .live, reader)
                for (number, entry) in opened.enumerated() {
                    let name = EntryName(
                        item: entry.revision.item,
                        salt: entry.revision.salt,
                        epoch: group.epoch
                    )
                    if rewrite.isSalvage, !names.insert(name).inserted { continue }
                    let source = RevisionSource(.leaf(section: section, list: .live, leaf: leaf, number: number))
                    let handle = reader.fence.dataKeys[entry.dataKey]
                    if rewrite.vault.keeps(entry.revision, of: group) {
                        try rewrite.plan(live: source, entry, handle, &plans)
                    } else if let ended = folded.endedEntries[name] {
                        try rewrite.plan(past: source, entry, handle, ended, &plans)
                    }
                }
            }
        }
        for leaf in reader.fence.past.keys.indices {
            try tolerant { rewrite in
                let opened = try rewrite.leaf(leaf, of: .past, reader)
                for (number, entry) in opened.enumerated() {
                    guard let ended = entry.ended else { continue }
                    let source = RevisionSource(.leaf(section: section, list: .past, leaf: leaf, number: number))
                    try rewrite.plan(past: source, entry, reader.fence.dataKeys[entry.dataKey], ended, &plans)
                }
            }
        }
    }

    /// Plans a live revision that is in no section of this copy.
    private mutating func plan(live source: RevisionSource, _ plans: inout [GroupEpoch: SectionPlan]) throws {
        let revision = try reader.revision(source, of: &vault)
        try plan(live: source, revision.entry, revision.handle, &plans)
    }

    private mutating func plan(
        live source: RevisionSource,
        _ entry: MatchEntry,
        _ handle: KeyHandle,
        _ plans: inout [GroupEpoch: SectionPlan]
    ) throws {
        switch try keys.fate(of: handle, in: &vault) {
        case .go: if keys.change?.dataKeys[handle] != nil { report.lostItemCount += 1 }
        case .stay(let group):
            if keys.change != nil, vault.keyring.dataKeys[handle] == nil,
                let key = vault.keyring.dataKeyEntries[handle]
            {
                carriedCounts[DeviceItems(owner: key.owner, protection: key.protection), default: 0] += 1
                report.carriedItemCount += 1
            }
            try add(source, entry, handle, entry.digests.primaryKey, to: &plans[group, default: SectionPlan(group)])
            try noteDictionary(of: source, entry, in: &plans[group, default: SectionPlan(group)])
        case .move(let move):
            report.resealedItemCount += 1
            let digest = try digest(source, after: move)
            try add(source, entry, move.handle, digest, to: &plans[move.group, default: SectionPlan(move.group)])
        }
    }

    private mutating func add(
        _ source: RevisionSource,
        _ entry: MatchEntry,
        _ handle: KeyHandle,
        _ digest: PrimaryKeyDigest,
        to plan: inout SectionPlan
    ) throws {
        plan.live.append(LiveCandidate(digest: digest, source: source))
        if entry.dictionary == 0 || keys.change != nil {
            plan.samples[handle, default: DictionarySamples()].note(source, salt: entry.revision.salt)
        }
        let item = entry.revision.item
        let name = ItemName(group: plan.group.group, item: item)
        if isSalvage || entry.flags.contains(.contested) || request.foreign != nil
            || vault.groups(with: name.group).count > 1
            || vault.wholeLog.items[name]?.live.conflicts.isEmpty == false
        {
            plan.contested[item, default: 0] += 1
        }
    }

    /// Returns the digest of an item under its new match key.
    private mutating func digest(
        _ source: RevisionSource,
        after move: RewriteKeys.Move
    ) throws -> PrimaryKeyDigest {
        let revision = try reader.revision(source, of: &vault)
        let name = ItemName(group: move.group.group, item: revision.entry.revision.item)
        let dictionary = try revision.dictionary.flatMap { try reader.opened($0, keys: move.old.data) }
        return try name.opening {
            let metadata = try revision.openedMetadata(dictionary, keys: move.old.data)
            let attributes = try metadata.attributes(matching: ItemMatch(revision.entry), keys: move.old.match)
            return MatchDigests(attributes, keys: move.new.match).primaryKey
        }
    }

    /// Plans a past revision that is in no section of this copy.
    private mutating func plan(
        past source: RevisionSource,
        _ ended: Run.Ending,
        _ plans: inout [GroupEpoch: SectionPlan]
    ) throws {
        let revision = try reader.revision(source, of: &vault)
        try plan(past: source, revision.entry, revision.handle, ended, &plans)
    }

    private mutating func plan(
        past source: RevisionSource,
        _ entry: MatchEntry,
        _ handle: KeyHandle,
        _ ended: Run.Ending,
        _ plans: inout [GroupEpoch: SectionPlan]
    ) throws {
        guard !request.discarded.contains(entry.revision) else { return }
        let group: GroupEpoch
        switch try keys.fate(of: handle, in: &vault) {
        // A revision whose key goes can no longer be read.
        case .go: return
        case .move(let move):
            group = move.group
            _ = try reader.dictionary(of: source, entry).flatMap { try reader.opened($0, keys: move.old.data) }
        case .stay(let same):
            group = same
            try noteDictionary(of: source, entry, in: &plans[group, default: SectionPlan(group)])
        }
        plans[group, default: SectionPlan(group)].past.append(
            PastCandidate(
                source: source,
                revision: entry.revision,
                ended: ended,
                byteCount: entry.byteCountInLeaf
            )
        )
    }

    private mutating func noteDictionary(
        of source: RevisionSource,
        _ entry: MatchEntry,
        in plan: inout SectionPlan
    ) throws {
        if let id = try reader.dictionary(of: source, entry) { plan.dictionaries.insert(id) }
    }

    private func leaf(_ number: Int, of list: PageList, _ reader: SnapshotSection.Reader) throws -> Leaf {
        do { return try reader.leaf(number, of: list) } catch { throw vault.failure(error) }
    }
}
