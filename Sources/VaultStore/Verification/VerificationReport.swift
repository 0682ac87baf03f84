package import VaultFormat

/// What reading all of a vault has shown.
package struct VerificationReport: Equatable, Sendable {
    /// A damaged part of the snapshot.
    package struct Damage: Equatable, Sendable {
        /// What is damaged.
        package enum Part: Equatable, Sendable {
            case blockList
            case fence
            case digestPage(Int)
            case itemPage(Int)
            case metadataBlock
            case secret
            case run
            case history
            /// Something of a group whose keys are not here.
            case sealedPart
            /// Something that differs from its check, and of which no more can be told.
            case checkedPart
        }

        package let part: Part
        /// Where it lies in the file.
        package let range: Range<Int>
        package let fault: Fault
        /// The items that it takes away, as far as that can be told.
        package let items: [ItemName]
    }

    /// An item that is not what it should be, in a structure that is whole.
    package struct InvalidItem: Equatable, Sendable {
        package let name: ItemName
        package let fault: Fault
    }

    /// What is wrong with the directory, without which nothing of the snapshot can be found.
    package internal(set) var directoryFailure: VaultFormatError?
    /// Parts of the snapshot that are damaged.
    package internal(set) var damages: [Damage] = []
    /// Items of the snapshot that are invalid.
    package internal(set) var invalidItems: [InvalidItem] = []
    /// How many records of a list are told one by one; of the others, only how many there are.
    static let greatestListCount = 1000

    /// The first of the records of frames and runs that are invalid.
    package internal(set) var invalidRecords: [RecordFailure] = []
    package internal(set) var invalidRecordCount = 0
    /// Records of kinds that this version does not know; they are no fault, unless they are more than the limit.
    package internal(set) var unknownRecordCount = 0
    /// Items that share a primary key, which no writer alone would allow.
    package internal(set) var twins: [[ItemName]] = []
    /// What follows the last frame that verifies.
    package internal(set) var tail = TailVerdict.clean
    /// Where the last frame that verifies ends.
    package internal(set) var tailOffset = 0
    package internal(set) var anchor = AnchorVerdict.fine
    /// Items that are there, and whole but for their secrets.
    package internal(set) var itemCount = 0
    /// Items that are there and cannot be looked into without other keys.
    package internal(set) var sealedItemCount = 0
    package internal(set) var transactionCount: UInt64 = 0

    /// Whether everything is as it should be.
    package var isIntact: Bool {
        directoryFailure == nil && damages.isEmpty && invalidItems.isEmpty && invalidRecordCount == 0
            && !hasTooManyUnknownRecords && twins.isEmpty && tail == .clean && anchor == .fine
    }

    /// Findings about records that are not listed.
    package var furtherFindings: [String] {
        var findings: [String] = []
        let restCount = invalidRecordCount - invalidRecords.count
        if restCount > 0 { findings.append("\(restCount) more changes are invalid") }
        if hasTooManyUnknownRecords {
            findings.append(
                """
                \(unknownRecordCount) changes are of kinds that this version does not know, more than the limit of \
                \(Limits.unreadRecordCount); the vault can be opened by salvage only
                """
            )
        }
        return findings
    }

    /// Whether there are so many records of unknown kinds that readers refuse the vault.
    package var hasTooManyUnknownRecords: Bool { unknownRecordCount > Limits.unreadRecordCount }
}

/// How far a long reading has come.
package struct ReadingProgress: Equatable, Sendable {
    package let byteCount: Int
    package let expectedByteCount: Int
}
