internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Builds the next generation of a vault whose keys change, section 10.2.
///
/// Unlike a compaction, it leaves no record in the log that can be judged here, since that would be sealed under keys
/// that go.
struct Resealing: ~Copyable {
    private var vault: OpenGeneration
    private let source: FileSource
    private var keys: ResealingKeys
    private var history: HistoryRetention
    private var plan: ItemResealingPlan
    private var builders: [GroupSectionBuilder] = []
    private var runs = PlannedRuns()
    /// What became of the items so far.
    private(set) var report = Report()
    /// How many items each absent device has.
    private var carriedCounts: [GroupResealing.Carried: Int] = [:]

    /// What became of the items.
    struct Report {
        var resealedItemCount = 0
        var carriedItemCount = 0
        var lostItemCount = 0
        var droppedRevisionCount = 0
        var invalidRecordCount = 0
    }

    /// Creates a resealing; `change` must be made for `vault` in its current state.
    init(of vault: OpenGeneration, _ change: KeyChange) throws {
        self.vault = vault
        source = try vault.source()
        keys = ResealingKeys(change, of: vault)
        history = HistoryRetention(of: vault, purge: .nothing)
        let (keys, keyring) = (keys, vault.keyring)
        plan = ItemResealingPlan(
            of: vault.log,
            access: { keys.access(of: $0, in: keyring) },
            group: { keyring.dataKeyEntries[$0]?.group }
        )
    }

    // MARK: - Writing

    /// Writes header, keybag and snapshot of the next generation.
    mutating func write(
        to file: any OpenFile,
        progress: @escaping (Int) throws -> Void
    ) throws -> Report {
        try collect { try progress(0) }
        keys.pieces.sort()
        let header = vault.header
        guard header.generation + 1 < 1 << 63 else { throw StoreError.refused(.badValue) }
        var identity = GenerationWriter.Identity(
            generation: header.generation + 1,
            baseSequence: vault.position.sequence,
            previousChain: vault.position.chain
        )
        identity.compatibleFeatures = header.features.compatible
        identity.isShared = header.features.isShared
        identity.historySince = history.horizon
        let (change, cipher) = (keys.change, vault.cipher)
        var writer = try GenerationWriter(
            identity,
            structureKey: change.structureKey,
            ownerKey: change.ownerKey,
            teamSecret: change.teamSecret,
            cipher: cipher
        )
        for builder in builders { writer.append(builder) }
        runs.write(to: &writer)
        runs = PlannedRuns()
        for section in vault.opening.directory.sections {
            guard case .unknown = section.kind else { continue }
            try vault.checkBytes(of: section, in: source)
            writer.append(section, vault.copied(section.range))
        }
        builders = []
        var sink = FileSink(file, replacing: source, resealing: keys.pieces, progress: progress)
        _ = try writer.write(keys.change.keybag, to: &sink)
        try sink.flush()
        report.droppedRevisionCount = history.droppedCount
        return report
    }

    // MARK: - Collecting

    private mutating func collect(progress: () throws -> Void) throws {
        report.invalidRecordCount = plan.invalidCount + vault.wholeLog.unread.malformedCount
        report.lostItemCount = plan.lostCount
        try addGroups(progress)
        try checkDeviceAccess()
        for (group, numbers) in plan.carried.inKeyOrder {
            for number in numbers {
                var entry = Run.Entry(vault.wholeLog.entries[number])
                entry.isSeen = true
                runs.append(entry, kind: .run, group: group)
            }
        }
        runs.append(try ungrouped(), kind: .run, group: .none)
        try vault.forEachUnreadRecord(in: source) { entry in
            if case .unknown = entry.record { runs.append(entry, kind: .run, group: .none) }
        }
        try addHistory()
    }

    private mutating func addGroups(_ progress: () throws -> Void) throws {
        let sections = vault.opening.directory.sections.filter { $0.kind == .group }
        let ids = Set(sections.map(\.group.group)).union(vault.seen.groups)
        for id in ids.sorted() {
            try vault.loadSeen(of: id)
            var group = GroupResealing(
                of: id,
                plan,
                seen: vault.seen[id],
                in: source,
                mayCompress: vault.settings?.isCompressing ?? true
            )
            for section in sections where section.group.group == id {
                try group.add(section, &vault, &keys, progress: progress)
            }
            for number in plan.puts[id] ?? [] { try group.add(put: number, &vault, &keys) }
            try group.addSeen(&vault, &keys)
            try group.sealPendingItems(of: vault, keys)
            builders += group.builders()
            report.resealedItemCount += group.resealedCount
            report.lostItemCount += group.lostCount
            carriedCounts.merge(group.carriedCounts, uniquingKeysWith: +)
        }
        countCarriedRecords()
    }

    /// Counts the items in carried records, which an absent device settles later.
    private mutating func countCarriedRecords() {
        for number in plan.carried.values.joined() {
            guard case .put(let put) = vault.wholeLog.entries[number].record,
                let key = vault.keyring.dataKeyEntries[put.dataKey]
            else { continue }
            carriedCounts[.init(owner: key.owner, protection: key.protection), default: 0] += 1
        }
        report.carriedItemCount = carriedCounts.values.reduce(0, +)
    }

    /// Throws if an absent device would lose access to its items, VF-77.
    private func checkDeviceAccess() throws {
        let needUserRoot: [ProtectionClass] = [.whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly]
        let devices = Set(carriedCounts.keys.filter { needUserRoot.contains($0.protection) }.map(\.owner))
        let lost = devices.filter { device in
            !keys.change.acceptedLosses.contains(device) && vault.prelude.keybag.canOpen(at: device)
                && !keys.change.keybag.canOpen(at: device)
        }
        guard lost.isEmpty else { throw StoreError.keyChange(.lastSlot(of: lost.sorted()), path: vault.path) }
    }

    /// Returns the carried records of no group: keys that cannot be opened here, and the settings.
    private mutating func ungrouped() throws -> [Run.Entry] {
        var entries: [Run.Entry] = []
        for entry in vault.wholeLog.entries where entry.standing == .valid {
            switch entry.record {
            case .key(let key):
                if !vault.keyring.opens(key), keys.change.keeps(key) { entries.append(Run.Entry(entry)) }
            case .put, .delete, .settings, .seen, .unknown, .malformed: continue
            }
        }
        if let settings = try settings() { entries.append(settings) }
        return entries.sorted { $0.sequence < $1.sequence }
    }

    /// Returns the settings that count, with those who lose access by the change.
    private func settings() throws -> Run.Entry? {
        let change = keys.change
        var settings = vault.settings ?? Settings()
        let former = vault.wholeLog.entries.last { $0.record == .settings(body: vault.log.settings?.body ?? []) }
        guard let secret = change.settingsSecret, former != nil || !change.revocations.isEmpty else {
            return former.map { Run.Entry($0) }
        }
        if !change.revocations.isEmpty {
            settings.revision += 1
            settings.revocations.formUnion(change.revocations)
        }
        let record = try SettingsRecord(settings, signedBy: secret, vault: vault.vault)
        return Run.Entry(
            sequence: former?.sequence ?? vault.position.sequence,
            time: former?.time ?? Time(microseconds: vault.environment.time.wallMicroseconds()),
            record: .settings(body: record.body)
        )
    }

    // MARK: - History

    private mutating func addHistory() throws {
        var entries: [GroupEpoch: [Run.Entry]] = [:]
        for section in vault.opening.directory.sections where section.kind == .history {
            for entry in try vault.run(section, in: source).entries { try add(entry, to: &entries) }
        }
        for ended in plan.ended {
            let ending = vault.wholeLog.entries[ended.by].ending
            guard history.keepsSome else {
                history.drop(ending)
                continue
            }
            switch ended.source {
            case .put(let number): try add(Run.Entry(vault.wholeLog.entries[number], ended: ending), to: &entries)
            case .section(let name, let revision):
                let group = GroupEpoch(group: name.group, epoch: revision.epoch)
                guard let entry = try vault.sectionPut(name.item, revision, in: group) else {
                    // It belonged to an absent device, and only that device can read it.
                    history.drop(ending)
                    continue
                }
                try add(
                    Run.Entry(sequence: entry.sequence, time: entry.time, ended: ending, record: entry.record),
                    to: &entries
                )
            }
        }
        history.keep(entries, in: &runs)
    }

    /// Adds a past revision to the group to which it belongs afterwards.
    private mutating func add(_ entry: Run.Entry, to entries: inout [GroupEpoch: [Run.Entry]]) throws {
        // A revision whose key is missing or goes can no longer be read.
        guard case .put(let put) = entry.record, let group = vault.keyring.dataKeyEntries[put.dataKey]?.group else {
            return
        }
        switch keys.access(of: put.dataKey, in: vault.keyring) {
        case .gone: return
        case .closed: entries[group, default: []].append(entry)
        case .open:
            switch try keys.resealed(put, in: &vault) {
            case .failure: report.invalidRecordCount += 1
            case .success(let resealed):
                var entry = entry
                entry.record = .put(resealed)
                let destination = try keys.destination(of: put.dataKey, in: &vault)
                entries[destination.group, default: []].append(entry)
            }
        }
    }
}
