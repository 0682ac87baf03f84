internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Reading runs and frames, and applying them to the items.
extension OpenGeneration {
    /// Reads runs and frames, keys first, so that the position of a key in them does not matter.
    mutating func readLog(_ source: FileSource, toleratesDamage: Bool) throws(StoreError) {
        log.limitsUnread = !toleratesDamage
        var runs: [SnapshotRun] = []
        for section in opening.directory.sections where section.kind == .run {
            do throws(VaultFormatError) {
                runs.append(try readRun(section, source))
            } catch {
                guard toleratesDamage else { throw failure(error) }
                damagedRuns.append(try damage(.run, section, error))
            }
        }
        try readFrames(SequentialSource(source))
        try judge(from: 0, toleratesDamage: toleratesDamage)
        for run in runs where !hasOnlyMembers(run) {
            // Its records were judged one by one nevertheless.
            let error = opening.disagreement(in: run.section)
            guard toleratesDamage else { throw failure(error) }
            damagedRuns.append(try damage(.run, run.section, error))
        }
    }

    /// A run that was read.
    private struct SnapshotRun {
        let section: Section
        /// The numbers of its entries in the log.
        let entries: Range<Int>
        /// Whether records of unknown kinds stayed in it.
        let hasUnknown: Bool
    }

    /// Adds the records of a run.
    private mutating func readRun(_ section: Section, _ source: FileSource) throws(VaultFormatError) -> SnapshotRun {
        let (first, unread) = (log.entries.count, log.unread)
        var number = 0
        log.beginRun(section.id)
        do throws(VaultFormatError) {
            try opening.forEachEntry(ofRun: section, in: source) { entry throws(VaultFormatError) in
                let place = RecordPlace.run(section: section.id, record: number)
                number += 1
                do throws(Fault) {
                    try log.append(entry.record, at: place, sequence: entry.sequence, time: entry.time)
                } catch {
                    throw VaultFormatError(error, in: .snapshot, offset: section.offset)
                }
            }
        } catch {
            log.removeRun(from: first, restoring: unread)
            throw error
        }
        return SnapshotRun(
            section: section,
            entries: first..<log.entries.count,
            hasUnknown: log.unread.unknownCount > unread.unknownCount
        )
    }

    /// Whether all records of a run may be in it; keys from records must have been added before.
    private func hasOnlyMembers(_ run: SnapshotRun) -> Bool {
        let group = run.section.group
        guard !run.hasUnknown || group == .none else { return false }
        return log.entries[run.entries].allSatisfy { opening.belongs($0.record, to: group) }
    }

    /// Returns the damage of a section that is read as a whole; rethrows other errors, such as an unreadable file.
    func damage(
        _ part: VerificationReport.Damage.Part,
        _ section: Section,
        _ error: VaultFormatError
    ) throws(StoreError) -> VerificationReport.Damage {
        let range = opening.fileRange(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
        guard case .snapshotFailure(let fault, _) = error else { throw failure(error) }
        return VerificationReport.Damage(part: part, range: range, fault: fault, items: [])
    }

    /// Adds the records of the frames from the position on, which moves behind them; they are judged later.
    private mutating func readFrames(_ source: some ByteSource) throws(StoreError) {
        var reader = LogReader(at: position, in: source, keys: opening.keys)
        noteChain(position)
        // Captures only the path, since a method would bring a copy of the whole generation for each frame.
        let path = path
        let failure: (VaultFormatError) -> StoreError = { StoreError($0, path: path) }
        while let frame = try translating(failure, reader.next()) {
            for (number, record) in frame.records.enumerated() {
                let place = RecordPlace.frame(sequence: frame.sequence, record: number)
                do throws(Fault) {
                    try log.append(record, at: place, sequence: frame.sequence, time: frame.time)
                } catch {
                    throw failure(VaultFormatError(error, in: .snapshot, offset: reader.position.offset))
                }
            }
            noteChain(reader.position)
        }
        position = reader.position
        tag = try FrameTag(before: position.offset, in: file)
    }

    private mutating func noteChain(_ position: LogPosition) {
        if position.sequence == anchor?.sequence { chainAtAnchor = position.chain }
    }

    /// Judges the records from entry `first` on, and applies the valid ones.
    ///
    /// If damage is tolerated, an item that the snapshot cannot show is treated as missing from it.
    private mutating func judge(from first: Int, toleratesDamage: Bool = false) throws(StoreError) {
        for number in first..<log.entries.count {
            if case .key(let key) = log.entries[number].record { log.setStanding(try added(key), of: number) }
        }
        noteKeys()
        for number in first..<log.entries.count {
            switch log.entries[number].record {
            case .put(let put): try judge(put, number, toleratesDamage: toleratesDamage)
            case .delete(let delete): try judge(delete, number, toleratesDamage: toleratesDamage)
            case .settings(let body): log.setStanding(settingsStanding(body), of: number)
            // Keys were added before, and the others stay in the file.
            case .key, .unknown, .malformed: break
            }
        }
    }

    /// Adds a key, and returns the standing of its record.
    private mutating func added(_ key: KeybagEntry) throws(StoreError) -> LogIndex.Standing {
        do throws(Fault) {
            try opening.append(key)
            return .valid
        } catch {
            if case .cipher(let error) = error { throw failure(.unavailable(.cipher(error))) }
            return .invalid(error)
        }
    }

    /// Reads the frames that were added since.
    ///
    /// Bytes that do not verify may be an append in progress, so they are examined again the next time.
    mutating func catchUp(fileByteCount: Int) throws(StoreError) -> Progress {
        let start = position.offset - FrameTag.byteCount
        var probe = InlineArray<80, UInt8>(repeating: 0)
        var span = probe.mutableSpan
        let byteCount = try translating(StoreError.file, file.read(filling: &span, at: start))
        guard tag.starts(span.span.extracting(..<byteCount)) else { return .rewritten }
        let next = span.span.extracting(min(FrameTag.byteCount, byteCount)..<byteCount)
        guard FrameHead.hasMagic(next) else { return next.isZero ? .unchanged : .disturbed }
        let first = log.entries.count
        let end = position.offset
        try readFrames(FileSource(file: file, byteCount: fileByteCount))
        // A key may make earlier records readable.
        let bringsKey = log.entries[first...].contains { if case .key = $0.record { true } else { false } }
        if bringsKey, log.entries[..<first].contains(where: { $0.standing == .sealed }) { return .rewritten }
        try judge(from: first)
        return position.offset == end ? .disturbed : .appended(from: first)
    }

    /// What happened to the file since it was last read.
    enum Progress: Equatable, Sendable {
        case unchanged
        /// Bytes follow that are not a frame: one that is being written, or what is left of one.
        case disturbed
        /// Frames were added, with records from this number on.
        case appended(from: Int)
        /// What was read is incomplete or no longer there: the file must be read again.
        case rewritten
    }

    /// Settings count only for holders of the user root: others cannot tell whose team key it is.
    private mutating func settingsStanding(_ body: [UInt8]) -> LogIndex.Standing {
        guard keyring.isOwner else { return .sealed }
        do throws(Fault) {
            let settings = try Settings(body: body, teamKey: opening.teamKey, vault: vault)
            // Of two with the same revision, the first counts.
            if settings.revision > self.settings?.revision ?? 0 || self.settings == nil { self.settings = settings }
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    private mutating func judge(_ put: Put, _ number: Int, toleratesDamage: Bool) throws(StoreError) {
        guard let group = opening.keyring.dataKeyEntries[put.dataKey]?.group, let keys = try matchKeys(of: group) else {
            return log.setStanding(.sealed, of: number)
        }
        let match: ItemMatch
        do throws(Fault) {
            match = ItemMatch(try put.openedMatch(keys: keys))
        } catch {
            return log.setStanding(.invalid(error), of: number)
        }
        let name = ItemName(group: group.group, item: put.revision.item)
        let current = try currentState(of: name, order: match.order, toleratesDamage: toleratesDamage)
        guard current.map({ $0.revision < put.revision.number }) ?? true else {
            return log.setStanding(.invalid(.outOfOrder), of: number)
        }
        // With different digests, it would hide the state before it from lookups.
        if let current, current.digests != match.digests, let fault = try fault(of: put, match) {
            return log.setInvalid(number, about: name, fault: fault)
        }
        count(number, about: name, match: match, isInSnapshot: current != nil)
    }

    private mutating func judge(_ delete: Delete, _ number: Int, toleratesDamage: Bool) throws(StoreError) {
        guard let keys = try matchKeys(of: delete.group) else { return log.setStanding(.sealed, of: number) }
        guard delete.isAuthentic(keys: keys) else {
            return log.setStanding(.invalid(.notAuthentic), of: number)
        }
        let name = ItemName(group: delete.group.group, item: delete.revision.item)
        do throws(StoreError) {
            guard let item = try item(name) else {
                // Its id leads to nothing, but a page may still list it.
                if log.items[name] == nil { log.count(number, about: name, match: nil, isInSnapshot: false) }
                return
            }
            guard item.group == delete.group else { return }
            guard item.revision.number < delete.revision.number else {
                return log.setStanding(.invalid(.outOfOrder), of: number)
            }
        } catch {
            // It is authentic, so an item that cannot be found is gone in any case.
            guard toleratesDamage, error.isAboutSnapshot else { throw error }
        }
        count(number, about: name, match: nil, isInSnapshot: true)
    }

    /// Moves behind a frame that this process has written and applied.
    mutating func advance(to position: LogPosition, tag: FrameTag) {
        self.position = position
        self.tag = tag
    }

    /// Applies the last record, which this process wrote.
    mutating func countLast(about name: ItemName, match: ItemMatch?, isInSnapshot: Bool) {
        count(log.entries.count - 1, about: name, match: match, isInSnapshot: isInSnapshot, isVerified: true)
    }

    private mutating func count(
        _ number: Int,
        about name: ItemName,
        match: ItemMatch?,
        isInSnapshot: Bool,
        isVerified: Bool = false
    ) {
        // What a delete or a later revision hides stays until a compaction.
        let (sequence, time) = (log.entries[number].sequence, log.entries[number].time)
        let hidesSomething = match.map { CreationOrder.sequence(of: $0.order) != sequence } ?? true
        if hidesSomething { oldestGarbageTime = min(oldestGarbageTime ?? time, time) }
        log.count(number, about: name, match: match, isInSnapshot: isInSnapshot, isVerified: isVerified)
    }

    /// Returns the revision number and the digests of an item, or nil if none exists.
    private mutating func currentState(
        of name: ItemName,
        order: UInt64,
        toleratesDamage: Bool
    ) throws(StoreError) -> (revision: UInt64, digests: MatchDigests)? {
        if let state = log.items[name] {
            return state.put.flatMap { log.put($0) }.map { ($0.put.revision.number, $0.match.digests) }
        }
        // An item that was added after the snapshot is not in it.
        guard CreationOrder.sequence(of: order) <= header.baseSequence else { return nil }
        do throws(StoreError) {
            return try item(name).map { ($0.revision.number, $0.digests) }
        } catch {
            guard toleratesDamage, error.isAboutSnapshot else { throw error }
            return nil
        }
    }
}
