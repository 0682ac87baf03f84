/// Options for opening a vault.
package struct StoreOptions: Sendable {
    /// Whether the vault may be written.
    package var mayWrite = true
    /// How long a writer waits for other writers.
    package var lockTimeout: Duration = .seconds(5)
    /// The directory that holds the anchors of vaults, or nil to remember nothing.
    package var anchorDirectory: String?
    /// Groups that may have write access to the file besides its owner.
    package var allowedGroups: Set<UInt32> = []
    /// Whether a damaged end of the file, which may contain acknowledged changes, may be cut off.
    package var discardsDamagedTail = false
    /// Whether a vault that was rolled back can be read; nothing is written for that.
    package var acceptsRollback = false
    /// Who compacts the vault when that is due.
    package var dueCompaction = DueCompaction.withChange
    /// How long the log may be before compaction is due; a quarter of the snapshot, if that is more.
    package var logByteCountLimit = 4 << 20

    package init() {}
}

/// Who compacts a vault when that is due.
package enum DueCompaction: Equatable, Sendable {
    /// Nobody.
    case never
    /// The writer of a change, before it returns.
    case withChange
    /// A thread of its own, after a change.
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
