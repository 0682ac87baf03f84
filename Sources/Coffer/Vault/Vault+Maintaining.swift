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

/// What reading all of a vault has shown.
///
/// ```swift
/// let report = try await vault.verification().report()
/// for finding in report.findings { print(finding.description) }
/// ```
public struct VerificationSummary: Equatable, Sendable {
    /// Something that is not as it should be.
    public struct Finding: Equatable, Sendable {
        /// What kind of thing it is.
        public enum Kind: Equatable, Sendable {
            /// A part of the file is damaged, and so many items with it.
            case damage(itemCount: Int)
            /// An item is not what it should be.
            case invalidItem
            /// A change does not count.
            case invalidChange
            /// Items have the same primary key.
            case duplicates
            /// The end of the file is not clean.
            case end
            /// The vault is not the one that was seen here before.
            case history
        }

        /// What kind of thing it is.
        public let kind: Kind
        /// What was found, where, and what to do.
        public let description: String
    }

    /// Items that are there and whole.
    public let itemCount: Int
    /// Items that are there, and whose keys are not.
    public let sealedItemCount: Int
    /// What is not as it should be; nothing, if the vault is whole.
    public let findings: [Finding]
}

extension Vault {
    /// What somebody should look after, each with what to do.
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

extension VerificationSummary {
    fileprivate init(_ report: VerificationReport) {
        var findings: [Finding] = report.damages.map { damage in
            Finding(
                kind: .damage(itemCount: damage.items.count),
                description: """
                    bytes \(damage.range.lowerBound) to \(damage.range.upperBound) are damaged: \(damage.fault); \
                    \(damage.items.count) items cannot be read; take them from a backup
                    """
            )
        }
        findings += report.invalidItems.map { item in
            Finding(
                kind: .invalidItem,
                description: "item \(item.name) is not valid: \(item.fault); take it from a backup"
            )
        }
        findings += (report.invalidRecords.map(\.description) + report.furtherFindings).map {
            Finding(kind: .invalidChange, description: $0)
        }
        findings += report.twins.map { names in
            let list = names.map(\.description).joined(separator: " and ")
            return Finding(
                kind: .duplicates,
                description: "items \(list) have the same primary key; delete all but one"
            )
        }
        if report.tail != .clean { findings.append(Finding(kind: .end, description: report.tail.description)) }
        if report.anchor != .fine { findings.append(Finding(kind: .history, description: report.anchor.description)) }
        self.init(itemCount: report.itemCount, sealedItemCount: report.sealedItemCount, findings: findings)
    }
}
