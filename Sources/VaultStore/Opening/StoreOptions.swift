/// How a vault is opened.
package struct StoreOptions: Sendable {
    /// Whether the vault may be written.
    package var mayWrite = true
    /// How long a writer waits for others.
    package var lockTimeout: Duration = .seconds(5)
    /// Where it is remembered how far vaults had come, or nil to remember nothing.
    package var anchorDirectory: String?
    /// Groups of users that may be allowed to write the file beside its owner.
    package var allowedGroups: Set<UInt32> = []
    /// Whether a damaged end of the file, which may have been acknowledged, may be cut off.
    package var discardsDamagedTail = false
    /// Whether a vault that was rolled back is read; nothing is written for that.
    package var acceptsRollback = false
    /// Whether a writer replaces the file when that is due.
    package var compactsWhenDue = true
    /// How long the log may be before that is due, unless the snapshot is more than four times as long.
    package var logByteCountLimit = 4 << 20

    package init() {}
}

/// When a transaction returns.
package enum Durability: Equatable, Sendable {
    /// When it would survive a power failure.
    case full
    /// When it would survive the end of the process; a later durable transaction, or the end of a load, makes it durable.
    case relaxed
}
