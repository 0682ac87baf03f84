internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// A file beside that of a vault that is to take its name.
struct FileReplacement: ~Copyable {
    /// The vault in the old file.
    var old: OpenGeneration
    /// The vault in the new file; nil if it must be read again.
    var new: OpenGeneration?
    let file: any OpenFile
    /// What seals frames for the new file that are added to the old one meanwhile; nil if they cannot go there.
    var carried: CarriedFrames?
    /// Whether it is the repair of a vault that an anchor contradicts.
    fileprivate let acceptsHistory: Bool
    /// The roots that open the new file.
    fileprivate let roots: Keyring.Roots
    fileprivate let place: (directory: any OpenDirectory, name: String)
    fileprivate let temporaryName: String

    /// The sizes of the file before and after.
    struct Sizes {
        let before: Int
        let after: Int
    }

    /// The frames that were added to the old file meanwhile and are in the new one.
    struct CarriedFrames {
        /// Where they end in the old file.
        var end: LogPosition
        /// Where the next one goes in the new file.
        var writer: LogWriter
    }
}

// Replacing the file, section 13: a new file is written beside the old one, synced and verified; what was appended
// meanwhile is carried over; under the locks of both, the new file takes the name.
extension VaultStore {
    /// Replaces the file by another one with the same content.
    ///
    /// If something fails, the file stays as it is.
    ///
    /// - Parameters:
    ///   - old: The vault in the file.
    ///   - byteCount: About how large the new file will be.
    ///   - roots: What opens the new file.
    ///   - acceptsHistory: Whether this is the repair of a vault that an anchor contradicts.
    ///   - progress: A closure that is called from time to time, and returns false to cancel.
    ///   - prepare: A closure that does what must be done before the new file takes the name, and returns false if that
    ///     has failed because others took frames back. After it the caller must be the only writer.
    ///   - write: A closure that writes the new file, and returns what seals further frames for it, or nil if none can be
    ///     added.
    /// - Returns: The sizes; nil if the file stays as it is because frames that the new one has were taken back.
    /// - Throws: `replacedMeanwhile` if others have replaced the file, `cancelled` if `progress` returns false, or another
    ///   `StoreError`.
    func replaceFile(
        _ old: OpenGeneration,
        byteCount: Int,
        roots: (VaultPrelude) throws -> Keyring.Roots,
        acceptsHistory: Bool = false,
        _ progress: @escaping (CompactionProgress) -> Bool,
        preparing prepare: (inout FileReplacement) throws -> Bool,
        writing write: (any OpenFile, @escaping (Int) throws -> Void) throws -> LogWriter?
    ) throws -> FileReplacement.Sizes? {
        guard let place = opener.location.place else { throw unavailable(.noDirectory) }
        try checkSpace(place.directory, for: byteCount)
        _ = try sweep(place)
        let (file, temporaryName) = try makeTemporaryFile(in: place)
        do {
            try copyAccess(of: old, for: file)
            let writer = try write(file) { written in
                let progressed = CompactionProgress(byteCount: written, expectedByteCount: max(byteCount, written))
                guard progress(progressed) else { throw StoreError.cancelled }
            }
            try file.sync()
            let new = try verified(temporaryName, in: place.directory, roots: roots)
            var replacement = FileReplacement(
                old: old,
                new: new,
                file: file,
                carried: writer.map { FileReplacement.CarriedFrames(end: old.position, writer: $0) },
                acceptsHistory: acceptsHistory,
                roots: new.keyring.roots,
                place: place,
                temporaryName: temporaryName
            )
            let sizes = try prepare(&replacement) ? takeName(&replacement) : nil
            if sizes == nil { try? place.directory.remove(temporaryName) }
            return sizes
        } catch {
            // Report the first error; the next replacement sweeps away what is left.
            try? place.directory.remove(temporaryName)
            throw error
        }
    }

    /// Gives the new file the name of the vault, with what was added to the old one, and continues with it.
    private func takeName(_ replacement: inout FileReplacement) throws -> FileReplacement.Sizes? {
        var retired: OpenGeneration?
        // Releasing what was in memory of a large vault takes long, so writers do not wait for that too.
        defer { withExtendedLifetime(retired) {} }
        return try state.withLock { state in
            try checkReplaceable(state.file.readOnlyReason, acceptsHistory: replacement.acceptsHistory)
            let current = state.generation
            guard current.identity == replacement.old.identity else {
                throw StoreError.replacedMeanwhile(path: path)
            }
            retired = current
            guard try hasAllFrames(&replacement, of: current) else { return nil }
            let status = try opener.location.status(of: current.file)
            guard status.identity == current.identity else { throw StoreError.replacedMeanwhile(path: path) }
            let (file, place) = (replacement.file, replacement.place)
            try asReplacement { try place.directory.rename(replacement.temporaryName, to: place.name) }
            writers.replace(with: file)
            let after = replacement.carried?.writer.position.offset ?? replacement.new?.position.offset ?? 0
            try adopt(file, place.directory, prepared: replacement.new, roots: replacement.roots, &state)
            return FileReplacement.Sizes(before: status.byteCount, after: after)
        }
    }

    /// Carries the last frames; false if those that the new file has were taken back.
    private func hasAllFrames(_ replacement: inout FileReplacement, of current: OpenGeneration) throws -> Bool {
        guard replacement.carried != nil else {
            // A frame that was written before the lock was taken may have been taken back since.
            guard current.position == replacement.old.position else {
                throw StoreError.replacedMeanwhile(path: path)
            }
            return true
        }
        return try carryFrames(&replacement, in: current.source(), until: current.position) != nil
    }

    /// Returns the vault, which cannot change while the lock is held, and the size of its file.
    func viewToReplace() throws -> (OpenGeneration, Int) {
        try state.withLock { state in
            try checkReplaceable(state.file.readOnlyReason)
            return (state.generation, state.file.byteCount)
        }
    }

    /// Runs a step of replacing the file, which the system may refuse.
    func asReplacement<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FileError { throw unavailable(.file(error)) }
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

    /// With so few frames left, or after so many rounds, writers have to wait until the rest is carried.
    private static let fewFrames: UInt64 = 16
    private static let maximumRoundCount = 8

    /// Carries the frames that were added meanwhile while others go on adding, and reads them again.
    ///
    /// In each round there are fewer, since that takes less time than to add a frame durably. A key
    /// among them may make earlier records readable; then everything must be read again.
    func carryMostFrames(_ replacement: inout FileReplacement) throws -> Bool {
        for _ in 0..<Self.maximumRoundCount {
            let (source, end) = try state.withLock { state in
                try refresh(&state)
                let current = state.generation
                guard current.identity == replacement.old.identity else {
                    throw StoreError.replacedMeanwhile(path: path)
                }
                return (try current.source(), current.position)
            }
            guard let carried = replacement.carried, end.sequence > carried.end.sequence + Self.fewFrames else {
                return true
            }
            guard try carryFrames(&replacement, in: source, until: end) != nil else { return false }
            let fileByteCount = replacement.carried?.writer.position.offset ?? 0
            if case .rewritten? = try replacement.new?.catchUp(fileByteCount: fileByteCount) { replacement.new = nil }
        }
        return true
    }

    /// Seals the frames of the old file up to `end` for the new generation, and returns them.
    ///
    /// Returns nil if the old file no longer has all frames of the new one, because a sync of another process failed.
    func carryFrames(
        _ replacement: inout FileReplacement,
        in source: FileSource,
        until end: LogPosition
    ) throws -> [[UInt8]]? {
        guard var carried = replacement.carried, carried.end != end else { return [] }
        var frames: [[UInt8]] = []
        var reader = LogReader(at: carried.end, in: source, keys: replacement.old.opening.keys)
        while reader.position.sequence < end.sequence {
            let frame = try reader.next()
            guard let frame else { return nil }
            let offset = carried.writer.position.offset
            let bytes = try carried.writer.frame(frame.records, time: frame.time)
            try replacement.file.writeAll(bytes.span, at: offset)
            frames.append(bytes)
        }
        guard reader.position == end else { return nil }
        carried.end = end
        replacement.carried = carried
        try replacement.file.sync()
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
