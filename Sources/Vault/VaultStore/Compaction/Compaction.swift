internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// Builds the next generation of an open vault, section 10.1.
struct Compaction: ~Copyable {
    private var vault: OpenGeneration
    private let source: FileSource
    private let request: CompactionRequest
    private var history: HistoryRetention
    private var carriedCount = 0
    /// The intact parts of each group section, if other parts may be lost.
    private let salvaged: [GroupEpoch: SectionExamination]?

    init(
        of vault: OpenGeneration,
        request: CompactionRequest,
        salvaging salvaged: [GroupEpoch: SectionExamination]? = nil
    ) throws {
        self.salvaged = salvaged
        self.vault = vault
        self.request = request
        source = try vault.source()
        history = HistoryRetention(of: vault, purge: request.purge, keptChange: request.keptChange)
    }

    /// The result of writing.
    struct Built {
        /// Where the frames of the new generation begin.
        var start: LogPosition
        var keys: GenerationKeys
        var carriedRecordCount: Int
        var droppedRevisionCount: Int
    }

    /// Writes header, keybag and snapshot of the next generation.
    mutating func write(
        to file: any OpenFile,
        progress: @escaping (Int) throws -> Void
    ) throws -> Built {
        let header = vault.header
        let generation = header.generation.addingReportingOverflow(request.generationStep)
        guard !generation.overflow, generation.partialValue < 1 << 63 else { throw StoreError.refused(.badValue) }
        // Later than everything that was known, so that no anchor takes the new file for an older one.
        let lastSequence = max(vault.frames.end.sequence, request.missingTransactions.last?.upperBound ?? 0)
        if !request.missingTransactions.isEmpty { history.dropUnknown(sequence: lastSequence) }
        var sections = Sections()
        try collect(&sections)
        var identity = GenerationWriter.Identity(
            generation: generation.partialValue,
            baseSequence: lastSequence,
            previousChain: salvaged == nil ? vault.position.chain : ChainValue(bytes: [UInt8](repeating: 0, count: 32))
        )
        identity.compatibleFeatures = header.features.compatible
        identity.isShared = request.isShared ?? header.features.isShared
        identity.historySince = history.horizon
        let keybag = try keybag()
        var writer = try newWriter(identity, keybag)
        for section in sections.groups { try add(section, to: &writer) }
        sections.runs.write(to: &writer)
        for section in vault.opening.directory.sections {
            if case .unknown = section.kind {
                writer.append(try unknownToCarry(section), vault.copied(section.range))
            }
        }
        var sink = FileSink(file, replacing: source, progress: progress)
        let keys = writer.keys
        let start = try writer.write(keybag, to: &sink)
        try sink.flush()
        return Built(
            start: start,
            keys: keys,
            carriedRecordCount: carriedCount,
            droppedRevisionCount: history.droppedCount
        )
    }

    private func newWriter(
        _ identity: GenerationWriter.Identity,
        _ keybag: Keybag
    ) throws -> GenerationWriter {
        let keyring = vault.keyring
        let cipher = vault.cipher
        let ownerKey = try vault.ownerKey(toSign: keybag)
        guard let (key, _) = try keyring.structureKey(in: keybag) else { throw Fault(.missing) }
        return try GenerationWriter(
            identity,
            structureKey: key,
            ownerKey: ownerKey,
            teamSecret: keybag.hasGrants ? keyring.teamSecret(in: keybag) : nil,
            cipher: cipher
        )
    }

    // MARK: - Collecting

    /// The contents of the new snapshot.
    private struct Sections {
        enum Group {
            case built(GroupSectionBuilder)
            /// A section whose keys are not available.
            case carried(Section)
        }

        var groups: [Group] = []
        var runs = PlannedRuns()
    }

    private mutating func collect(_ sections: inout Sections) throws {
        let (byGroup, ungrouped) = recordNumbers()
        var ended: [GroupEpoch: [Run.Entry]] = [:]
        var carried: [(number: Int, group: GroupEpoch)] = []
        var groups = vault.opening.directory.sections.filter { $0.kind == .group }.map(\.group)
        groups += Set(byGroup.keys).union(request.foreignBlocks.keys).subtracting(groups).sorted()
        var foldings: [GroupID: RecordFolding] = [:]
        for group in groups {
            let numbers = byGroup[group] ?? []
            // A record that stays may be older than one of another epoch, so all epochs are folded in, or none.
            guard !vault.closedGroups.contains(group.group), let keys = try vault.matchKeys(of: group) else {
                let section = vault.opening.directory.sections.first { $0.kind == .group && $0.group == group }
                if let section { sections.groups.append(.carried(section)) }
                carried += numbers.map { ($0, group) }
                continue
            }
            var compaction = GroupCompaction(
                of: group,
                keys: keys,
                in: source,
                keepsHistory: history.keepsSome,
                mayCompress: vault.settings?.isCompressing ?? true,
                salvaging: salvaged
            )
            compaction.foreignBlocks = request.foreignBlocks[group] ?? []
            let folding: RecordFolding
            if let known = foldings[group.group] {
                folding = known
            } else {
                let epochs = groups.filter { $0.group == group.group }
                folding = try self.folding(of: epochs, epochs.flatMap { byGroup[$0] ?? [] }.sorted())
                foldings[group.group] = folding
            }
            let result = try compaction.result(folding, in: &vault)
            sections.groups.append(.built(result.builder))
            carried += result.carried.map { ($0, group) }
            ended[group] = result.ended
            for ending in result.dropped { history.drop(ending) }
        }
        // The epochs of a group share what was seen of a writer, so their records stay in one order.
        carried.sort { ($0.group.group, $0.number) < ($1.group.group, $1.number) }
        for (number, group) in carried { carry(number, of: group, to: &sections) }
        for number in ungrouped { carry(number, of: .none, to: &sections) }
        try carryUnread(to: &sections)
        try addHistory(ended, to: &sections)
    }

    /// Judges the records with these numbers, those of all epochs of a group.
    private mutating func folding(of epochs: [GroupEpoch], _ numbers: [Int]) throws -> RecordFolding {
        let saved = salvaged.map { salvaged in
            Dictionary(
                uniqueKeysWithValues: epochs.map { epoch in
                    (epoch, Dictionary(grouping: salvaged[epoch]?.entries ?? [], by: \.revision.item))
                }
            )
        }
        func entries(_ item: ItemID, _ epoch: GroupEpoch) throws -> [MatchEntry] {
            if let saved { saved[epoch]?[item] ?? [] } else { try vault.entries(withID: item, in: epoch) }
        }
        let log = vault.wholeLog
        return try RecordFolding(
            numbers,
            of: log,
            keepsHistory: history.keepsSome,
            dropsInvalid: request.dropsInvalid,
            inSection: { item in
                LiveRevisions(
                    try epochs.flatMap { epoch in
                        try entries(item, epoch).map { LiveRevision($0.revision, epoch: epoch.epoch) }
                    }
                )
            },
            isReadable: { item, revision in
                guard let epoch = epochs.first(where: { $0.epoch == revision.epoch }),
                    let entry = try entries(item, epoch).first(where: { revision.isEntry($0.revision, of: epoch) }),
                    let handle = vault.sectionDataKeys(epoch)?[entry.dataKey]
                else { return true }
                return vault.keyring.dataKeys[handle] != nil
            }
        )
    }

    /// Returns the log entries by group, and the carried ones that belong to no group.
    private func recordNumbers() -> (byGroup: [GroupEpoch: [Int]], ungrouped: [Int]) {
        var byGroup: [GroupEpoch: [Int]] = [:]
        var ungrouped: [Int] = []
        var settings: (number: Int, record: SettingsRecord)?
        for (number, entry) in vault.wholeLog.entries.enumerated() {
            switch entry.record {
            case .put(let put):
                // Without an entry, the key was destroyed and the item is gone.
                if let key = vault.keyring.dataKeyEntries[put.dataKey] {
                    byGroup[key.group, default: []].append(number)
                }
            case .delete(let delete): byGroup[delete.group, default: []].append(number)
            // With the match key, the section has what was seen.
            case .seen(let seen) where entry.standing != .valid || vault.closedGroups.contains(seen.group.group):
                byGroup[seen.group, default: []].append(number)
            case .key(let key):
                guard entry.standing != .valid || !vault.keyring.opens(key), !isDropped(entry) else { continue }
                ungrouped.append(number)
            case .settings(let body):
                guard entry.standing == .valid else {
                    if !isDropped(entry) { ungrouped.append(number) }
                    continue
                }
                if let record = vault.settings(in: body), record.counts(before: settings?.record) {
                    settings = (number, record)
                }
            case .seen, .unknown, .malformed: break
            }
        }
        if let settings { ungrouped.append(settings.number) }
        return (byGroup, ungrouped.sorted())
    }

    private mutating func carry(_ number: Int, of group: GroupEpoch, to sections: inout Sections) {
        var entry = Run.Entry(vault.wholeLog.entries[number])
        entry.isSeen = vault.isSeen(number)
        sections.runs.append(entry, kind: .run, group: group)
        switch (entry.record, vault.wholeLog.entries[number].standing) {
        // Nothing in them waits for keys.
        case (.settings, .valid), (.key, .valid): break
        default: carriedCount += 1
        }
    }

    /// Carries the records that were left in the file, unless they are dropped or exceed the limit of readers.
    private mutating func carryUnread(to sections: inout Sections) throws {
        guard !request.dropsInvalid, vault.wholeLog.unread.count <= Limits.unreadRecordCount else { return }
        try vault.forEachUnreadRecord(in: source) { sections.runs.append($0, kind: .run, group: .none) }
        carriedCount += vault.wholeLog.unread.count
    }

    /// Whether a record of the log is dropped because it is invalid.
    private func isDropped(_ entry: LogIndex.Entry) -> Bool {
        guard request.dropsInvalid, case .invalid = entry.standing else { return false }
        return true
    }

    // MARK: - History

    private mutating func addHistory(
        _ ended: [GroupEpoch: [Run.Entry]],
        to sections: inout Sections
    ) throws {
        var entries = ended
        for section in vault.opening.directory.sections where section.kind == .history {
            let (opening, source) = (vault.opening, source)
            do throws(VaultFormatError) {
                let run = try opening.run(section, in: source)
                entries[section.group, default: []] += run.entries
            } catch {
                guard salvaged != nil, case .snapshotFailure = error else { throw vault.failure(error) }
                history.dropUnknown(sequence: vault.frames.end.sequence)
            }
        }
        if !request.discarded.isEmpty {
            entries = entries.mapValues { entries in
                entries.filter { entry in
                    guard case .put(let put) = entry.record else { return true }
                    return !request.discarded.contains(put.revision)
                }
            }
        }
        history.keep(entries, in: &sections.runs)
    }

    // MARK: - Carrying

    /// Returns the keys of the vault, including those from records that could be opened here.
    private func keybag() throws -> Keybag {
        var keybag = vault.verifiedKeybag
        keybag.removeIncompleteDevices()
        try request.addition?.apply(to: &keybag, of: vault)
        guard keybag.encoded.count <= Limits.keybagByteCount else {
            throw StoreError.refused(.limitExceeded(.keybag, value: UInt64(keybag.encoded.count)))
        }
        return keybag
    }

    private func add(
        _ group: Sections.Group,
        to writer: inout GenerationWriter
    ) throws {
        switch group {
        case .built(let builder): writer.append(builder)
        case .carried(let section):
            // The list is sealed under a key of the generation; everything else is bound to the group.
            guard let list = try listToCarry(of: section) else { return }
            let box = list.sealed(section: section.id, keys: writer.keys)
            let rest = section.range.dropFirst(section.blockListByteCount)
            writer.append(section, [.bytes(box)] + vault.copied(rest))
        }
    }

    /// Returns a section of unknown kind, with a verified check, or, where it may be damaged, with a new one.
    private func unknownToCarry(_ section: Section) throws -> Section {
        var section = section
        guard salvaged != nil else {
            try vault.checkBytes(of: section, in: source)
            return section
        }
        section.check = try newCheck(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
        return section
    }

    /// Returns the block list of a carried section, with verified checks, or, where parts may be damaged, with new
    /// checks of the bytes that are there.
    private func listToCarry(of section: Section) throws -> BlockList? {
        guard let salvaged else { return try vault.checkedBlockList(of: section, in: source) }
        guard var list = salvaged[section.group]?.list else { return nil }
        for index in list.entries.indices {
            list.entries[index].check = try newCheck(of: list.entries[index].part, in: section)
        }
        return list
    }

    /// Returns the check of the bytes that are there.
    private func newCheck(of part: SectionPart, in section: Section) throws -> [UInt8] {
        let bytes = try source.bytes(in: vault.opening.fileRange(of: part, in: section))
        return BlockList.check(of: bytes.span)
    }
}

extension OpenGeneration {
    /// Throws if a section does not have the check that the directory says.
    func checkBytes(of section: Section, in source: FileSource) throws {
        try opening.checkBytes(of: section, in: source)
    }

    /// The user root, which only an owner has.
    var owner: (key: Key, epoch: UInt32) {
        get throws {
            if let user = keyring.roots.user { return user }
            throw StoreError.keyChange(keyring.roots.credential == nil ? .ownerNeeded : .notGranted, path: path)
        }
    }

    /// The key that signs a new file with this keybag, which the keys at hand must allow.
    func ownerKey(toSign keybag: Keybag) throws -> Key {
        guard let ownerKey = opening.ownerKey else { throw StoreError.keyChange(.notGranted, path: path) }
        guard maySign(keybag) else { throw StoreError.keys(keyring.isUnlocked ? .ownerNeeded : .locked) }
        return ownerKey
    }

    /// Whether the keys at hand allow replacing the file.
    var mayBeReplaced: Bool { maySign(prelude.keybag) }

    /// Holders of grants believe only what the team has signed.
    private func maySign(_ keybag: Keybag) -> Bool { keyring.isOwner || !keybag.hasGrants }

    /// Whether a record that is carried is a put whose place the fence has: it was judged, and its group is built anew.
    func isSeen(_ number: Int) -> Bool {
        let entry = wholeLog.entries[number]
        guard case .put(let put) = entry.record, !entry.isSeen else { return entry.isSeen }
        let group = opening.keyring.dataKeyEntries[put.dataKey]?.group.group ?? .none
        return entry.standing == .valid && !put.provenance.isPast && !closedGroups.contains(group)
    }

    /// Returns a part of the snapshot in pieces that fit into memory.
    func copied(_ range: Range<Int>) -> [PartContent] {
        let start = header.snapshotRange.lowerBound
        return stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20).map { piece in
            .copied(start + piece..<start + min(piece + 1 << 20, range.upperBound))
        }
    }

    /// The keys of the vault, including those from records that could be opened here.
    package var verifiedKeybag: Keybag {
        var keybag = prelude.keybag
        // An index has all key records.
        for entry in log.entries where entry.standing == .valid {
            if case .key(let key) = entry.record, keyring.opens(key) { keybag.entries.append(key) }
        }
        return keybag
    }

    /// Keys from records that could not be opened here.
    var unverifiedKeys: [KeybagEntry] {
        wholeLog.entries.compactMap { entry in
            guard case .key(let key) = entry.record, entry.standing == .valid, !keyring.opens(key) else { return nil }
            return key
        }
    }
}
