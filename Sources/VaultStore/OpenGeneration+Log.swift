internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Reading runs and frames, and what they make of the items.
extension OpenGeneration {
    /// Reads runs and frames, keys first, so that it does not matter where in them a key stands.
    mutating func readLog(_ source: FileSource, toleratesDamage: Bool) throws(StoreError) {
        let runs = try runs(source, toleratesDamage: toleratesDamage)
        let entries = runs.flatMap { $0.entries }
        try apply(entries + (try readFrames(SequentialSource(source))))
        try translating(failure) { () throws(VaultFormatError) in
            for run in runs { try opening.checkMembers(of: run.run, in: run.section) }
        }
    }

    /// A run of the snapshot, and its records as those of the log.
    private struct SnapshotRun {
        let section: Section
        let run: Run

        var entries: [LogIndex.Entry] {
            run.entries.enumerated().map { number, entry in
                let place = VaultContents.Place.run(section: section.id, record: number)
                return LogIndex.Entry(sequence: entry.sequence, time: entry.time, place: place, record: entry.record)
            }
        }
    }

    private mutating func runs(
        _ source: FileSource,
        toleratesDamage: Bool
    ) throws(StoreError) -> [SnapshotRun] {
        var runs: [SnapshotRun] = []
        for section in opening.directory.sections where section.kind == .run {
            do throws(VaultFormatError) {
                runs.append(SnapshotRun(section: section, run: try opening.run(section, in: source, suite: suite)))
            } catch {
                guard toleratesDamage else { throw failure(error) }
                unreadableRuns.append(try damage(.run, section, error))
            }
        }
        return runs
    }

    /// What is wrong with a section that is read as a whole; that the file cannot be read is wrong with more than that.
    func damage(
        _ part: VerificationReport.Damage.Part,
        _ section: Section,
        _ error: VaultFormatError
    ) throws(StoreError) -> VerificationReport.Damage {
        let range = opening.fileRange(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
        guard case .snapshotFailure(let fault, _) = error else { throw failure(error) }
        return VerificationReport.Damage(part: part, range: range, fault: fault, items: [])
    }

    /// The records of the frames from the position on, which moves behind them.
    private mutating func readFrames(_ source: some ByteSource) throws(StoreError) -> [LogIndex.Entry] {
        var reader = LogReader(at: position, in: source, keys: opening.keys, suite: suite)
        var entries: [LogIndex.Entry] = []
        noteChain(position)
        while let frame = try translating(failure, { () throws(VaultFormatError) in try reader.next() }) {
            for (number, record) in frame.records.enumerated() {
                let place = VaultContents.Place.frame(sequence: frame.sequence, record: number)
                entries.append(LogIndex.Entry(sequence: frame.sequence, time: frame.time, place: place, record: record))
            }
            noteChain(reader.position)
        }
        position = reader.position
        tag = try FrameTag(before: position.offset, in: file)
        return entries
    }

    private mutating func noteChain(_ position: LogPosition) {
        if position.sequence == anchor?.sequence { chainAtAnchor = position.chain }
    }

    /// Applies what was read.
    private mutating func apply(_ entries: [LogIndex.Entry]) throws(StoreError) {
        for entry in entries { if case .key(let key) = entry.record { try apply(key, entry) } }
        noteKeys()
        for entry in entries {
            if case .key = entry.record { continue }
            try apply(entry)
        }
    }

    private mutating func apply(_ key: KeybagEntry, _ entry: LogIndex.Entry) throws(StoreError) {
        var entry = entry
        do throws(Fault) {
            try opening.append(key)
        } catch {
            if case .cipher(let error) = error { throw failure(.unavailable(.cipher(error))) }
            entry.standing = .invalid(error)
        }
        log.append(entry)
    }

    private mutating func apply(_ entry: LogIndex.Entry) throws(StoreError) {
        var entry = entry
        switch entry.record {
        case .put(let put): try apply(put, entry)
        case .delete(let delete): try apply(delete, entry)
        case .settings(let body):
            entry.standing = settingsStanding(body)
            log.append(entry)
        case .unknown: log.append(entry)
        case .malformed(_, let error):
            entry.standing = .invalid(error.fault)
            log.append(entry)
        case .key: break
        }
    }

    /// Reads the frames that were added since.
    ///
    /// What does not verify is taken for an append in the middle, and looked at again the next time.
    mutating func catchUp(fileByteCount: Int) throws(StoreError) -> Progress {
        let start = position.offset - FrameTag.byteCount
        var probe = InlineArray<80, UInt8>(repeating: 0)
        var span = probe.mutableSpan
        let byteCount = try translating(StoreError.file) { () throws(FileError) in
            try file.read(filling: &span, at: start)
        }
        guard tag.starts(span.span.extracting(..<byteCount)) else { return .rewritten }
        let next = span.span.extracting(min(FrameTag.byteCount, byteCount)..<byteCount)
        guard FrameHead.hasMagic(next) else { return next.isZero ? .unchanged : .disturbed }
        let first = log.entries.count
        let end = position.offset
        let entries = try readFrames(FileSource(file: file, byteCount: fileByteCount))
        // A key may make something readable that came before it.
        let bringsKey = entries.contains { if case .key = $0.record { true } else { false } }
        if bringsKey, log.entries.contains(where: { $0.standing == .sealed }) { return .rewritten }
        try apply(entries)
        return position.offset == end ? .disturbed : .appended(from: first)
    }

    /// What became of the file since it was read last.
    enum Progress: Equatable, Sendable {
        case unchanged
        /// Something follows that is no frame: one in the middle, or what is left of one.
        case disturbed
        /// Frames were added, and records, from this number on.
        case appended(from: Int)
        /// What was read is not all that is there, or is there no more: the file must be read anew.
        case rewritten
    }

    /// Settings count only for who has the user root: others cannot tell whose team key it is.
    private mutating func settingsStanding(_ body: [UInt8]) -> LogIndex.Standing {
        guard keyring.isOwner else { return .sealed }
        do throws(Fault) {
            let settings = try Settings(body: body, teamKey: opening.teamKey, vault: vault, suite: suite)
            // Of two with the same revision the first counts.
            if settings.revision > self.settings?.revision ?? 0 || self.settings == nil { self.settings = settings }
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    private mutating func apply(_ put: Put, _ entry: LogIndex.Entry) throws(StoreError) {
        var entry = entry
        guard let key = opening.keyring.dataKeyEntries[put.dataKey], let keys = try matchKeys(of: key.group) else {
            entry.standing = .sealed
            return log.append(entry)
        }
        let name = ItemName(group: key.group.group, item: put.revision.item)
        do throws(Fault) {
            let content = try put.openedMatch(keys: keys, vault: vault, suite: suite)
            entry.match = VaultContents.Match(content)
        } catch {
            entry.standing = .invalid(error)
            return log.append(entry)
        }
        let current = try currentRevision(of: name, order: entry.match?.order ?? 0, in: key.group)
        guard current.map({ $0 < put.revision.number }) ?? true else {
            entry.standing = .invalid(.outOfOrder)
            entry.match = nil
            return log.append(entry)
        }
        append(entry, about: name)
    }

    /// Moves behind a frame that this process has written and applied.
    mutating func advance(to position: LogPosition, tag: FrameTag) {
        self.position = position
        self.tag = tag
    }

    /// Adds a record that counts.
    mutating func append(_ entry: LogIndex.Entry, about name: ItemName, isVerified: Bool = false) {
        // What a delete or a later revision hides is there until a compaction.
        let hidesSomething = entry.match.map { CreationOrder.sequence(of: $0.order) != entry.sequence } ?? true
        if hidesSomething { oldestGarbageTime = min(oldestGarbageTime ?? entry.time, entry.time) }
        log.append(entry, about: name, isVerified: isVerified)
    }

    private mutating func apply(_ delete: Delete, _ entry: LogIndex.Entry) throws(StoreError) {
        var entry = entry
        guard let keys = try matchKeys(of: delete.group) else {
            entry.standing = .sealed
            return log.append(entry)
        }
        guard delete.isAuthentic(keys: keys, vault: vault, suite: suite) else {
            entry.standing = .invalid(.notAuthentic)
            return log.append(entry)
        }
        let name = ItemName(group: delete.group.group, item: delete.revision.item)
        guard let item = try item(name), item.group == delete.group else { return log.append(entry) }
        guard item.revision.number < delete.revision.number else {
            entry.standing = .invalid(.outOfOrder)
            return log.append(entry)
        }
        append(entry, about: name)
    }

    /// The number of the revision that an item has, or nil if it is not there.
    private mutating func currentRevision(
        of name: ItemName,
        order: UInt64,
        in group: GroupEpoch
    ) throws(StoreError) -> UInt64? {
        if let state = log.items[name] { return state.put.flatMap { log.put($0)?.put.revision.number } }
        // An item that was added after the snapshot was made is not in it.
        guard CreationOrder.sequence(of: order) <= header.baseSequence else { return nil }
        return try item(name)?.revision.number
    }
}
