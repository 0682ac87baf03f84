package import VaultFormat

/// Options for a compaction.
package struct CompactionRequest: Sendable {
    /// The items whose past revisions are dropped, regardless of the settings.
    package enum Purge: Equatable, Sendable {
        case nothing
        case items(Set<ItemName>)
        case everything
    }

    package var purge = Purge.nothing
    /// Whether invalid records and records of unknown kinds are dropped; otherwise they are carried.
    package var dropsInvalid = false
    /// How many writers of a group the new file lists; older ones are forgotten.
    package var rememberedWriterCount = Limits.rememberedWriterCount
    /// The increase of the generation number: one, unless two histories must not meet again.
    var generationStep: UInt64 = 1
    /// Transactions that are known to have existed but cannot be read, in ascending order.
    var missingTransactions: [ClosedRange<UInt64>] = []
    /// Whether the vault is accepted although the anchor contradicts it.
    var acceptsHistory = false
    /// What ended in this transaction stays in history, whatever the settings say.
    var keptChange: UInt64?
    /// Revisions of another copy that the sections of groups get besides their own.
    var foreign: ForeignRevisions?
    /// Revisions that are not kept in history: a merge has left them out.
    var discarded: Set<Revision> = []
    /// Whether the log is shared from now on; nil to leave that as it is.
    var isShared: Bool?
    /// What is added to the keys of the vault.
    var addition: (any KeybagAddition)?

    package init() {}

    /// Returns a request that drops the past revisions of all items, or of some.
    package static func purging(_ purge: Purge) -> CompactionRequest {
        var request = CompactionRequest()
        request.purge = purge
        return request
    }
}

/// Something that is added to the keys of a vault by a compaction.
package protocol KeybagAddition: Sendable {
    /// Returns the roots that open the vault on this machine afterwards.
    func roots(beside roots: Keyring.Roots) -> Keyring.Roots

    /// Adds the entries to the keys of a vault.
    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws
}

extension KeybagAddition {
    /// Returns the same roots: what is added opens nothing on this machine.
    package func roots(beside roots: Keyring.Roots) -> Keyring.Roots { roots }
}

/// The progress of a compaction.
package struct CompactionProgress: Equatable, Sendable {
    /// The number of bytes written so far.
    package let byteCount: Int
    /// The approximate total number of bytes.
    package let expectedByteCount: Int
}

/// The result of a compaction.
package struct CompactionReport: Equatable, Sendable {
    package let generation: UInt64
    package let byteCountBefore: Int
    package let byteCountAfter: Int
    /// The number of records that were carried unchanged, since they could not be judged.
    package let carriedRecordCount: Int
    /// The number of past revisions that were dropped.
    package let droppedRevisionCount: Int
}

extension CompactionReport {
    init(of report: Rewrite.Report, _ generation: UInt64, _ sizes: FileReplacement.Sizes) {
        self.init(
            generation: generation,
            byteCountBefore: sizes.before,
            byteCountAfter: sizes.after,
            carriedRecordCount: report.carriedRecordCount,
            droppedRevisionCount: report.droppedRevisionCount
        )
    }
}
