internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Reading runs and frames, and applying them to the items.
extension OpenGeneration {
    /// Reads runs and frames, keys first, so that the position of a key in them does not matter.
    mutating func readLog(_ source: FileSource, for purpose: ReadingPurpose) throws {
        let toleratesDamage = purpose != .use
        log.limitsUnread = !toleratesDamage
        var runs: [SnapshotRun] = []
        // What an index says includes the runs.
        for section in opening.directory.sections where section.kind == .run && !isIndexed {
            do {
                runs.append(try readRun(section, source))
            } catch let error as VaultFormatError {
                guard toleratesDamage else { throw failure(error) }
                log.note(try damage(.run, section, error))
            }
        }
        try readFrames(SequentialSource(source))
        if purpose == .salvage { try readFramesBehindGaps(SequentialSource(source)) }
        try judge(from: 0, toleratesDamage: toleratesDamage)
        for run in runs where !hasOnlyMembers(run) {
            // Its records were judged one by one nevertheless.
            let error = opening.disagreement(in: run.section)
            guard toleratesDamage else { throw failure(error) }
            log.note(try damage(.run, run.section, error))
        }
    }

    /// A run that was read.
    private struct SnapshotRun {
        let section: Section
        /// The numbers of its entries in the log.
        let entries: Range<Int>
        /// Whether records of unknown kinds, or that cannot be parsed, stayed in it.
        let hasUnread: Bool
    }

    /// Adds the records of a run.
    private mutating func readRun(_ section: Section, _ source: FileSource) throws -> SnapshotRun {
        let start = log.mark
        var number = 0
        log.beginRun(section.id)
        do {
            try opening.forEachEntry(ofRun: section, in: source) { entry throws(VaultFormatError) in
                let place = RecordPlace.run(section: section.id, record: number)
                number += 1
                do throws(Fault) {
                    try log.append(
                        entry.record,
                        at: place,
                        sequence: entry.sequence,
                        time: entry.time
                    )
                } catch {
                    throw VaultFormatError(error.reason, in: .snapshot, offset: section.offset)
                }
            }
        } catch {
            log.rollBack(to: start)
            throw error
        }
        return SnapshotRun(
            section: section,
            entries: start.entryCount..<log.entries.count,
            hasUnread: log.unread.count > start.unread.count
        )
    }

    /// Whether all records of a run may be in it; keys from records must have been added before.
    private func hasOnlyMembers(_ run: SnapshotRun) -> Bool {
        let group = run.section.group
        guard !run.hasUnread || group == .none else { return false }
        return log.entries[run.entries].allSatisfy { opening.belongs($0.record, to: group) }
    }

    /// Returns the damage of a section that is read as a whole; rethrows other errors, such as an unreadable file.
    func damage(
        _ part: VerificationReport.Damage.Part,
        _ section: Section,
        _ error: VaultFormatError
    ) throws -> VerificationReport.Damage {
        let range = opening.fileRange(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
        guard case .snapshotFailure(let fault, _) = error else { throw failure(error) }
        return VerificationReport.Damage(part: part, range: range, fault: fault, items: [])
    }

    /// Adds the records of the frames from the position on, which moves behind them; they are judged later.
    private mutating func readFrames(_ source: some ByteSource) throws {
        let end = try addFrames(from: position, in: source)
        frames.advance(to: end, tag: try FrameTag(before: end.offset, in: file))
    }

    /// Adds the records of the frames that follow one another from `start` on, and returns where they end.
    mutating func addFrames(from start: LogPosition, in source: some ByteSource) throws -> LogPosition {
        var reader = LogReader(at: start, in: source, keys: opening.keys)
        var offset = start.offset
        do {
            while let frame = try reader.next() {
                frames.add(at: offset, end: reader.position)
                offset = reader.position.offset
                for (number, record) in frame.records.enumerated() {
                    let place = RecordPlace.frame(sequence: frame.sequence, record: number)
                    try log.append(record, at: place, sequence: frame.sequence, time: frame.time)
                }
            }
        } catch let fault as Fault {
            throw failure(VaultFormatError(fault.reason, in: .snapshot, offset: offset))
        } catch {
            throw failure(error)
        }
        return reader.position
    }

    /// Judges the records from entry `first` on, and applies the valid ones.
    ///
    /// If damage is tolerated, an item that the snapshot cannot show is treated as missing from it.
    private mutating func judge(from first: Int, toleratesDamage: Bool = false) throws {
        guard isIndexed else { return try judgeRecords(from: first, toleratesDamage: toleratesDamage) }
        unreadLog.noteJudging(true)
        var isJudged = false
        do {
            try judgeRecords(from: first, toleratesDamage: toleratesDamage)
            isJudged = log.entries[first...].allSatisfy { $0.standing == .valid }
        } catch {
            // What is wrong with the vault itself shows again.
        }
        unreadLog.noteJudging(false)
        // A record that does not count must not be one that the index makes look so.
        if !isJudged { try completeLog() }
    }

    private mutating func judgeRecords(from first: Int, toleratesDamage: Bool) throws {
        var hasKeys = false
        for number in first..<log.entries.count {
            guard case .key(let key) = log.entries[number].record else { continue }
            log.setStanding(try added(key), of: number)
            hasKeys = true
        }
        if hasKeys { try openWaitingEntries() }
        noteKeys()
        for number in first..<log.entries.count {
            switch log.entries[number].record {
            case .put(let put): try judge(put, number, toleratesDamage: toleratesDamage)
            case .delete(let delete): try judge(delete, number, toleratesDamage: toleratesDamage)
            case .settings(let body): log.setStanding(settingsStanding(body), of: number)
            case .seen(let seen): try judge(seen, number, toleratesDamage: toleratesDamage)
            // Keys were added before, and the others stay in the file.
            case .key, .unknown, .malformed: break
            }
        }
        guard toleratesDamage || itemCount <= Limits.itemCount else {
            throw failure(VaultFormatError.limitExceeded(.items, value: UInt64(itemCount)))
        }
    }

    /// Adds a key, and returns the standing of its record.
    private mutating func added(_ key: KeybagEntry) throws -> LogIndex.Standing {
        do {
            try opening.append(key)
            return .valid
        } catch let fault as Fault {
            return .invalid(fault.reason)
        } catch {
            throw failure(VaultFormatError(ofKeys: error))
        }
    }

    /// Opens entries whose keys came with later key records; a record with one that is not genuine is invalid.
    private mutating func openWaitingEntries() throws {
        let removed: [(entry: KeybagEntry, fault: Fault.Reason)]
        do {
            removed = try opening.openWaitingEntries()
        } catch {
            throw failure(VaultFormatError(ofKeys: error))
        }
        for (entry, fault) in removed {
            let number = log.entries.firstIndex { $0.standing == .valid && $0.record == .key(entry) }
            if let number { log.setStanding(.invalid(fault), of: number) }
        }
    }

    /// Reads the frames that were added since.
    ///
    /// Bytes that do not verify may be an append in progress, so they are examined again the next time.
    mutating func catchUp(fileByteCount: Int) throws -> Progress {
        let start = position.offset - FrameTag.byteCount
        var probe = InlineArray<80, UInt8>(repeating: 0)
        var span = probe.mutableSpan
        let byteCount = try file.read(filling: &span, at: start)
        guard frames.tag.starts(span.span.extracting(..<byteCount)) else { return .rewritten }
        let next = span.span.extracting(min(FrameTag.byteCount, byteCount)..<byteCount)
        guard FrameHead.hasMagic(next) else { return next.isZero ? .unchanged : .disturbed }
        let first = log.entries.count
        let end = position.offset
        try readFrames(FileSource(file: file, byteCount: fileByteCount))
        // A key may make earlier records readable.
        let bringsKey = log.entries[first...].contains { $0.record.isKey }
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

    private mutating func settingsStanding(_ body: [UInt8]) -> LogIndex.Standing {
        do throws(Fault) {
            log.note(try SettingsRecord(body: body, teamKey: opening.teamKey, vault: vault))
            return .valid
        } catch {
            return .invalid(error.reason)
        }
    }

    private mutating func judge(_ put: Put, _ number: Int, toleratesDamage: Bool) throws {
        guard let group = opening.keyring.dataKeyEntries[put.dataKey]?.group, let keys = try matchKeys(of: group) else {
            return log.setStanding(.sealed, of: number)
        }
        let match: ItemMatch
        do throws(Fault) {
            match = ItemMatch(try put.openedMatch(keys: keys))
        } catch {
            return log.setStanding(.invalid(error.reason), of: number)
        }
        let name = ItemName(group: group.group, item: put.revision.item)
        guard !put.provenance.isPast else { return log.setMatch(match, of: number) }
        let assumed = LiveRevision(
            Revision(item: name.item, number: 0, salt: put.provenance.replacedSalt),
            epoch: group.epoch
        )
        let live = try live(of: name, assuming: toleratesDamage ? assumed : nil)
        let replaced = live[salt: put.provenance.replacedSalt]
        try loadSeen(of: group.group, toleratesDamage: toleratesDamage)
        // A gap, or an epoch without a match key, hides what was written before the put.
        let isClosed = closedGroups.contains(group.group)
        guard seen.isNext(put.provenance, in: group.group, mayLack: isClosed || isBehindGap(number)),
            replaced.map({ $0.number <= put.revision.number }) ?? true
        else { return log.setStanding(.invalid(.outOfOrder), of: number) }
        guard live[salt: put.revision.salt] == nil else { return log.setStanding(.invalid(.duplicate), of: number) }
        apply(put, number, match, about: name, live: live, epoch: group.epoch)
    }

    /// Lets a valid put change its item, and returns what the log said about that before.
    @discardableResult
    mutating func apply(
        _ put: Put,
        _ number: Int,
        _ match: ItemMatch,
        about name: ItemName,
        live: LiveRevisions,
        epoch: UInt32
    ) -> LogIndex.ItemState? {
        log.setMatch(match, of: number)
        guard !put.provenance.isPast else { return log.items[name] }
        let added = LiveRevision(put.revision, epoch: epoch, put: number)
        seen.insert(put.provenance.origin, in: name.group)
        return log.count(
            number,
            about: name,
            adding: added,
            ending: live[salt: put.provenance.replacedSalt],
            live: live
        )
    }

    /// Makes a group known to ``seen``; if damage is tolerated, with what can be read of its fences.
    mutating func loadSeen(of group: GroupID, toleratesDamage: Bool = false) throws {
        guard !seen.knows(group) else { return }
        var fenced = SeenPlaces()
        var isDamaged = opening.directoryFailure != nil
        for epoch in groups(with: group) {
            do {
                if let number = try sectionNumber(of: epoch) { fenced.formUnion(sections[number].reader.fence.seen) }
            } catch {
                guard toleratesDamage, error.isAboutSnapshot else { throw error }
                isDamaged = true
            }
        }
        seen.begin(group, fenced: fenced, indexed: try indexedFences(of: group).map(\.seen), isDamaged: isDamaged)
    }

    private mutating func judge(_ record: Seen, _ number: Int, toleratesDamage: Bool) throws {
        guard let keys = try matchKeys(of: record.group) else { return log.setStanding(.sealed, of: number) }
        guard record.isAuthentic(keys: keys) else { return log.setStanding(.invalid(.notAuthentic), of: number) }
        try loadSeen(of: record.group.group, toleratesDamage: toleratesDamage)
        for origin in record.origins { seen.insert(origin, in: record.group.group) }
    }

    private mutating func judge(_ delete: Delete, _ number: Int, toleratesDamage: Bool) throws {
        guard let keys = try matchKeys(of: delete.group) else { return log.setStanding(.sealed, of: number) }
        guard delete.isAuthentic(keys: keys) else {
            return log.setStanding(.invalid(.notAuthentic), of: number)
        }
        let name = ItemName(group: delete.group.group, item: delete.revision.item)
        let assumed = LiveRevision(delete.revision, epoch: delete.group.epoch)
        let live = try live(of: name, assuming: toleratesDamage ? assumed : nil)
        guard let ended = live[salt: delete.revision.salt], ended.number == delete.revision.number,
            ended.epoch == delete.group.epoch
        else { return }
        log.count(number, about: name, adding: nil, ending: ended, live: live)
    }

    /// Moves behind a frame that this process has written and applied.
    mutating func advance(to position: LogPosition, tag: FrameTag) {
        frames.add(at: self.position.offset, end: position)
        frames.advance(to: position, tag: tag)
    }

    /// Returns the live revisions of an item.
    ///
    /// If damage is tolerated, a snapshot that cannot show the item is assumed to have the revision that a record names.
    mutating func live(of name: ItemName, assuming assumed: LiveRevision? = nil) throws -> LiveRevisions {
        if let state = log.items[name] { return state.live }
        if isIndexed {
            if let live = try indexedLive(of: name) { return live }
            // If the log has been read meanwhile, it may say something.
            if let state = log.items[name] { return state.live }
        }
        do {
            var live = LiveRevisions()
            for group in groups(with: name.group) {
                for entry in try entries(withID: name.item, in: group) where !isDestroyed(entry, in: group) {
                    live.insert(LiveRevision(entry.revision, epoch: group.epoch))
                }
            }
            return live
        } catch {
            guard let assumed, error.isAboutSnapshot else { throw error }
            return LiveRevisions(assumed.salt == 0 ? [] : [assumed])
        }
    }
}
