internal import CofferBasics
package import VaultFiles
package import VaultFormat

/// Why a vault should be compacted.
package enum CompactionReason: Equatable, Sendable {
    /// The log is longer than opening should take.
    case longLog(byteCount: Int, limit: Int)
    /// What was deleted or superseded is still there, since this time.
    case oldGarbage(since: Time)
}

/// When a compaction is due.
enum CompactionRule {
    private static let snapshotShare = 4
    private static let longestGarbageLife: Int64 = 24 * 3600 * 1_000_000

    /// Why `vault` should be compacted at `now`, or nil if it need not be.
    static func reason(for vault: OpenGeneration, now: Time, _ options: StoreOptions) -> CompactionReason? {
        let logByteCount = vault.position.offset - vault.header.logOffset
        let limit = max(options.logByteCountLimit, vault.header.snapshotByteCount / snapshotShare)
        if logByteCount > limit { return .longLog(byteCount: logByteCount, limit: limit) }
        guard let oldest = vault.oldestGarbageTime else { return nil }
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(oldest.microseconds)
        return !overflow && age > longestGarbageLife ? .oldGarbage(since: oldest) : nil
    }
}

extension VaultStore {
    /// Why the vault should be compacted now, or nil if it need not be.
    package func compactionReason() throws(StoreError) -> CompactionReason? {
        let now = Time(microseconds: environment.time.wallMicroseconds())
        return try read { vault in CompactionRule.reason(for: vault, now: now, options) }
    }

    /// Compacts after a change, if that is due, and nobody else is at it.
    ///
    /// The change is durable already, so what goes wrong here is no failure of it; it is kept to be asked for, and tried
    /// again when the log has grown by half.
    func compactIfDue() {
        guard options.compactsWhenDue, let place = opener.location.place else { return }
        let now = Time(microseconds: environment.time.wallMicroseconds())
        let isDue = state.withLock { state in
            guard let generation = state.generation,
                CompactionRule.reason(for: generation, now: now, options) != nil
            else { return false }
            guard let attempt = state.failedCompaction else { return true }
            return generation.position.offset > attempt.offset + attempt.offset / 2
        }
        guard isDue else { return }
        do throws(StoreError) {
            guard try !sweep(place) else { return }
            try compact()
            state.withLock { $0.failedCompaction = nil }
        } catch {
            state.withLock { state in
                state.failedCompaction = (state.generation?.position.offset ?? 0, error)
            }
        }
    }

    /// Why the last compaction that was due has failed, if it has.
    package var compactionFailure: StoreError? { state.withLock { $0.failedCompaction?.error } }

    /// What was found about the file that others may not expect.
    package var warnings: [String] { state.withLock { $0.findings }.map { $0.description(of: path) } }

    /// Why the anchor of the vault cannot be read, if it cannot.
    package var anchorFailure: FileError? { state.withLock { $0.anchorFailure } }

    /// How the anchor contradicts the vault, if it does.
    package var rollback: ReadOnlyReason? { state.withLock { $0.rollback } }

    /// Says whether a vault that was rolled back is read from now on.
    package func acceptRollback(_ isAccepted: Bool) { state.withLock { $0.acceptsRollback = isAccepted } }

    /// What was cut off behind the log since the vault was opened.
    package var recoveries: [TailRecovery] { state.withLock { $0.recoveries } }

    /// Why the vault may not be written, or nil if it may, as far as is known.
    package var readOnlyReason: ReadOnlyReason? { state.withLock { $0.readOnlyReason } }
}
