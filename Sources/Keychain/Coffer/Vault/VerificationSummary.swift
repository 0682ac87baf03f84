internal import VaultFormat
internal import VaultStore

/// The result of verifying a vault.
///
/// ```swift
/// let report = try await vault.verification().report()
/// for finding in report.findings { print(finding.description) }
/// ```
public struct VerificationSummary: Equatable, Sendable {
    /// Something that is wrong with the vault.
    public struct Finding: Equatable, Sendable {
        /// The kind of a finding.
        public enum Kind: Equatable, Sendable {
            /// The directory of the snapshot is damaged; compacted items cannot be found.
            case directory
            /// A part of the file is damaged, together with this number of items.
            case damage(itemCount: Int)
            /// An item is invalid.
            case invalidItem
            /// A change is invalid and ignored.
            case invalidChange
            /// Items have the same primary key, since several machines added them, which is no damage.
            case duplicates
            /// The end of the file is incomplete or damaged, or changes contradict each other.
            case end
            /// The vault lacks changes that this machine has seen, or has another history.
            case history
        }

        /// The kind of the finding.
        public let kind: Kind
        /// The position in the file, if it is known.
        public let range: Range<Int>?
        /// What was found, where, and what to do.
        public let description: String
        /// The number of items that are affected.
        package let itemCount: Int
        /// The items with the same primary key, the one that lookups take first.
        package let references: [PersistentReference]
        /// The severity of the finding.
        package let severity: Severity
        /// The cause of an error of the vault, if the finding leads to one.
        package let cause: VaultError.Cause?
    }

    /// The severity of a finding, from the mildest to the worst.
    package enum Severity: Comparable, Sendable {
        /// Nothing is lost or wrong; the next change repairs a torn end.
        case harmless
        /// The vault is older than it was, or has another history.
        case rolledBack
        /// Something is damaged.
        case damaged
        /// Changes contradict each other.
        case inconsistent
    }

    /// The number of items that are intact.
    public let itemCount: Int
    /// The number of items whose keys are missing, so that they could not be checked.
    public let sealedItemCount: Int
    /// The number of changes of kinds that this version does not know.
    package let unknownChangeCount: Int
    /// The findings, in the order of the file where they have a position; empty if there is nothing to say.
    public let findings: [Finding]
}

/// The result of salvaging a damaged vault.
package struct SalvageSummary: Equatable, Sendable {
    /// The result of verifying the damaged vault, including what could not be saved.
    package let verification: VerificationSummary
    /// The number of items in the new vault.
    package let itemCount: Int
    /// The numbers of changes that are known to have existed but cannot be read, in ascending order.
    package let lostChanges: [ClosedRange<UInt64>]
    /// The number of changes to items that were read, but not the keys that they need.
    package let keylessChangeCount: Int
    /// The number of items that were last written before the last lost change, so that they may be out of date.
    package let staleItemCount: Int
    /// The first of these items: group, and for a password service or server, and account.
    package let staleItems: [[String]]

    init(_ report: SalvageReport) {
        verification = VerificationSummary(report.findings)
        itemCount = report.itemCount
        lostChanges = report.missingTransactions
        keylessChangeCount = report.keylessChangeCount
        staleItemCount = report.staleItemCount
        staleItems = report.staleItems.map { [$0.group, $0.first, $0.second] }
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
            Finding(.invalidItem, "item \(item.name) is invalid: \(item.fault); restore it from a backup", itemCount: 1)
        }
        findings += (report.invalidRecords.map(\.description) + report.furtherFindings).map {
            Finding(.invalidChange, $0)
        }
        findings += report.duplicateItems.map { Finding($0) }
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
        _ cause: VaultError.Cause? = nil,
        references: [PersistentReference] = []
    ) {
        self.kind = kind
        self.range = range
        self.description = description
        self.itemCount = itemCount
        self.severity = severity
        self.cause = cause
        self.references = references
    }

    fileprivate init(_ duplicates: VerificationReport.Duplicates) {
        let itemClass = KeychainClass(duplicates.itemClass)
        self.init(
            .duplicates,
            "\(duplicates.names.count) items have one name, since several machines added it; the newest counts",
            itemCount: duplicates.names.count,
            .harmless,
            references: duplicates.names.map { PersistentReference(itemClass, $0.item) }
        )
    }

    fileprivate init(_ damage: VerificationReport.Damage) {
        let (count, range) = (damage.items.count, damage.range)
        let loss =
            switch count {
            case 0: "restore it"
            case 1: "1 item cannot be read; restore it"
            default: "\(count) items cannot be read; restore them"
            }
        self.init(
            .damage(itemCount: count),
            """
            bytes \(range.lowerBound) to \(range.upperBound) are damaged (\(damage.part.title)): \(damage.fault); \
            \(loss) from a backup
            """,
            in: range,
            itemCount: count
        )
    }

    /// Creates a finding about the bytes after the last change, which ends at `offset`; nil if they are fine.
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

    /// Creates a finding about a vault that contradicts what this machine remembers of it; nil if it does not.
    init?(_ anchor: AnchorVerdict) {
        switch anchor {
        case .fine: return nil
        case .lostCommit: self.init(.history, "\(anchor)", .damaged, .damagedEnd)
        case .rollback, .forked: self.init(.history, "\(anchor)", .rolledBack, .otherHistory(isRefused: false))
        }
    }
}

extension VerificationReport.Damage.Part {
    /// The name of the part, for people.
    fileprivate var title: String {
        switch self {
        case .fence, .leaf, .idPage: "the index of items"
        case .pastLeaf: "the history of items"
        case .dictionary: "attributes"
        case .run: "changes from before the last compaction"
        case .sealedSection: "a group whose keys are missing"
        case .section: "items of a group"
        }
    }
}
