internal import VaultFormat
internal import VaultStore

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
            /// The directory of the snapshot is damaged; compacted items cannot be found.
            case directory
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
        /// Where it lies in the file, if that can be told.
        public let range: Range<Int>?
        /// What was found, where, and what to do.
        public let description: String
        /// How many items it takes away.
        package let itemCount: Int
        /// How bad it is.
        package let severity: Severity
        /// What it makes of the vault, if that is more than a finding.
        package let cause: VaultError.Cause?
    }

    /// How bad a finding is, the worst last.
    package enum Severity: Comparable, Sendable {
        /// The next change puts it right.
        case harmless
        /// The vault is older than it was, or has another history.
        case rolledBack
        /// Something is damaged.
        case damaged
        /// Changes contradict each other.
        case inconsistent
    }

    /// Items that are there and whole.
    public let itemCount: Int
    /// Items that are there, and whose keys are not.
    public let sealedItemCount: Int
    /// Changes of kinds that this version does not know.
    package let unknownChangeCount: Int
    /// Problems, in file order where they have one; empty if the vault is whole.
    public let findings: [Finding]
}

/// What was saved of a damaged vault.
package struct SalvageSummary: Equatable, Sendable {
    /// What the damaged vault was found to be; what is not saved stands there.
    package let verification: VerificationSummary
    /// How many items the new vault has.
    package let itemCount: Int
    /// The numbers of changes behind the damage, which cannot be opened without those before them.
    package let lostChanges: [UInt64]

    init(_ report: SalvageReport) {
        verification = VerificationSummary(report.findings)
        itemCount = report.itemCount
        lostChanges = report.lostTransactions
    }
}

extension VerificationSummary {
    init(_ report: VerificationReport) {
        itemCount = report.itemCount
        sealedItemCount = report.sealedItemCount
        unknownChangeCount = report.unknownRecordCount
        var findings = report.directoryFailure.map { [Finding(.directory, "\($0)")] } ?? []
        findings += report.damages.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { Finding($0) }
        findings += report.invalidItems.map { item in
            Finding(.invalidItem, "item \(item.name) is not valid: \(item.fault); take it from a backup", itemCount: 1)
        }
        findings += (report.invalidRecords.map(\.description) + report.furtherFindings).map {
            Finding(.invalidChange, $0)
        }
        findings += report.twins.map { names in
            let items = names.map(\.description).joined(separator: " and ")
            return Finding(
                .duplicates,
                "items \(items) have the same primary key; delete all but one",
                itemCount: names.count,
                .inconsistent
            )
        }
        findings += [Finding(report.tail, at: report.tailOffset), Finding(report.anchor)].compactMap(\.self)
        self.findings = findings
    }
}

extension VerificationSummary.Finding {
    fileprivate init(
        _ kind: Kind,
        _ description: String,
        in range: Range<Int>? = nil,
        itemCount: Int = 0,
        _ severity: VerificationSummary.Severity = .damaged,
        _ cause: VaultError.Cause? = nil
    ) {
        self.kind = kind
        self.range = range
        self.description = description
        self.itemCount = itemCount
        self.severity = severity
        self.cause = cause
    }

    fileprivate init(_ damage: VerificationReport.Damage) {
        let (count, range) = (damage.items.count, damage.range)
        let loss =
            switch count {
            case 0: "take it"
            case 1: "1 item cannot be read; take it"
            default: "\(count) items cannot be read; take them"
            }
        self.init(
            .damage(itemCount: count),
            """
            bytes \(range.lowerBound) to \(range.upperBound) are damaged (\(damage.part.title)): \(damage.fault); \(loss) \
            from a backup
            """,
            in: range,
            itemCount: count
        )
    }

    /// What follows the last change of a vault, which ends at `offset`; nil if that is as it should be.
    init?(_ tail: TailVerdict, at offset: Int) {
        switch tail {
        case .clean: return nil
        case .torn(let byteCount):
            self.init(.end, "at byte \(offset): \(tail)", in: offset..<offset + byteCount, .harmless)
        case .damaged(let byteCount):
            self.init(.end, "at byte \(offset): \(tail)", in: offset..<offset + byteCount, .damaged, .damagedEnd)
        case .inconsistent(let frameOffset, _):
            self.init(.end, "\(tail)", in: frameOffset..<frameOffset, .inconsistent, .inconsistent)
        }
    }

    /// What the machine remembers of a vault that contradicts it; nil if nothing does.
    init?(_ anchor: AnchorVerdict) {
        switch anchor {
        case .fine: return nil
        case .lostCommit: self.init(.history, "\(anchor)", .damaged, .damagedEnd)
        case .rollback, .forked: self.init(.history, "\(anchor)", .rolledBack, .otherHistory(isRefused: false))
        }
    }
}

extension VerificationReport.Damage.Part {
    /// What people call it.
    fileprivate var title: String {
        switch self {
        case .blockList: "the list of a group's parts"
        case .fence, .digestPage, .itemPage: "what tells which items there are"
        case .metadataBlock: "attributes"
        case .secret: "a secret"
        case .run: "changes from before the last compaction"
        case .history: "the past of items"
        case .sealedPart: "a group whose keys are not here"
        case .checkedPart: "something that differs from its check"
        }
    }
}
