package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// One generation of a vault that is open: its snapshot, and the frames behind it as far as they have been read.
///
/// The file of a generation only grows. When it is replaced, the next generation is opened in its stead.
package struct OpenGeneration: Sendable {
    let environment: StoreEnvironment
    let file: any OpenFile
    let identity: FileStatus.Identity
    /// What tells this generation from all others.
    let mark: GenerationMark
    let prelude: VaultPrelude
    package internal(set) var opening: VaultOpening<SodiumSuite>
    var log: LogIndex
    /// Where the next frame goes.
    package internal(set) var position: LogPosition
    /// The last bytes before the position: if they change, somebody took frames back.
    var tag: FrameTag
    /// The chain value at the sequence number that an anchor asks for.
    private(set) var chainAtAnchor: ChainValue?
    /// What the owner has decided, if the settings can be trusted here.
    package internal(set) var settings: Settings?
    /// Runs of the snapshot that are damaged.
    private(set) var unreadableRuns: [VerificationReport.Damage] = []
    /// When the oldest delete or superseding put of the log was written.
    private(set) var oldestGarbageTime: Time?

    var epochsOfGroups: [GroupID: [GroupEpoch]] = [:]
    /// The sections that were opened so far.
    var sections: [SnapshotSection] = []
    var sectionNumbers: [GroupEpoch: Int] = [:]
    var matchKeys: [GroupEpoch: MatchKeys<SodiumSuite>] = [:]
    var dataKeys: [KeyHandle: DataKeys<SodiumSuite>] = [:]
    private let anchor: Anchor?

    package var header: Header { opening.header }
    package var vault: VaultID { opening.header.vault }
    package var keyring: Keyring<SodiumSuite> { opening.keyring }
    var path: String { file.path }

    /// How many items there are, of all groups and devices.
    var itemCount: Int {
        opening.directory.sections.reduce(log.itemBalance) { $0 + ($1.kind == .group ? $1.count : 0) }
    }
    var suite: SodiumSuite { environment.suite }

    /// Opens the vault in `file`: everything but pages, blocks and secrets.
    ///
    /// Where `toleratesDamage`, runs that cannot be read are noted and left out, to save the rest.
    init(
        _ file: any OpenFile,
        status: FileStatus,
        environment: StoreEnvironment,
        toleratesDamage: Bool = false,
        anchor: (VaultID) throws(StoreError) -> Anchor?,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring<SodiumSuite>.Roots
    ) throws(StoreError) {
        self.environment = environment
        self.file = file
        identity = status.identity
        let source = FileSource(file: file, byteCount: status.byteCount)
        let suite = environment.suite
        (prelude, opening) = try translating({ StoreError($0, path: file.path) }) { () throws(VaultFormatError) in
            let prelude = try VaultPrelude(of: source, suite: suite)
            let roots = try roots(prelude)
            return (
                prelude,
                try VaultOpening(prelude, roots: roots, toleratesDamage: toleratesDamage, suite: suite)
            )
        }
        mark = GenerationMark(of: prelude.header)
        log = LogIndex(baseSequence: prelude.header.baseSequence)
        // Before the log is read, so that what is appended meanwhile is not missed.
        self.anchor = try anchor(prelude.header.vault)
        position = opening.log(in: source, suite: suite).position
        tag = FrameTag()
        try readLog(source, toleratesDamage: toleratesDamage)
    }

    /// What the anchor says about the vault, if there is one; `tail` is what follows the log.
    func anchorVerdict(tail: TailVerdict) -> AnchorVerdict {
        guard let anchor else { return .fine }
        let reached = VaultPosition(
            generation: header.generation,
            baseSequence: header.baseSequence,
            previousChain: header.previousChain,
            lastSequence: position.sequence,
            isTailClean: tail == .clean,
            structureKeyEpoch: opening.structureEpoch
        )
        return anchor.verdict(on: reached) { sequence in
            sequence == anchor.sequence ? chainAtAnchor?.bytes : nil
        }
    }

    /// What follows the last frame that verifies.
    func tailVerdict(_ source: FileSource) throws(StoreError) -> TailVerdict {
        let reader = LogReader(at: position, in: source, keys: opening.keys, suite: suite)
        return try translating(failure) { () throws(VaultFormatError) in try reader.tailVerdict() }
    }

    func source() throws(StoreError) -> FileSource {
        let status = try translating(StoreError.file) { () throws(FileError) in try file.status() }
        return FileSource(file: file, byteCount: status.byteCount)
    }

    private func failure(_ error: VaultFormatError) -> StoreError { StoreError(error, path: path) }
}

// MARK: - The log

extension OpenGeneration {
    /// Reads runs and frames, keys first, so that it does not matter where in them a key stands.
    private mutating func readLog(_ source: FileSource, toleratesDamage: Bool) throws(StoreError) {
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
        noteEpochs()
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
        guard let key = keyring.dataKeyEntries[put.dataKey], let keys = try matchKeys(of: key.group) else {
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
