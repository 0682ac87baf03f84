package import VaultCrypto

/// Options for opening a vault.
package struct StoreOptions: Sendable {
    /// Whether the vault may be written.
    package var mayWrite = true
    /// How long a writer waits for other writers.
    package var lockTimeout: Duration = .seconds(5)
    /// The directory that holds the anchors of vaults, or nil to remember nothing.
    package var anchorDirectory: String?
    /// Whether each place that is written has an anchor of its own, beside that of the vault.
    package var anchorsPlaces = true
    /// Groups that may have write access to the file besides its owner.
    package var writerGroupIDs: Set<UInt32> = []
    /// Whether a damaged end of the file, which may contain acknowledged changes, may be cut off.
    package var discardsDamagedTail = false
    /// Whether a vault that was rolled back can be read; nothing is written to it.
    package var acceptsRollback = false
    /// When a due compaction of the vault runs.
    package var dueCompaction = DueWork.withChange
    /// When the index of a long log is written anew, if there is a directory for it beside the anchors.
    package var dueIndexing = DueWork.withChange
    /// How many records a log has before it gets an index, and how many are added before that is written anew, unless
    /// that happens in the background.
    package var indexInterval = 16
    /// How long the log may be before compaction is due; an eighth of the snapshot, if that is more.
    package var logByteCountLimit = 192 << 10
    /// Returns the log that the vault shares with other machines; nil for a vault of this machine.
    package var sharedLog: (@Sendable (VaultID) -> any SharedLog)?

    package init() {}
}

/// When work on the file that is due is done, and on which thread.
package enum DueWork: Equatable, Sendable {
    /// Never.
    case never
    /// During a change, on the thread of the writer, before the call returns.
    case withChange
    /// After a change, on a thread of its own.
    case inBackground
}

/// When a transaction returns.
package enum Durability: Equatable, Sendable {
    /// Once it would survive a power failure.
    case full
    /// Once it would survive the end of the process; a later durable transaction, or the end of a load, makes it
    /// durable.
    case relaxed
}
