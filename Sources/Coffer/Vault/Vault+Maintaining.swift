internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// What a compaction has done.
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
    /// How many past revisions were dropped.
    public let droppedRevisionCount: Int
    /// How many changes were carried as they are, since their keys are not here.
    public let carriedChangeCount: Int

    init(_ report: CompactionReport) {
        byteCountBefore = report.byteCountBefore
        byteCountAfter = report.byteCountAfter
        droppedRevisionCount = report.droppedRevisionCount
        carriedChangeCount = report.carriedRecordCount
    }
}

extension Vault {
    /// Things to look after, each with advice.
    ///
    /// Who else can get at the files, what was cut off after a crash, what could not be done by itself.
    public var warnings: [String] {
        var warnings = unlocking.warnings + store.warnings
        warnings += store.recoveries.map { recovery in
            """
            the last \(recovery.byteCount) bytes of \(path.printable), at byte \(recovery.offset), were a change that was interrupted \
            before it was saved; they were cut off
            """
        }
        if let failure = store.compactionFailure { warnings.append("\(failure)") }
        return warnings
    }

    /// Why the vault can only be read, or nil if it can be written as far as is known.
    public var readOnlyProblem: VaultError? {
        store.readOnlyReason.map { VaultError.ofStore(.readOnly($0, path: path)) }
    }

    /// Writes the vault anew, without what was deleted or superseded and need not be kept.
    ///
    /// Others go on reading and writing meanwhile. It is done by itself when it is due, unless the options say otherwise.
    public func compaction() -> VaultWork<CompactionSummary> {
        work { store, isToGoOn throws(StoreError) in
            CompactionSummary(
                try store.compact { isToGoOn(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
            )
        }
    }

    /// Reads all of the vault, and tells what is wrong with it and where.
    public func verification() -> VaultWork<VerificationSummary> {
        work { store, isToGoOn throws(StoreError) in
            VerificationSummary(
                try store.verify { isToGoOn(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
            )
        }
    }

    private func work<Report: Sendable>(
        _ body:
            @escaping @Sendable (
                VaultStore, @escaping (VaultProgress) -> Bool
            ) throws(StoreError) -> Report
    ) -> VaultWork<Report> {
        let store = store
        return VaultWork { isToGoOn throws(VaultError) in
            try translating(VaultError.ofStore, body(store, isToGoOn))
        }
    }
}

extension VaultProgress {
    fileprivate init(_ byteCount: Int, of expectedByteCount: Int) {
        self.init(byteCount: byteCount, expectedByteCount: expectedByteCount)
    }
}
