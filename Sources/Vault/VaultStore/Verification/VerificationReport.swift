package import VaultFormat

/// The result of verifying a vault.
package struct VerificationReport: Equatable, Sendable {
    /// A damaged part of the snapshot.
    package struct Damage: Equatable, Sendable {
        /// The part that is damaged.
        package enum Part: Equatable, Sendable {
            case fence
            case leaf(Int)
            /// A leaf of past revisions.
            case pastLeaf(Int)
            case idPage(Int)
            case dictionary
            case run
            /// A group whose keys are not available.
            case sealedSection
            /// A section that does not match its checksum, in a place that nothing else tells.
            case section
        }

        package let part: Part
        /// The range in the file.
        package let range: Range<Int>
        package let fault: Fault.Reason
        /// The items that are lost with it, as far as known.
        package let items: [ItemName]
    }

    /// An item that is invalid although the structure that holds it is intact.
    package struct InvalidItem: Equatable, Sendable {
        package let name: ItemName
        package let fault: Fault.Reason
    }

    /// Items that share a primary key, since several machines added them, the one that lookups take first.
    package struct Duplicates: Equatable, Sendable {
        package let itemClass: ItemClass
        package let names: [ItemName]
    }

    /// What is wrong with the directory, without which nothing in the snapshot can be found.
    package internal(set) var directoryFailure: VaultFormatError?
    /// Damaged parts of the snapshot.
    package internal(set) var damages: [Damage] = []
    /// Invalid items in the snapshot.
    package internal(set) var invalidItems: [InvalidItem] = []
    /// How many invalid records are listed; the rest are only counted.
    static let maximumListCount = 1000

    /// The first invalid records of frames and runs.
    package internal(set) var invalidRecords: [RecordFailure] = []
    package internal(set) var invalidRecordCount = 0
    /// Records of kinds unknown to this version, which are a fault only if they exceed the limit.
    package internal(set) var unknownRecordCount = 0
    /// Items that share a primary key.
    package internal(set) var duplicateItems: [Duplicates] = []
    /// What follows the last frame that verifies.
    package internal(set) var tail = TailVerdict.clean
    /// Where the last frame that verifies ends.
    package internal(set) var tailOffset = 0
    package internal(set) var anchor = AnchorVerdict.fine
    /// Items in the vault that are intact, apart from their secrets.
    package internal(set) var itemCount = 0
    /// Items in the vault that need other keys to be examined.
    package internal(set) var sealedItemCount = 0
    package internal(set) var transactionCount: UInt64 = 0

    /// Whether nothing is wrong with the vault, and no items share a primary key.
    package var isIntact: Bool {
        directoryFailure == nil && damages.isEmpty && invalidItems.isEmpty && invalidRecordCount == 0
            && !hasTooManyUnknownRecords && duplicateItems.isEmpty && tail == .clean && anchor == .fine
    }

    /// Findings about records that are not listed.
    package var furtherFindings: [String] {
        var findings: [String] = []
        let restCount = invalidRecordCount - invalidRecords.count
        if restCount > 0 { findings.append("\(restCount) more changes are invalid") }
        if hasTooManyUnknownRecords {
            findings.append(
                """
                \(unknownRecordCount) changes are of kinds unknown to this version, more than the limit of \
                \(Limits.unreadRecordCount); the vault can be opened only for verification and salvage
                """
            )
        }
        return findings
    }

    /// Whether there are so many records of unknown kinds that readers refuse the vault.
    package var hasTooManyUnknownRecords: Bool { unknownRecordCount > Limits.unreadRecordCount }
}

/// The progress of a long read.
package struct ReadingProgress: Equatable, Sendable {
    package let byteCount: Int
    package let expectedByteCount: Int
}
