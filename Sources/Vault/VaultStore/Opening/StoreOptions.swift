internal import CofferBasics
package import VaultCrypto
package import VaultFiles
internal import VaultFormat

/// Options for opening a vault.
package struct StoreOptions: Sendable {
    /// Whether the vault may be written.
    package var mayWrite = true
    /// How long a writer waits for other writers.
    package var lockTimeout: Duration = .seconds(5)
    /// The directory that holds the anchors of vaults, or nil to remember nothing.
    package var anchorDirectory: String?
    /// Whether each location that is written has an anchor of its own, beside that of the vault.
    package var anchorsLocations = true
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

/// What a store depends on: files, clocks, random bytes.
package struct StoreEnvironment: Sendable {
    package var files: any FileSystem
    package var time: any TimeSource
    package var random: any RandomSource
    /// The memory available to derive a key from a passphrase.
    package var memory = AvailableMemory()
    /// The start of the machine; nil if it is unknown, and then no writer id is used by two processes.
    package var machineStart = MachineStart.current
    /// The user who is expected to own the files.
    package var user: UInt32

    package init(
        files: any FileSystem = LinuxFileSystem(),
        time: any TimeSource = MachineTime(),
        random: any RandomSource,
        user: UInt32 = CurrentProcess.user
    ) {
        self.files = files
        self.time = time
        self.random = random
        self.user = user
    }
}

/// Where a vault is: a name in a directory, or a file that the caller opened.
struct VaultLocation: Sendable {
    let path: String
    /// Nil for a file that the caller opened.
    let place: (directory: any OpenDirectory, name: String)?

    /// Returns the status of the file that is there now; that is `current` if the caller opened the file.
    func status(of current: any OpenFile) throws -> FileStatus {
        if let place { return try place.directory.status(of: place.name) }
        return try current.status()
    }

    /// Opens the file that is there now; that is `current` if the caller opened the file.
    func open(_ current: any OpenFile, mayWrite: Bool) throws -> (any OpenFile, FileStatus) {
        let file = try place.map { place in try place.directory.open(place.name, for: mayWrite ? .writing : .reading) }
        let open = file ?? current
        return (open, try open.status())
    }
}
