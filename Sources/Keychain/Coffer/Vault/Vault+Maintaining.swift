internal import CofferBasics
internal import VaultFormat
internal import VaultFiles
internal import VaultStore

/// The result of a compaction.
///
/// ```swift
/// let report = try await vault.compaction().report()
/// print(report.byteCountBefore - report.byteCountAfter)
/// ```
public struct CompactionSummary: Equatable, Sendable {
    /// The size of the file before.
    public let byteCountBefore: Int
    /// The size of the file now.
    public let byteCountAfter: Int
    /// The number of past revisions that were dropped.
    public let droppedRevisionCount: Int
    /// The number of changes that were copied as they are, since their keys are missing.
    public let carriedChangeCount: Int

    init(_ report: CompactionReport) {
        byteCountBefore = report.byteCountBefore
        byteCountAfter = report.byteCountAfter
        droppedRevisionCount = report.droppedRevisionCount
        carriedChangeCount = report.carriedRecordCount
    }
}

extension Vault {
    /// Warnings about the vault, each with advice.
    ///
    /// For example: who else can access the files, what was cut off after a crash, and what could not be done
    /// automatically.
    public var warnings: [String] {
        var warnings = unlocking.warnings + store.warnings
        warnings += store.recoveries.map { recovery in
            """
            the last \(recovery.byteCount.grouped) bytes of \(path.printable), at byte \(recovery.offset), were a \
            change that was interrupted before it was saved; they were cut off
            """
        }
        if let failure = store.compactionFailure { warnings.append("\(failure)") }
        return warnings
    }

    /// The reason why the vault can only be read; nil if it can be written as far as is known.
    public var readOnlyProblem: VaultError? {
        store.readOnlyReason.map { VaultError.ofStore(.readOnly($0, path: path)) }
    }

    /// Returns work that rewrites the vault without deleted or superseded data that need not be kept.
    ///
    /// The work starts when it is awaited. Others can read and write in the meantime. Compaction happens automatically
    /// when it is due, unless the options disable it.
    public func compaction() -> VaultWork<CompactionSummary> {
        VaultWork { [store] shouldContinue in
            CompactionSummary(
                try store.compact { shouldContinue(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
            )
        }
    }

    /// Compacts the vault if that is due and takes no longer than `limit`; otherwise does nothing.
    package func compactIfDue(within limit: Duration) {
        let time = store.environment.time
        let (start, limit) = (time.monotonicNanoseconds(), UInt64(limit / .nanoseconds(1)))
        store.compactIfDue { progress in
            // As soon as it is clear that there is not enough time, none is wasted.
            let elapsed = Double(time.monotonicNanoseconds() - start)
            let share = Double(max(progress.byteCount, 1)) / Double(max(progress.expectedByteCount, 1))
            return elapsed / share <= Double(limit)
        }
        store.indexIfDue()
    }

    /// Whether the vault should be compacted.
    package var isCompactionDue: Bool {
        get throws(VaultError) { try VaultError.converting { try store.compactionReason() } != nil }
    }

    /// Returns work that reads the whole vault, and reports what is wrong with it and where.
    ///
    /// The work starts when it is awaited.
    public func verification() -> VaultWork<VerificationSummary> {
        VaultWork { [store] shouldContinue in
            VerificationSummary(
                try store.verify { shouldContinue(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
            )
        }
    }
}

extension VaultProgress {
    init(_ byteCount: Int, of expectedByteCount: Int) {
        self.init(byteCount: byteCount, expectedByteCount: expectedByteCount)
    }
}
