internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// An open vault: a durable log with an index in memory, shared by threads and processes.
///
/// Each read first notices what other processes have changed. Each write waits for other writers, for a bounded time.
/// All operations may be called from any thread, but not from a forked process.
package final class VaultStore: Sendable {
    /// The vault as it was read last, and what is known about its file.
    struct State: ~Copyable {
        /// A transaction works on it in place of this, and gives it back: see ``sealing(_:isClosing:_:use:)``.
        var generation: OpenGeneration
        var file: FileState
        var remembered: RememberedHistory
        /// Whether an index may stand for a part of the log; not once the whole of it was needed.
        var usesIndex = true
        /// Why the last due compaction failed, and where the log ended then.
        var failedCompaction: (offset: Int, error: any Error)?
        /// What was cut off the end of the log.
        var recoveries: [TailRecovery] = []

        init(_ opened: consuming VaultOpener.Opened, acceptsRollback: Bool) {
            file = FileState(opened)
            remembered = RememberedHistory(
                anchors: opened.anchor,
                failure: opened.anchorFailure,
                rollback: opened.rollback,
                isAccepted: acceptsRollback
            )
            generation = opened.generation
        }
    }

    /// What this machine remembers of the vault, and how the file contradicts that.
    struct RememberedHistory: Sendable {
        var anchors: Anchors?
        /// Why the anchor cannot be read, if so.
        let failure: FileError?
        /// How the anchor contradicts the file; the vault can then be read only if that is accepted.
        var rollback: ReadOnlyReason?
        var isAccepted: Bool
    }

    package let environment: StoreEnvironment
    let options: StoreOptions
    let opener: VaultOpener
    /// The log that this vault shares with other machines if it is a shared one.
    let log: (any SharedLog)?
    /// The process that opened the vault.
    let process = ForkGuard()
    let state: Guarded<State>
    let writers: WriterLock
    /// Held by the thread that syncs; waiting threads find their frames durable once they get it.
    let syncing = Guarded<Void>(())
    /// Held by the thread that writes the index of the log.
    let indexing = Guarded<Void>(())
    let background = BackgroundCompaction()

    /// The path to show to users.
    package var path: String { opener.location.path }

    /// Creates the store of an opened vault.
    ///
    /// - Throws: `rolledBack` if the vault was rolled back, unless the options accept that.
    init(_ opened: consuming VaultOpener.Opened, by opener: VaultOpener) throws {
        self.opener = opener
        environment = opener.environment
        options = opener.options
        writers = WriterLock(time: opener.environment.time)
        log = opener.options.sharedLog?(opened.generation.vault)
        state = Guarded(State(opened, acceptsRollback: opener.options.acceptsRollback))
        try state.withLock { state in
            try checkExpiry(state)
            try checkRollback(state)
        }
    }

    /// Opens the vault at `path`.
    ///
    /// `roots` receives the part of the vault that anyone can read, and returns the roots that open the rest.
    package static func open(
        at path: String,
        environment: StoreEnvironment,
        options: StoreOptions = StoreOptions(),
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> VaultStore {
        try serve(path) {
            let place = try environment.files.locate(path)
            let location = VaultLocation(path: path, place: place)
            let opener = VaultOpener(location: location, environment: environment, options: options)
            return try VaultStore(opener.opened(current: nil, roots: roots), by: opener)
        }
    }

    /// Opens the vault in a file that the caller opened, to read its current content and what is appended later.
    package static func open(
        descriptor: Int32,
        environment: StoreEnvironment,
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> VaultStore {
        try serve("descriptor \(descriptor)") {
            let file = try environment.files.adopt(descriptor: descriptor)
            let location = VaultLocation(path: file.path, place: nil)
            let opener = VaultOpener(location: location, environment: environment, options: StoreOptions())
            return try VaultStore(opener.opened(current: file, roots: roots), by: opener)
        }
    }

    /// Does what another module asks for.
    ///
    /// - Throws: `StoreError`, or what a closure of the caller throws; `usedAfterFork` in a process that was forked from
    ///   the one that opened the vault.
    func serve<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        guard process.isSameProcess else { throw StoreError.usedAfterFork(path: path) }
        return try Self.serve(path, body)
    }

    /// Does what another module asks for with the vault at `path`.
    static func serve<Result: ~Copyable>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw StoreError.outside(error, path: path) }
    }

    /// Throws if the grant that opened the vault has expired.
    private func checkExpiry(_ state: borrowing State) throws {
        guard let expiry = state.generation.opening.expiry else { return }
        if expiry.microseconds <= environment.time.wallMicroseconds() {
            throw StoreError.vault(.grantExpired, path: path)
        }
    }

    /// Throws if the anchor shows that changes are missing, unless that is accepted.
    func checkRollback(_ state: borrowing State) throws {
        if let rollback = state.remembered.rollback, !state.remembered.isAccepted {
            throw StoreError.rolledBack(rollback, path: path)
        }
    }

    // MARK: - Reading

    /// Lends `body` the current vault.
    ///
    /// It is not generic: unspecialized code takes as long as looking an item up.
    ///
    /// - Throws: `rolledBack` if the anchor shows that changes are missing, and that is not accepted.
    package func lend(to body: (inout OpenGeneration) throws -> Void) throws {
        try serve {
            try state.withLock { state in
                try refresh(&state)
                try checkRollback(state)
                do {
                    try body(&state.generation)
                } catch {
                    guard state.generation.unreadLog.isRefuted else { throw error }
                    // Without its index, the file shows what is wrong.
                    state.usesIndex = false
                    try reopen(&state)
                    try checkRollback(state)
                    throw error
                }
            }
        }
    }

    /// Lends `body` the current vault, as ``lend(to:)``, and returns its result.
    package func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration) throws -> Result
    ) throws -> Result {
        var result: Result?
        try lend { vault in result = try body(&vault) }
        guard let result else { preconditionFailure("lend calls its body once") }
        return result
    }

    /// After how many looks without a change the stamp of the file is worth asking for.
    private static let leastQuietLookCount = 16

    /// Notices what others have appended, and whether they have replaced the file.
    func refresh(_ state: inout State, trustsStamps: Bool = true) throws {
        try checkExpiry(state)
        switch state.file.access {
        case .unreadable(let failure, after: _): throw failure
        // A change that failed to sync and could not be taken back must not be shown.
        case .readOnly(.syncFailed): return
        case .full, .readOnly: break
        }
        // Taken before reading, so that changes made meanwhile show the next time. Only when the file has been quiet:
        // asking for a stamp makes the next sync of a writer slower.
        let mayHaveMark = trustsStamps && state.file.quietLookCount >= Self.leastQuietLookCount
        let mark = try mayHaveMark ? state.file.handle.changeMark() : nil
        // The file may have been accepted since, which only the anchor shows.
        let isRefused = state.remembered.rollback != nil && !state.remembered.isAccepted
        if let mark, case .upTo(mark) = state.file.reading, !isRefused { return }
        let status = try opener.location.status(of: state.file.handle)
        guard status.identity == state.file.identity, !isRefused else { return try reopen(&state) }
        if case .interrupted = state.file.reading { return try reopen(&state) }
        state.file.byteCount = status.byteCount
        state.file.reading = .unknown
        let progress: OpenGeneration.Progress
        do {
            progress = try state.generation.catchUp(fileByteCount: status.byteCount)
        } catch {
            // Some of the records may already count and others not: only reading everything again can tell.
            state.file.reading = .interrupted
            throw error
        }
        state.file.quietLookCount = progress == .unchanged ? state.file.quietLookCount + 1 : 0
        switch progress {
        case .rewritten:
            // Until that succeeds, the records already read have not been judged.
            state.file.reading = .interrupted
            try reopen(&state)
        case .appended:
            state.file.isTailClean = false
            state.file.disk.isDurable = false
            state.file.forgetTailVerdict()
        case .disturbed: state.file.isTailClean = false
        case .unchanged: state.file.reading = mark.map { .upTo($0) } ?? .unknown
        }
    }

    /// Reads the whole log from now on, and reads it again if an index stood for a part of it.
    func readWholeLog(_ state: inout State) throws {
        state.usesIndex = false
        guard let end = state.generation.unreadLog.end else { return }
        try reopen(&state)
        state.generation.log.noteIndex(upTo: end.sequence)
    }

    /// Opens the file that is now at the path of the vault, with the same roots.
    ///
    /// If the file cannot be truncated, no more than `byteCountLimit` of it is read.
    func reopen(_ state: inout State, byteCountLimit: Int? = nil) throws {
        let old = state.generation
        var keybag: Keybag?
        do {
            try reopen(&state, byteCountLimit: byteCountLimit) { prelude in
                keybag = prelude.keybag
                return old.keyring.roots
            }
        } catch {
            if case StoreError.vault(.noMatch, _) = error { throw StoreError.keysChanged(path: path) }
            if case StoreError.vault(.keybagFailure, _) = error, let keybag, keybag != old.prelude.keybag,
                !old.keyring.opensStructureKey(in: keybag)
            {
                throw StoreError.keysChanged(path: path)
            }
            throw error
        }
    }

    /// Opens the file that is now at the path of the vault, with the roots that `roots` returns.
    func reopen(
        _ state: inout State,
        prepared: consuming OpenGeneration? = nil,
        byteCountLimit: Int? = nil,
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws {
        let old = state.generation
        let opened = try opener.opened(
            current: old.file,
            prepared: prepared,
            byteCountLimit: byteCountLimit,
            usesIndex: state.usesIndex,
            roots: roots
        )
        let (recoveries, disk, usesIndex) = (state.recoveries, state.file.disk, state.usesIndex)
        state = State(opened, acceptsRollback: state.remembered.isAccepted)
        state.usesIndex = usesIndex
        state.file.disk.continueAfter(disk, isSameFile: state.generation.identity == old.identity)
        state.recoveries = recoveries
    }
}

/// The bytes of an interrupted append, cut off after the last frame that verifies.
package struct TailRecovery: Equatable, Sendable {
    package let offset: Int
    package let byteCount: Int
}
