internal import CofferBasics
package import VaultFiles
package import VaultFormat

/// Why a vault should be compacted.
package enum CompactionReason: Equatable, Sendable {
    /// The log is so long that opening takes too long.
    case longLog(byteCount: Int, limit: Int)
    /// Deleted or superseded data has been kept since this time, which is too long.
    case oldGarbage(since: Time)
}

extension OpenGeneration {
    private static var snapshotShare: Int { 8 }
    private static var longestGarbageLife: Int64 { 24 * 3600 * 1_000_000 }

    /// Returns why the vault should be compacted at `now`, or nil if it need not be.
    func compactionReason(now: Time, _ options: StoreOptions) -> CompactionReason? {
        let logByteCount = position.offset - header.logOffset
        let limit = max(options.logByteCountLimit, header.snapshotByteCount / Self.snapshotShare)
        if logByteCount > limit { return .longLog(byteCount: logByteCount, limit: limit) }
        guard let oldest = oldestGarbageTime else { return nil }
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(oldest.microseconds)
        return !overflow && age > Self.longestGarbageLife ? .oldGarbage(since: oldest) : nil
    }
}

extension VaultStore {
    /// Returns why the vault should be compacted now, or nil if it need not be.
    package func compactionReason() throws -> CompactionReason? {
        let now = Time(microseconds: environment.time.wallMicroseconds())
        return try read { vault in vault.compactionReason(now: now, options) }
    }

    /// Compacts and writes the index after a change, if that is due and the options say so.
    ///
    /// A load in relaxed transactions is indexed at its end.
    func workAfterChange(_ durability: Durability) {
        if options.dueCompaction == .withChange { compactIfDue() }
        let mayIndex = durability == .full
        if mayIndex, options.dueIndexing == .withChange { indexIfDue() }
        let compacts = options.dueCompaction == .inBackground && isCompactionDue
        guard compacts || mayIndex && options.dueIndexing == .inBackground && isIndexDue(after: 1) else { return }
        background.start { [self] shouldContinue in
            if compacts { return compactIfDue { _ in shouldContinue() } }
            // If a compaction gets due meanwhile, the next change starts it.
            indexInBackground { shouldContinue() && !(options.dueCompaction == .inBackground && isCompactionDue) }
        }
    }

    /// Requests that a background compaction stop; the next change starts another one if it is due.
    package func cancelBackgroundCompaction() { background.cancel() }

    /// Compacts the vault if that is due and no one else is doing it.
    ///
    /// All changes are already durable, so a failure does not affect them. It is recorded, and the compaction is tried
    /// again when the log has grown by half.
    package func compactIfDue(progress: @escaping (CompactionProgress) -> Bool = { _ in true }) {
        guard let place = opener.location.place, isCompactionDue else { return }
        do {
            guard try !sweep(place) else { return }
            _ = try compactBesideBackground(progress: progress)
            state.withLock { $0.failedCompaction = nil }
        } catch StoreError.cancelled {
        } catch {
            state.withLock { state in
                state.failedCompaction = (state.generation.position.offset, error)
            }
        }
    }

    /// Whether a compaction is due, and did not fail recently.
    private var isCompactionDue: Bool {
        let now = Time(microseconds: environment.time.wallMicroseconds())
        return state.withLock { state in
            // The first owner who opens the vault decides what is kept of the past: until then, nothing is dropped.
            let generation = state.generation
            guard generation.mayBeReplaced,
                generation.keyring.isOwner || !generation.isHistoryUndecided,
                generation.compactionReason(now: now, options) != nil
            else { return false }
            guard let attempt = state.failedCompaction else { return true }
            let end = generation.position.offset
            return end > attempt.offset + attempt.offset / 2
        }
    }

    /// Why the last due compaction failed, if it did.
    package var compactionFailure: (any Error)? { state.withLock { $0.failedCompaction?.error } }

    /// Findings about the file that users may not expect.
    package var warnings: [String] { state.withLock { $0.file.findings }.map { $0.description(of: path) } }

    /// Why the anchor of the vault cannot be read, if so.
    package var anchorFailure: FileError? { state.withLock { $0.remembered.failure } }

    /// How the anchor contradicts the vault, if it does.
    package var rollback: ReadOnlyReason? { state.withLock { $0.remembered.rollback } }

    /// How the vault is an older copy of a file at another location of this machine, if it is one.
    package var olderCopy: OlderCopy? {
        if case .olderCopy(let copy)? = readOnlyReason { copy } else { nil }
    }

    /// Sets whether a vault that was rolled back can be read from now on.
    package func acceptRollback(_ isAccepted: Bool) { state.withLock { $0.remembered.isAccepted = isAccepted } }

    /// What was cut off after the log since the vault was opened.
    package var recoveries: [TailRecovery] { state.withLock { $0.recoveries } }

    /// Why the vault may not be written, or nil if it may, as far as is known.
    package var readOnlyReason: ReadOnlyReason? { state.withLock { $0.file.readOnlyReason } }
}

/// The one compaction of a store that runs on a thread of its own.
///
/// It uses keys, so it is stopped before the vault is locked.
final class BackgroundCompaction: Sendable {
    private struct State {
        var isRunning = false
        var isCancelled = false
        /// The number of threads that want it stopped; while there are any, no compaction starts.
        var stopCount = 0
    }

    private let state = Guarded(State())

    /// Starts `body`, unless it is running or the system has no thread.
    ///
    /// `body` receives a function that returns whether to continue.
    func start(_ body: @escaping @Sendable (_ shouldContinue: @escaping () -> Bool) -> Void) {
        let isFree = state.withLock { state in
            guard !state.isRunning, state.stopCount == 0 else { return false }
            (state.isRunning, state.isCancelled) = (true, false)
            return true
        }
        guard isFree else { return }
        let isStarted = DedicatedThread.startIfPossible { [self] in
            body { [self] in state.withLock { $0.stopCount == 0 && !$0.isCancelled } }
            state.withLock { $0.isRunning = false }
        }
        if !isStarted { state.withLock { $0.isRunning = false } }
    }

    /// Requests that the compaction stop, without waiting for it.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Stops the compaction, waits until it has ended, and calls `body` while none can start.
    func stopped<Result>(_ time: any TimeSource, _ body: () -> Result) -> Result {
        state.withLock { $0.stopCount += 1 }
        defer { state.withLock { $0.stopCount -= 1 } }
        var pauses = RetryPauses(time, nanoseconds: .max)
        while state.withLock({ $0.isRunning }), pauses.pause() {}
        return body()
    }
}
