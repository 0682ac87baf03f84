internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Replacing the file, section 13: a new file is written beside the old one, synced and verified without the lock; under
// the locks of both, what was appended meanwhile is carried over, and the new file takes the name.
extension VaultStore {
    /// Replaces the file with one that has the same content and an empty log.
    ///
    /// Others can read and append in the meantime. If something fails, or another process has replaced the file by
    /// then, the file stays as it is.
    ///
    /// - Parameters:
    ///   - request: The options for the compaction.
    ///   - progress: A closure that is called from time to time, and returns false to cancel.
    /// - Returns: A report of what was done.
    /// - Throws: `compactionUnavailable` if the file cannot be replaced, `cancelled` if `progress` returns false, or
    ///   another `StoreError`.
    @discardableResult
    package func compact(
        _ request: CompactionRequest = CompactionRequest(),
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> CompactionReport {
        // One in the background would replace the file meanwhile.
        try background.stopped(environment.time) {
            Result { try compactBesideBackground(request, progress: progress) }
        }.get()
    }

    /// Throws if the keys at hand do not allow replacing the file.
    package func checkMayBeReplaced() throws {
        _ = try read { vault in try vault.ownerKey(toSign: vault.prelude.keybag) }
    }

    /// Compacts, whether or not a compaction is running in the background.
    func compactBesideBackground(
        _ request: CompactionRequest = CompactionRequest(),
        progress: @escaping (CompactionProgress) -> Bool
    ) throws -> CompactionReport {
        try serve {
            guard let place = opener.location.place else { throw unavailable(.noDirectory) }
            if let log = sharedLog { return try compactShared(log, request, progress) }
            for _ in 0..<Self.maximumAttemptCount {
                if let report = try attemptToCompact(place, request, progress) { return report }
            }
            throw StoreError.busy(path: path, holder: nil)
        }
    }

    /// How often others may take back frames that a compaction has already copied before it gives up.
    private static let maximumAttemptCount = 4

    /// Compacts, or returns nil without a change if frames in the new file were taken back meanwhile.
    private func attemptToCompact(
        _ place: (directory: any OpenDirectory, name: String),
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws -> CompactionReport? {
        let (old, byteCount) = try viewToCompact(accepting: request)
        try checkSpace(place.directory, for: byteCount)
        _ = try sweep(place)
        let (file, temporaryName) = try makeTemporaryFile(in: place)
        do {
            let report = try replace(old, with: file, named: temporaryName, in: place, request) {
                written in
                let progressed = CompactionProgress(byteCount: written, expectedByteCount: max(byteCount, written))
                guard progress(progressed) else { throw StoreError.cancelled }
            }
            if report == nil { try? place.directory.remove(temporaryName) }
            return report
        } catch {
            // Report the first error; the next compaction sweeps away what is left.
            try? place.directory.remove(temporaryName)
            throw error
        }
    }

    func unavailable(_ obstacle: CompactionObstacle) -> StoreError {
        .compactionUnavailable(obstacle, path: path)
    }

    /// Runs a step of replacing the file, which the system may refuse.
    func asReplacement<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FileError { throw unavailable(.file(error)) }
    }

    /// Returns the current vault and the size of its file.
    private func viewToCompact(accepting request: CompactionRequest) throws -> (OpenGeneration, Int) {
        _ = try currentReadOnlyReason()
        return try state.withLock { state in
            try refresh(&state)
            try readWholeLog(&state)
            try checkReplaceable(state.file.readOnlyReason, request)
            return (state.generation, state.file.byteCount)
        }
    }

    func checkReplaceable(_ reason: ReadOnlyReason?, _ request: CompactionRequest) throws {
        switch reason {
        // Replacing the file is the repair.
        case nil, .syncFailed: break
        case .anchor where request.acceptsHistory, .olderCopy where request.acceptsHistory: break
        case let reason?: throw StoreError.readOnly(reason, path: path)
        }
    }

    func checkSpace(_ directory: any OpenDirectory, for byteCount: Int) throws {
        let available = try directory.availableByteCount()
        // The new file, and as much again for other programs that fill the disk meanwhile.
        let needed = 2 * byteCount
        guard available >= needed else {
            throw unavailable(.noSpace(neededByteCount: needed, availableByteCount: available))
        }
    }

    /// Removes the temporary files of abandoned compactions, which nobody has locked.
    ///
    /// Returns whether there are files that others still use.
    func sweep(_ place: (directory: any OpenDirectory, name: String)) throws -> Bool {
        var isSomebodyAtIt = false
        let names = try asReplacement { try place.directory.names() }
        for name in names where DurableFile.isTemporaryName(name, for: place.name) {
            guard let file = try? place.directory.open(name, for: .writing), let isFree = try? file.tryLock(), isFree
            else {
                isSomebodyAtIt = true
                continue
            }
            try? place.directory.remove(name)
        }
        return isSomebodyAtIt
    }

    /// Creates a file beside the vault and locks it: that shows that a compaction is running, and keeps other writers
    /// out once the file has the name of the vault.
    func makeTemporaryFile(
        in place: (directory: any OpenDirectory, name: String)
    ) throws -> (file: any OpenFile, name: String) {
        for _ in 0..<Self.maximumSweepCount {
            let random = environment.random.number()
            let name = DurableFile.temporaryName(for: place.name, random: random)
            let file = try asReplacement { try place.directory.create(name) }
            do throws(FileError) {
                // Before it was locked, another process may have swept it away as abandoned.
                if try file.tryLock(), try file.status().identity == place.directory.status(of: name).identity {
                    return (file, name)
                }
            } catch {
                guard error.reason != .notFound else { continue }
                try? place.directory.remove(name)
                throw error
            }
        }
        throw StoreError.busy(path: path, holder: nil)
    }

    /// How often others may sweep a file away before this gives up.
    private static let maximumSweepCount = 16

    // MARK: - Writing

    private func replace(
        _ old: OpenGeneration,
        with file: any OpenFile,
        named temporaryName: String,
        in place: (directory: any OpenDirectory, name: String),
        _ request: CompactionRequest,
        progress: @escaping (Int) throws -> Void
    ) throws -> CompactionReport? {
        try copyAccess(of: old, for: file)
        var compaction = try Compaction(of: old, request: request)
        let built = try compaction.write(to: file, progress: progress)
        try syncNew(file)
        let roots = request.addition?.roots(beside: old.keyring.roots) ?? old.keyring.roots
        var new: OpenGeneration? = try verified(temporaryName, in: place.directory) { _ in roots }
        var carried = CarriedFrames(end: old.position, writer: LogWriter(continuing: built.start, keys: built.keys))
        guard try carryMostFrames(&carried, of: old, to: file, readBy: &new) else { return nil }

        var retired: OpenGeneration?
        // Releasing what was in memory of a large vault takes long, so writers do not wait for that too.
        defer { withExtendedLifetime(retired) {} }
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        return try state.withLock { state in
            try checkReplaceable(state.file.readOnlyReason, request)
            let current = state.generation
            guard current.identity == old.identity else { throw StoreError.replacedMeanwhile(path: path) }
            retired = current
            guard try carryFrames(&carried, of: old, in: current.source(), until: current.position, to: file) != nil
            else {
                return nil
            }
            let status = try opener.location.status(of: current.file)
            guard status.identity == current.identity else { throw StoreError.replacedMeanwhile(path: path) }
            try asReplacement { try place.directory.rename(temporaryName, to: place.name) }
            writers.replace(with: file)
            try adopt(file, place.directory, prepared: new, roots: roots, &state)
            return CompactionReport(
                generation: old.header.generation + request.generationStep,
                byteCountBefore: status.byteCount,
                byteCountAfter: carried.writer.position.offset,
                carriedRecordCount: built.carriedRecordCount,
                droppedRevisionCount: built.droppedRevisionCount
            )
        }
    }

    /// Gives the new file the owner, group and permissions of the old one.
    func copyAccess(of old: OpenGeneration, for file: any OpenFile) throws {
        try asReplacement {
            let (mine, theirs) = (try file.status(), try old.file.status())
            guard (mine.owner, mine.group, mine.permissions) != (theirs.owner, theirs.group, theirs.permissions) else {
                return
            }
            try file.copyAccess(of: theirs)
        }
    }

    func syncNew(_ file: any OpenFile) throws {
        try file.sync()
    }

    /// Reads the new file as any reader would, through another descriptor, and returns it.
    func verified(
        _ name: String,
        in directory: any OpenDirectory,
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> OpenGeneration {
        let reader = try directory.open(name, for: .reading)
        var generation = try OpenGeneration(
            reader,
            status: try reader.status(),
            environment: environment,
            anchor: { _ in nil },
            roots: roots
        )
        try generation.checkSnapshot()
        return generation
    }

    /// The frames that were added to the old file meanwhile and are in the new one.
    struct CarriedFrames {
        /// Where they end in the old file.
        var end: LogPosition
        /// Where the next one goes in the new file.
        var writer: LogWriter
    }

    /// With so few frames left, or after so many rounds, writers have to wait until the rest is carried.
    private static let fewFrames: UInt64 = 16
    private static let maximumRoundCount = 8

    /// Carries the frames that were added meanwhile while others go on adding, and reads them again.
    ///
    /// In each round there are fewer, since that takes less time than to add a frame durably. `new` becomes nil if a
    /// key among them makes earlier records readable, so that everything must be read again.
    private func carryMostFrames(
        _ carried: inout CarriedFrames,
        of old: OpenGeneration,
        to file: any OpenFile,
        readBy new: inout OpenGeneration?
    ) throws -> Bool {
        for _ in 0..<Self.maximumRoundCount {
            let (source, end) = try state.withLock { state in
                try refresh(&state)
                let current = state.generation
                guard current.identity == old.identity else { throw StoreError.replacedMeanwhile(path: path) }
                return (try current.source(), current.position)
            }
            guard end.sequence > carried.end.sequence + Self.fewFrames else { return true }
            guard try carryFrames(&carried, of: old, in: source, until: end, to: file) != nil else { return false }
            if case .rewritten? = try new?.catchUp(fileByteCount: carried.writer.position.offset) { new = nil }
        }
        return true
    }

    /// Seals the frames of the old file up to `end` for the new generation, and returns them.
    ///
    /// Returns nil if the old file no longer has all frames of the new one, because a sync of another process failed.
    func carryFrames(
        _ carried: inout CarriedFrames,
        of old: OpenGeneration,
        in source: FileSource,
        until end: LogPosition,
        to file: any OpenFile
    ) throws -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        guard carried.end != end else { return frames }
        var reader = LogReader(at: carried.end, in: source, keys: old.opening.keys)
        while reader.position.sequence < end.sequence {
            let frame = try reader.next()
            guard let frame else { return nil }
            let offset = carried.writer.position.offset
            let bytes = try carried.writer.frame(frame.records, time: frame.time)
            try file.writeAll(bytes.span, at: offset)
            frames.append(bytes)
        }
        guard reader.position == end else { return nil }
        carried.end = end
        try syncNew(file)
        return frames
    }

    /// Continues with the file that has taken the name.
    func adopt(
        _ file: any OpenFile,
        _ directory: any OpenDirectory,
        prepared: consuming OpenGeneration?,
        roots: Keyring.Roots,
        _ state: inout State
    ) throws {
        do throws(FileError) {
            try directory.sync()
        } catch {
            // After a power failure the old file may have the name again, so nothing may be appended to the new one.
            writers.pin()
            try? reopen(&state) { _ in roots }
            state.file.access = .readOnly(.syncFailed(error))
            throw StoreError.syncFailed(error)
        }
        // The new file goes on where the old one was, unless that had been set back.
        var writer: WriterID?
        if state.file.readOnlyReason?.isAboutHistory != true {
            writer = state.file.writer(&state.remembered.anchors, environment)
        }
        state.file.access = .full
        do {
            try reopen(&state, prepared: prepared) { _ in roots }
        } catch {
            // The file has been replaced all the same. Whoever reads it next tries again, and learns what is wrong.
            state.file.reading = .interrupted
            return
        }
        state.file.continueWriting(as: writer, environment)
        state.file.disk.isNameDurable = true
        state.file.disk.isDurable = true
        state.file.isTailClean = true
        // The state that the anchor remembers has been accepted or continued.
        if state.file.readOnlyReason?.isAboutHistory == true { state.file.access = .full }
        state.remembered.rollback = nil
        state.reach(state.generation.position)
        Self.removeIndex(of: state.generation.vault, in: options.anchorDirectory, environment: environment)
    }
}

extension VaultStore {
    /// Accepts a vault that is older or has a different history as the valid one from now on.
    ///
    /// The file is replaced with one whose generation is so much greater that the two histories cannot meet again, and
    /// the anchor is made durable: an older anchor would require accepting again after a power failure.
    @discardableResult
    package func acceptHistory() throws -> CompactionReport {
        try serve {
            var request = CompactionRequest()
            request.generationStep = 1 << 20
            request.acceptsHistory = true
            let report = try compact(request)
            try state.withLock { state in
                guard let accepted = state.anchor(at: state.generation.position) else { return }
                try state.remembered.anchors?.accept(accepted)
            }
            return report
        }
    }
}
