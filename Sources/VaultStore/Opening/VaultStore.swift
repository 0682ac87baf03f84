internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// An open vault: a durable log with an index in memory, which several threads and processes share.
///
/// Reading notices first what other processes have changed. Writing waits for others that write, for a bounded time.
/// All operations may be called from any thread, and none from a process that was forked.
package final class VaultStore: Sendable {
    /// What the file of the vault is, and how far it has come.
    struct State: ~Copyable {
        /// Nil only while a transaction has it.
        var generation: OpenGeneration?
        /// The file of the generation, and which one that is.
        let file: any OpenFile
        let identity: FileStatus.Identity
        /// The size of the file when it was last asked for, or written.
        var fileByteCount: Int
        /// Where the log ended when the file was opened.
        let firstOffset: Int
        /// What is known of the file on the disk.
        var disk: DiskState
        /// Whether nothing but zeros is known to follow the log, which only who has the lock can know.
        var isTailClean = false
        /// How much of the file as it is now was read.
        var reading = Reading.unknown
        var access: Access
        /// How the anchor contradicts the file, which can be read only if that is accepted.
        var rollback: ReadOnlyReason?
        var acceptsRollback: Bool
        /// Why the anchor cannot be read, if it cannot.
        let anchorFailure: FileError?
        var anchor: AnchorKeeper?
        /// What followed the log when the file was opened.
        let tail: TailVerdict
        var findings: [AccessReport.Finding]
        /// Why a compaction that was due has failed, and where the log ended then.
        var failedCompaction: (offset: Int, error: StoreError)?
        /// What was cut off.
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
            generation = opened.generation
        }

        /// Why the vault can only be read, if that is so.
        var readOnlyReason: ReadOnlyReason? {
            switch access {
            case .full: nil
            case .readOnly(let reason): reason
            case .unreadable(_, after: let error): .syncFailed(error)
            }
        }
    }

    /// What may be done with the vault.
    enum Access: Sendable {
        /// It can be read and written.
        case full
        /// It can only be read.
        case readOnly(ReadOnlyReason)
        /// A sync failed, and then what is left could not be read.
        case unreadable(StoreError, after: FileError)
    }

    /// How much of the file was read.
    enum Reading: Sendable {
        /// All that was there when it had this mark, by which it can be told whether it has changed.
        case upTo(ChangeMark)
        /// The file must be looked at to tell.
        case unknown
        /// Reading what others have appended failed in the middle.
        case interrupted
    }

    /// What is known of the file on the disk.
    struct DiskState: Sendable {
        /// How far the log is known to be durable.
        var durable: LogPosition
        /// Whether all frames that are there are known to be durable, which those of others are not.
        var isDurable = false
        /// Whether the file is known to keep its name when the power fails, which who replaced it may not have seen to.
        var isNameDurable = false
        /// Counts the syncs that failed: who wrote before one, and was not durable yet, has written nothing.
        private(set) var failureCount = 0
        private(set) var lastFailure: FileError?

        init(durable: LogPosition) { self.durable = durable }

        /// Notes that a sync failed.
        mutating func note(_ failure: FileError) {
            failureCount += 1
            lastFailure = failure
        }

        /// Notes that all frames are durable, the last of which ends at `position`.
        mutating func reachAll(_ position: LogPosition) {
            durable = position
            isDurable = true
        }

        /// Goes on from what was known before the vault was read anew, from the same file or another.
        mutating func continueAfter(_ former: DiskState, isSameFile: Bool) {
            // Who waits for a sync of the same file still has to.
            if isSameFile, former.durable.sequence < durable.sequence { durable = former.durable }
            (failureCount, lastFailure) = (former.failureCount, former.lastFailure)
        }
    }

    package let environment: StoreEnvironment
    let options: StoreOptions
    let opener: VaultOpener
    /// The process that opened the vault.
    private let process = ForkGuard()
    let state: Guarded<State>
    let writers: WriterLock
    /// Held by the thread that syncs; the others that wait find their frames durable when they get it.
    let syncing = Guarded<Void>(())

    /// How the vault is called.
    package var path: String { opener.location.path }

    /// A vault that was opened.
    ///
    /// - Throws: That it was rolled back, unless the options accept that.
    init(_ opened: VaultOpener.Opened, by opener: VaultOpener) throws(StoreError) {
        self.opener = opener
        environment = opener.environment
        options = opener.options
        writers = WriterLock(time: opener.environment.time)
        state = Guarded(State(opened, acceptsRollback: opener.options.acceptsRollback))
        try state.withLock { state throws(StoreError) in try checkRollback(state) }
    }

    /// Opens the vault at `path`.
    ///
    /// `roots` gets the part of the vault that anyone can read, and gives what opens the rest.
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

    /// Opens the vault in a file that somebody else has opened, to read it as it is then, and what is appended.
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

    /// Throws if the anchor shows that changes are missing, unless that is accepted.
    func checkRollback(_ state: borrowing State) throws(StoreError) {
        if let rollback = state.rollback, !state.acceptsRollback { throw .rolledBack(rollback, path: path) }
    }

    // MARK: - Reading

    /// Lends `body` the vault as it is now.
    ///
    /// - Throws: `rolledBack` if the anchor shows that changes are missing, and that is not accepted.
    package func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try checkProcess()
        return try state.withLock { state throws(StoreError) in
            try refresh(&state)
            try checkRollback(state)
            guard var generation = state.generation.take() else { preconditionFailure("a transaction reads by itself") }
            // Moved, not copied: a copy of it all would cost more than most reading.
            do throws(StoreError) {
                let result = try body(&generation)
                state.generation = consume generation
                return result
            } catch {
                state.generation = consume generation
                throw error
            }
        }
    }

    /// Notices what others have appended, or that they have replaced the file.
    func refresh(_ state: inout State, trustsStamps: Bool = true) throws(StoreError) {
        switch state.access {
        case .unreadable(let failure, after: _): throw failure
        // What cannot be taken back must not be shown.
        case .readOnly(.syncFailed): return
        case .full, .readOnly: break
        }
        // Before anything is read, so that what changes meanwhile shows the next time.
        let mark = try translating(StoreError.file, trustsStamps ? state.file.changeMark() : nil)
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
            // Some of the records may count already and others not: only to read all again tells.
            state.reading = .interrupted
            throw error
        }
        switch progress {
        case .rewritten:
            // Until that succeeds, records that were read already have not been judged.
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

    /// Opens what lies at the path of the vault now, with what it was opened with.
    ///
    /// Of a file that cannot be cut, no more is read than `byteCountLimit`.
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

    /// Opens what lies at the path of the vault now, with what `roots` finds.
    func reopen(
        _ state: inout State,
        byteCountLimit: Int? = nil,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) {
        guard let old = state.generation else { return }
        let opened = try opener.opened(current: old.file, byteCountLimit: byteCountLimit, roots: roots)
        let (recoveries, disk) = (state.recoveries, state.disk)
        state = State(opened, acceptsRollback: state.acceptsRollback)
        state.disk.continueAfter(disk, isSameFile: opened.generation.identity == old.identity)
        state.recoveries = recoveries
    }
}

/// What was cut off behind the last frame that verified, because an append had been interrupted.
package struct TailRecovery: Equatable, Sendable {
    package let offset: Int
    package let byteCount: Int
}
