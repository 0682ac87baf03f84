internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// An open vault: a durable log with an index in memory, shared by threads and processes.
///
/// Each read first notices what other processes have changed. Each write waits for other writers, for a bounded time.
/// All operations may be called from any thread, but not from a forked process.
package final class VaultStore: Sendable {
    /// The file of the vault, and how far it has come.
    struct State: ~Copyable {
        /// Nil only while a transaction uses it.
        var generation: OpenGeneration?
        /// The file of the generation, and the identity of that file.
        let file: any OpenFile
        let identity: FileStatus.Identity
        /// When the grant that opened the vault expires; a copy, since asking ``generation`` at each call would be slow.
        let expiry: Time?
        /// The size of the file when it was last queried or written.
        var fileByteCount: Int
        /// Where the log ended when the file was opened.
        let firstOffset: Int
        /// What is known about the file on disk.
        var disk: DiskState
        /// Whether only zeros are known to follow the log; only the holder of the lock can know that.
        var isTailClean = false
        /// How much of the current file has been read.
        var reading = Reading.unknown
        /// How often in a row nothing had changed.
        var quietLookCount = 0
        var access: Access
        /// How the anchor contradicts the file; the vault can then be read only if that is accepted.
        var rollback: ReadOnlyReason?
        var acceptsRollback: Bool
        /// Whether an index may stand for a part of the log; not once the whole of it was needed.
        var usesIndex = true
        /// Why the anchor cannot be read, if so.
        let anchorFailure: FileError?
        var anchor: Anchors?
        /// The id under which this process writes the open file; nil until it does.
        var writer: WriterID?
        var machineStart: MachineStart?
        /// What followed the log when the file was opened.
        let tail: TailVerdict
        var findings: [AccessReport.Finding]
        /// Why the last due compaction failed, and where the log ended then.
        var failedCompaction: (offset: Int, error: StoreError)?
        /// What was cut off the end of the log.
        var recoveries: [TailRecovery] = []

        init(_ opened: consuming VaultOpener.Opened, acceptsRollback: Bool) {
            self.acceptsRollback = acceptsRollback
            rollback = opened.rollback
            anchorFailure = opened.anchorFailure
            disk = DiskState(durable: opened.generation.position)
            firstOffset = opened.generation.position.offset
            fileByteCount = opened.status.byteCount
            access = opened.readOnlyReason.map { .readOnly($0) } ?? .full
            findings = opened.findings
            anchor = opened.anchor
            tail = opened.tail
            file = opened.generation.file
            identity = opened.generation.identity
            expiry = opened.generation.opening.expiry
            generation = opened.generation
        }

        /// Why the vault can only be read, if so.
        var readOnlyReason: ReadOnlyReason? {
            switch access {
            case .full: nil
            case .readOnly(let reason): reason
            case .unreadable(_, after: let error): .syncFailed(error)
            }
        }
    }

    /// How the vault can be accessed.
    enum Access: Sendable {
        /// It can be read and written.
        case full
        /// It can only be read.
        case readOnly(ReadOnlyReason)
        /// A sync failed, and afterwards the remaining file could not be read.
        case unreadable(StoreError, after: FileError)
    }

    /// How much of the file has been read.
    enum Reading: Sendable {
        /// Everything that was there when the file had this mark, which shows whether it has changed since.
        case upTo(ChangeMark)
        /// Unknown: the file must be checked.
        case unknown
        /// Reading what others have appended failed in the middle.
        case interrupted
    }

    /// What is known about the file on disk.
    struct DiskState: Sendable {
        /// How far the log is known to be durable.
        var durable: LogPosition
        /// Whether all frames in the file are known to be durable; those of other processes are not.
        var isDurable = false
        /// Whether the file is known to keep its name after a power failure; the process that replaced it may not have
        /// synced that.
        var isNameDurable = false
        /// Counts failed syncs: a frame that was not durable before one of them is lost.
        private(set) var failureCount = 0
        private(set) var lastFailure: FileError?

        init(durable: LogPosition) { self.durable = durable }

        /// Notes that a sync failed.
        mutating func note(_ failure: FileError) {
            failureCount += 1
            lastFailure = failure
        }

        /// Notes that all frames are durable, the last of which ends at `position`.
        mutating func noteAllDurable(_ position: LogPosition) {
            durable = position
            isDurable = true
        }

        /// Takes over what was known before the vault was read again, from the same file or another.
        mutating func continueAfter(_ former: DiskState, isSameFile: Bool) {
            // Writers that wait for a sync of the same file must still wait.
            if isSameFile, former.durable.sequence < durable.sequence { durable = former.durable }
            (failureCount, lastFailure) = (former.failureCount, former.lastFailure)
        }
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
    init(_ opened: VaultOpener.Opened, by opener: VaultOpener) throws(StoreError) {
        self.opener = opener
        environment = opener.environment
        options = opener.options
        writers = WriterLock(time: opener.environment.time)
        log = opener.options.sharedLog?(opened.generation.vault)
        state = Guarded(State(opened, acceptsRollback: opener.options.acceptsRollback))
        try state.withLock { state throws(StoreError) in
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
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) -> VaultStore {
        let place = try translating(StoreError.file, environment.files.locate(path))
        let location = VaultLocation(path: path, place: place)
        let opener = VaultOpener(location: location, environment: environment, options: options)
        return try VaultStore(opener.opened(current: nil, roots: roots), by: opener)
    }

    /// Opens the vault in a file that the caller opened, to read its current content and what is appended later.
    package static func open(
        descriptor: Int32,
        environment: StoreEnvironment,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) -> VaultStore {
        let file = try translating(StoreError.file, environment.files.adopt(descriptor: descriptor))
        let location = VaultLocation(path: file.path, place: nil)
        let opener = VaultOpener(location: location, environment: environment, options: StoreOptions())
        return try VaultStore(opener.opened(current: file, roots: roots), by: opener)
    }

    /// Throws in a process that was forked from the one that opened the vault.
    func checkProcess() throws(StoreError) {
        guard process.isSameProcess else { throw .usedAfterFork(path: path) }
    }

    /// Throws if the grant that opened the vault has expired.
    private func checkExpiry(_ state: borrowing State) throws(StoreError) {
        guard let expiry = state.expiry else { return }
        if expiry.microseconds <= environment.time.wallMicroseconds() { throw .vault(.grantExpired, path: path) }
    }

    /// Throws if the anchor shows that changes are missing, unless that is accepted.
    func checkRollback(_ state: borrowing State) throws(StoreError) {
        if let rollback = state.rollback, !state.acceptsRollback { throw .rolledBack(rollback, path: path) }
    }

    // MARK: - Reading

    /// Lends `body` the current vault.
    ///
    /// It is not generic: unspecialized code takes as long as looking an item up.
    ///
    /// - Throws: `rolledBack` if the anchor shows that changes are missing, and that is not accepted.
    package func lend(to body: (inout OpenGeneration) throws(StoreError) -> Void) throws(StoreError) {
        try checkProcess()
        try state.withLock { state throws(StoreError) in
            try refresh(&state)
            try checkRollback(state)
            do throws(StoreError) {
                // In place: moving everything out and back would take as long, too.
                guard try state.generation?.lend(to: body) != nil else {
                    preconditionFailure("read through the transaction")
                }
            } catch {
                guard state.generation?.unreadLog.isRefuted == true else { throw error }
                // Without its index, the file shows what is wrong.
                state.usesIndex = false
                try reopen(&state)
                try checkRollback(state)
                throw error
            }
        }
    }

    /// Lends `body` the current vault, as ``lend(to:)``, and returns its result.
    package func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var result: Result?
        try lend { vault throws(StoreError) in result = try body(&vault) }
        guard let result else { preconditionFailure("lend calls its body once") }
        return result
    }

    /// After how many looks without a change the stamp of the file is worth asking for.
    private static let leastQuietLookCount = 16

    /// Notices what others have appended, and whether they have replaced the file.
    func refresh(_ state: inout State, trustsStamps: Bool = true) throws(StoreError) {
        try checkExpiry(state)
        switch state.access {
        case .unreadable(let failure, after: _): throw failure
        // A change that failed to sync and could not be taken back must not be shown.
        case .readOnly(.syncFailed): return
        case .full, .readOnly: break
        }
        // Taken before reading, so that changes made meanwhile show the next time. Only when the file has been quiet:
        // asking for a stamp makes the next sync of a writer slower.
        let mayHaveMark = trustsStamps && state.quietLookCount >= Self.leastQuietLookCount
        let mark = try translating(StoreError.file, mayHaveMark ? state.file.changeMark() : nil)
        // The file may have been accepted since, which only the anchor shows.
        let isRefused = state.rollback != nil && !state.acceptsRollback
        if let mark, case .upTo(mark) = state.reading, !isRefused { return }
        let status = try opener.location.status(of: state.file)
        guard status.identity == state.identity, !isRefused else { return try reopen(&state) }
        if case .interrupted = state.reading { return try reopen(&state) }
        state.fileByteCount = status.byteCount
        state.reading = .unknown
        let progress: OpenGeneration.Progress?
        do throws(StoreError) {
            progress = try state.generation?.catchUp(fileByteCount: status.byteCount)
        } catch {
            // Some of the records may already count and others not: only reading everything again can tell.
            state.reading = .interrupted
            throw error
        }
        state.quietLookCount = progress == .unchanged ? state.quietLookCount + 1 : 0
        switch progress {
        case .rewritten:
            // Until that succeeds, the records already read have not been judged.
            state.reading = .interrupted
            try reopen(&state)
        case .appended:
            state.isTailClean = false
            state.disk.isDurable = false
            state.forgetTailVerdict()
        case .disturbed: state.isTailClean = false
        case .unchanged: state.reading = mark.map { .upTo($0) } ?? .unknown
        case nil: break
        }
    }

    /// Reads the whole log from now on, and reads it again if an index stood for a part of it.
    func readWholeLog(_ state: inout State) throws(StoreError) {
        state.usesIndex = false
        guard let end = state.generation?.unreadLog.end else { return }
        try reopen(&state)
        state.generation?.noteIndex(upTo: end.sequence)
    }

    /// Opens the file that is now at the path of the vault, with the same roots.
    ///
    /// If the file cannot be truncated, no more than `byteCountLimit` of it is read.
    func reopen(_ state: inout State, byteCountLimit: Int? = nil) throws(StoreError) {
        guard let old = state.generation else { return }
        var keybag: Keybag?
        do throws(StoreError) {
            try reopen(&state, byteCountLimit: byteCountLimit) { prelude in
                keybag = prelude.keybag
                return old.keyring.roots
            }
        } catch {
            if case .vault(.noMatch, _) = error { throw .keysChanged(path: path) }
            if case .vault(.keybagFailure, _) = error, let keybag, keybag != old.prelude.keybag,
                !old.keyring.opensStructureKey(in: keybag)
            {
                throw .keysChanged(path: path)
            }
            throw error
        }
    }

    /// Opens the file that is now at the path of the vault, with the roots that `roots` returns.
    func reopen(
        _ state: inout State,
        prepared: consuming OpenGeneration? = nil,
        byteCountLimit: Int? = nil,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) {
        guard let old = state.generation else { return }
        let opened = try opener.opened(
            current: old.file,
            prepared: prepared,
            byteCountLimit: byteCountLimit,
            usesIndex: state.usesIndex,
            roots: roots
        )
        let (recoveries, disk, usesIndex) = (state.recoveries, state.disk, state.usesIndex)
        state = State(opened, acceptsRollback: state.acceptsRollback)
        state.usesIndex = usesIndex
        state.disk.continueAfter(disk, isSameFile: opened.generation.identity == old.identity)
        state.recoveries = recoveries
    }
}

/// The bytes of an interrupted append, cut off after the last frame that verifies.
package struct TailRecovery: Equatable, Sendable {
    package let offset: Int
    package let byteCount: Int
}
