internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// What a store knows about the file of its vault, besides the content.
struct FileState: Sendable {
    let handle: any OpenFile
    let identity: FileStatus.Identity
    /// The size when it was last queried or written.
    var byteCount: Int
    /// Where the log ended when the file was opened, and what followed it.
    let firstOffset: Int
    let tail: TailVerdict
    /// Whether only zeros are known to follow the log; only the holder of the lock can know that.
    var isTailClean = false
    let findings: [AccessReport.Finding]
    var access: Access
    /// What is known about the file on disk.
    var disk: DiskState
    /// How much of the file has been read.
    var reading = Reading.unknown
    /// How often in a row nothing had changed.
    var quietLookCount = 0
    /// The id under which this process writes the file; nil until it does.
    private(set) var writer: Writer?

    init(_ opened: borrowing VaultOpener.Opened) {
        handle = opened.generation.file
        identity = opened.generation.identity
        byteCount = opened.status.byteCount
        firstOffset = opened.generation.position.offset
        tail = opened.tail
        findings = opened.findings
        access = opened.readOnlyReason.map { .readOnly($0) } ?? .full
        disk = DiskState(durable: opened.generation.position)
    }

    /// How the file can be accessed.
    enum Access: Sendable {
        /// It can be read and written.
        case full
        /// It can only be read.
        case readOnly(ReadOnlyReason)
        /// A sync failed, and afterwards the remaining file could not be read.
        case unreadable(any Error, after: FileError)
    }

    /// How much of the file has been read.
    enum Reading: Sendable {
        /// Everything that was there when the file had this mark, which shows whether it has changed since.
        case upTo(ChangeMark)
        /// Unknown: the file must be checked.
        case unknown
        /// Reading what others have appended failed in the middle.
        case interrupted
    }

    /// Why the vault can only be read, if so.
    var readOnlyReason: ReadOnlyReason? {
        switch access {
        case .full: nil
        case .readOnly(let reason): reason
        case .unreadable(_, after: let error): .syncFailed(error)
        }
    }

    /// Forgets that the end of the file was damaged: a process that has appended since has dealt with it.
    mutating func forgetTailVerdict() {
        switch access {
        case .readOnly(.damagedTail), .readOnly(.inconsistent): access = .full
        default: break
        }
    }

    /// Forbids writing the file, whose content on disk is unknown, until it is replaced.
    mutating func poison(_ error: FileError) {
        // A vault that cannot be read stays so.
        if case .unreadable = access { return }
        access = .readOnly(.syncFailed(error))
    }
}

// MARK: - The disk

/// What is known about the file on disk.
struct DiskState: Sendable {
    /// How far the log is known to be durable.
    var durable: LogPosition
    /// Whether all frames in the file are known to be durable; those of other processes are not.
    var isDurable = false
    /// Whether the file is known to keep its name after a power failure; the process that replaced it may not have
    /// synced that.
    var isNameDurable = false
    /// Counts failed syncs: a frame that was not durable before one of them is lost.
    private(set) var failureCount = 0
    private(set) var lastFailure: FileError?

    init(durable: LogPosition) { self.durable = durable }

    /// Notes that a sync failed.
    mutating func note(_ failure: FileError) {
        failureCount += 1
        lastFailure = failure
    }

    /// Notes that all frames are durable, the last of which ends at `position`.
    mutating func noteAllDurable(_ position: LogPosition) {
        durable = position
        isDurable = true
    }

    /// Takes over what was known before the vault was read again, from the same file or another.
    mutating func continueAfter(_ former: DiskState, isSameFile: Bool) {
        // Writers that wait for a sync of the same file must still wait.
        if isSameFile, former.durable.sequence < durable.sequence { durable = former.durable }
        (failureCount, lastFailure) = (former.failureCount, former.lastFailure)
    }
}

// MARK: - The writer

extension FileState {
    /// The id under which a process writes a file, and the start of the machine when it took it.
    struct Writer: Sendable {
        let id: WriterID
        let machineStart: MachineStart?
    }

    /// Returns the id under which this process writes, VF-99: the one that was used last for this very file, since the
    /// machine was started, or a new one.
    mutating func writer(_ anchors: inout Anchors?, _ environment: StoreEnvironment) -> WriterID {
        if let writer { return writer.id }
        if let last = anchors?.lastWriter(), last.machineStart == environment.machineStart?.bytes,
            identity.device == last.device, identity.number == last.inode
        {
            writer = Writer(id: last.id, machineStart: environment.machineStart)
            return last.id
        }
        return renewWriter(environment)
    }

    /// Goes on under another writer id, since places of the former one are gone, and must not be used again.
    @discardableResult
    mutating func renewWriter(_ environment: StoreEnvironment) -> WriterID {
        let id: WriterID = environment.random.shortIdentifier()
        writer = Writer(id: id, machineStart: environment.machineStart)
        return id
    }

    /// Goes on under the writer id of the file that this one has replaced.
    mutating func continueWriting(as id: WriterID?, _ environment: StoreEnvironment) {
        writer = id.map { Writer(id: $0, machineStart: environment.machineStart) }
    }

    /// The writer to remember, if another process could tell that it may go on under its id.
    var lastWriter: Anchor.LastWriter? {
        guard let writer, let machineStart = writer.machineStart else { return nil }
        return Anchor.LastWriter(
            id: writer.id,
            device: identity.device,
            inode: identity.number,
            machineStart: machineStart.bytes
        )
    }
}
