/// A number that the specification limits: in section 14, in 18.2 for writers, in 3.1 for passphrases and key files.
package enum Limit: CaseIterable, Equatable, Sendable {
    case file
    case keybag
    case keybagEntries
    case slots
    case argon2Slots
    case argon2Memory
    case argon2Operations
    case argon2Work
    case directory
    case sections
    case fence
    case run
    case items
    case logRecords
    case logBytes
    case unreadRecords
    case metadata
    case pastEntries
    case fenceKeys
    case dictionaries
    case secret
    case transaction
    case groupName
    case writers
    case grant
    case grantNote
    case passphrase
    case keyFile
}

/// The limits of section 14.
package enum Limits {
    package static let fileByteCount = 4 << 30
    package static let keybagByteCount = 1 << 20
    package static let keybagEntryCount = 8192
    package static let slotCount = 32
    package static let argon2SlotCount = 8
    package static let directoryByteCount = 16 << 20
    package static let sectionCount = 65_536
    package static let fenceByteCount = 16 << 20
    package static let runByteCount = 32 << 20
    package static let itemCount = 1_000_000
    /// The number of records in all runs and frames.
    package static let logRecordCount = 1 << 22
    package static let logByteCount = 1 << 30
    /// The number of those records that are of unknown kind or cannot be parsed.
    package static let unreadRecordCount = 1 << 20
    package static let metadataByteCount = 65_536
    package static let pastEntryCount = 1 << 22
    /// The data keys in a fence, and the dictionaries.
    package static let fenceKeyCount = 8192
    package static let dictionaryCount = 8192
    /// The greatest ratio of the size of metadata to that of the box that holds them deflated.
    static let deflationRatio = 16
    package static let secretByteCount = 1 << 20
    /// The content of a secret box in any form.
    package static let secretContentByteCount = 1 + (1 << 20) + 4096
    /// The nodes of the archive of a secret with several values.
    static let secretNodeCount = 1 << 15
    package static let transactionByteCount = 16 << 20
    package static let transactionRecordCount = 1 << 18
    /// Sequence numbers are less than this, so that a creation order fits in 64 bits.
    package static let sequence: UInt64 = 1 << 43
    /// Revisions are less than this.
    package static let revision: UInt64 = 1 << 63
    package static let groupNameByteCount = 1024
    /// The writers in a fence or a seen record.
    package static let writerCount = 8_192
    /// Of a group with more writers, a new file lists so many.
    package static let rememberedWriterCount = 4_096
    package static let grantByteCount = 65_536
    package static let grantNoteByteCount = 16_384
    package static let passphraseByteCount = 4096
    package static let leastKeyFileByteCount = 32
    package static let keyFileByteCount = 1 << 20
}

/// The limits on the cost of Argon2id for a passphrase.
package struct Argon2Limits: Equatable, Sendable {
    package let memoryKiB: ClosedRange<Int>
    package let operations: ClosedRange<Int>
    /// Operations times memory.
    package let workKiB: Int
    /// Operations times memory, summed over all slots that are tried for one passphrase.
    package let totalWorkKiB: Int

    package init(
        memoryKiB: ClosedRange<Int>,
        operations: ClosedRange<Int>,
        workKiB: Int,
        totalWorkKiB: Int = 16_777_216
    ) {
        self.memoryKiB = memoryKiB
        self.operations = operations
        self.workKiB = workKiB
        self.totalWorkKiB = totalWorkKiB
    }

    /// The limits of section 14 for readers.
    package static let reader = Argon2Limits(memoryKiB: 8192...1_048_576, operations: 1...16, workKiB: 4_194_304)
    /// The limits of section 14 for writers.
    package static let writer = Argon2Limits(memoryKiB: 65_536...1_048_576, operations: 2...16, workKiB: 4_194_304)
}

extension Limit {
    /// Throws if `value`, which is at `offset` of a structure, is more than `bound`.
    package func check(_ value: Int, atMost bound: Int, at offset: Int = 0) throws(Fault) {
        guard value <= bound else { throw Fault(.limitExceeded(self, value: UInt64(clamping: value)), at: offset) }
    }
}
