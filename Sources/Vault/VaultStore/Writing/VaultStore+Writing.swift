internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Appending, section 13: under the lock, after all frames that verify, with one call; then a sync.
extension VaultStore {
    /// Changes the vault, completely or not at all.
    ///
    /// If `body` throws, the error is rethrown and nothing has changed. Several threads may call this at once: their
    /// changes follow one another and share a sync. `body` must use only the transaction, not the store.
    package func transaction<Result: Sendable>(
        durability: Durability = .full,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try checkProcess()
        try checkWritable()
        revokeEndedGrants()
        let result = try writeTransaction(durability, body)
        workAfterChange(durability)
        return result
    }

    /// Makes everything that was written so far durable: the end of a load in relaxed transactions.
    ///
    /// A frame without changes records this in the file, so that later damage to the loaded data is not mistaken for an
    /// interrupted load.
    package func flush() throws(StoreError) {
        try checkProcess()
        try checkWritable()
        if sharedLog == nil { try writeFlush() }
        workAfterChange(.full)
    }

    private func writeFlush() throws(StoreError) {
        try enterAsWriter()
        defer { writers.leave() }
        let loaded = state.withLock { state in
            let sequence = state.generation?.position.sequence ?? 0
            return state.disk.durable.sequence < sequence
                ? Ticket(sequence: sequence, failureCount: state.disk.failureCount) : nil
        }
        guard let loaded else { return }
        try makeDurable(loaded)
        let closing = try state.withLock { state throws(StoreError) in
            try append(&state, isClosing: true) { _ in }.1
        }
        if let closing { try makeDurable(closing) }
    }

    private func writeTransaction<Result: Sendable>(
        _ durability: Durability,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        while true {
            let isShared = sharedLog != nil
            try enterAsWriter(exclusively: isShared)
            defer { writers.leave() }
            // Another process may have begun or ended that before the lock was taken.
            guard (sharedLog != nil) == isShared else { continue }
            return try isShared
                ? appendOrReplace { transaction throws(StoreError) in try body(&transaction) }
                : writeWhileLocked(durability, body)
        }
    }

    /// Writes a transaction; the caller has the lock, which must be exclusive if the log is shared.
    func writeWhileLocked<Result: Sendable>(
        _ durability: Durability = .full,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if let log = sharedLog { return try publishTransaction(log, body) }
        let (result, ticket) = try state.withLock { state throws(StoreError) in
            if let reason = state.readOnlyReason { throw .readOnly(reason, path: path) }
            return try append(&state, body)
        }
        if durability == .full, let ticket { try makeDurable(ticket) }
        return result
    }

    /// Takes the lock of the vault's current file, and checks what follows its log.
    func enterAsWriter(exclusively isExclusive: Bool = false) throws(StoreError) {
        while true {
            let entrance = try writers.enter(
                exclusively: isExclusive,
                timeout: options.lockTimeout,
                path: path
            ) { fileToLock() }
            guard entrance == .first else { return }
            do throws(StoreError) {
                if try prepareToWrite() {
                    if !isExclusive { writers.admitOthers() }
                    return
                }
            } catch {
                writers.leave()
                throw error
            }
            // Another process replaced the file before it was locked; the lock of the new one is needed.
            writers.leave()
        }
    }

    /// Throws if the vault may not be written, before waiting for a lock.
    private func checkWritable() throws(StoreError) {
        if let reason = try currentReadOnlyReason() { throw .readOnly(reason, path: path) }
    }

    /// Returns why the vault can only be read now, if so; an unreadable anchor and an older copy may have passed.
    func currentReadOnlyReason() throws(StoreError) -> ReadOnlyReason? {
        try state.withLock { state throws(StoreError) in
            switch state.readOnlyReason {
            case .anchorUnreadable, .olderCopy: try reopen(&state)
            default: break
            }
            return state.readOnlyReason
        }
    }

    private func fileToLock() -> any OpenFile { state.withLock { $0.file } }

    /// Reads what others have written; returns false if the locked file is no longer that of the vault.
    private func prepareToWrite() throws(StoreError) -> Bool {
        try state.withLock { state throws(StoreError) in
            let locked = state.generation?.identity
            // A writer checks the file itself: a frame in the wrong place would cost more than a late answer.
            try refresh(&state, trustsStamps: false)
            // What follows a damaged frame would be lost.
            try readWholeLog(&state)
            guard state.generation?.identity == locked else { return false }
            if case .readOnly(.syncFailed) = state.access { return true }
            if !state.isTailClean { try examineTail(&state) }
            return true
        }
    }

    /// Decides what to do with the bytes after the log; the lock is held, so nobody is writing them.
    private func examineTail(_ state: inout State) throws(StoreError) {
        guard let generation = state.generation else { return }
        let source = FileSource(file: generation.file, byteCount: state.fileByteCount)
        switch try generation.tailVerdict(source) {
        case .clean: break
        case .torn(let byteCount): try cutTail(&state, byteCount: byteCount)
        case .damaged(let byteCount):
            guard options.discardsDamagedTail else {
                state.access = .readOnly(.damagedTail(byteCount: byteCount))
                return
            }
            try cutTail(&state, byteCount: byteCount)
        case .inconsistent(let offset, let sequence):
            state.access = .readOnly(.inconsistent(offset: offset, sequence: sequence))
            return
        }
        state.isTailClean = true
    }

    /// Durably removes the bytes after the log, before anything is appended.
    private func cutTail(_ state: inout State, byteCount: Int) throws(StoreError) {
        guard let generation = state.generation else { return }
        let offset = generation.position.offset
        try translating(StoreError.file, generation.file.truncate(to: offset))
        state.fileByteCount = offset
        do throws(FileError) {
            try generation.file.sync()
        } catch {
            throw poison(&state, error)
        }
        renewWriter(&state)
        state.disk.noteAllDurable(generation.position)
        state.recoveries.append(TailRecovery(offset: offset, byteCount: byteCount))
    }

    /// Forbids writing the file, whose content on disk is unknown, until it is replaced.
    private func poison(_ state: inout State, _ error: FileError) -> StoreError {
        // A vault that cannot be read stays so.
        if case .unreadable = state.access {} else { state.access = .readOnly(.syncFailed(error)) }
        writers.pin()
        return .syncFailed(error)
    }

    // MARK: - Appending

    /// What a thread waits for: that the log is durable up to this sequence number.
    struct Ticket: Sendable {
        let sequence: UInt64
        let failureCount: Int
    }

    /// Runs a transaction and writes its frame, if it has changed something or closes a load.
    func append<Result>(
        _ state: inout State,
        isClosing: Bool = false,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> (Result, Ticket?) {
        let (result, frame) = try sealing(&state, isClosing: isClosing, body) {
            frame,
            vault,
            state throws(StoreError) in
            try write(frame, behind: vault, &state)
            return true
        }
        guard let frame else { return (result, nil) }
        state.generation?.advance(to: frame.next, tag: FrameTag(endOf: frame.bytes))
        state.quietLookCount = 0
        return (result, Ticket(sequence: frame.next.sequence, failureCount: state.disk.failureCount))
    }

    /// Runs a transaction, and seals its frame if it has changed something or closes a load.
    ///
    /// The vault has the changes afterwards if `use`, which gets the frame, returns true.
    func sealing<Result>(
        _ state: inout State,
        isClosing: Bool = false,
        _ body: (inout Transaction) throws(StoreError) -> Result,
        use: ([UInt8], OpenGeneration, inout State) throws(StoreError) -> Bool
    ) throws(StoreError) -> (Result, frame: (bytes: [UInt8], next: LogPosition)?) {
        let writer = state.writer(environment)
        guard let generation = state.generation.take() else { preconditionFailure("a transaction is using the vault") }
        let time = Time(microseconds: environment.time.wallMicroseconds())
        // Moved, not copied: after a copy, the first change would copy the whole log.
        var transaction = Transaction(consume generation, time: time, writer: writer)
        let result: Result
        let frame: (bytes: [UInt8], next: LogPosition)?
        var isKept = true
        do throws(StoreError) {
            result = try body(&transaction)
            let hasFrame = isClosing || !transaction.records.isEmpty
            frame = hasFrame ? try sealedFrame(transaction, time: time, durable: state.disk.durable) : nil
            if let frame { isKept = try use(frame.bytes, transaction.vault, &state) }
        } catch {
            state.generation = transaction.abandoned()
            throw error
        }
        state.generation = isKept ? transaction.finished() : transaction.abandoned()
        return (result, frame)
    }

    private func sealedFrame(
        _ transaction: borrowing Transaction,
        time: Time,
        durable: LogPosition
    ) throws(StoreError) -> (bytes: [UInt8], next: LogPosition) {
        var writer = LogWriter(continuing: transaction.vault.position, keys: transaction.vault.opening.keys)
        let records = transaction.records
        let bytes = try translating(
            StoreError.refusal,
            writer.frame(records, time: time, syncedSequence: durable.sequence)
        )
        return (bytes, writer.position)
    }

    /// Writes a frame after the log with one call.
    func write(
        _ frame: [UInt8],
        behind vault: OpenGeneration,
        _ state: inout State
    ) throws(StoreError) {
        try syncOthers(vault, &state)
        let offset = vault.position.offset
        let end = offset + frame.count
        var bytes = frame
        if end > state.fileByteCount {
            let reserve = Reserve.byteCount(behind: end, appendedSoFar: end - state.firstOffset)
            bytes.append(zeroByteCount: reserve)
        }
        guard offset + bytes.count <= Limits.fileByteCount else {
            throw .refused(.limitExceeded(.file, value: UInt64(offset + bytes.count)))
        }
        do throws(FileError) {
            try vault.file.writeAll(bytes.span, at: offset)
        } catch {
            // A part may have been written. It was not acknowledged, so it may be removed.
            do throws(FileError) {
                try vault.file.truncate(to: offset)
                state.fileByteCount = offset
                // The next frame must not overwrite that part before the truncation is durable.
                state.disk.isDurable = false
                renewWriter(&state)
            } catch _ {
                // The whole frame may have been written, and only the zeros after it not.
                throw poison(&state, error)
            }
            throw .file(error)
        }
        state.fileByteCount = max(state.fileByteCount, offset + bytes.count)
    }

    /// Makes durable what others have left, before the first frame says so.
    ///
    /// That is their frames, and the name of the file, which a process that replaced it may not have synced before it
    /// ended.
    private func syncOthers(_ vault: OpenGeneration, _ state: inout State) throws(StoreError) {
        do throws(FileError) {
            if !state.disk.isDurable {
                try vault.file.sync()
                state.disk.noteAllDurable(vault.position)
            }
            if !state.disk.isNameDurable {
                try opener.location.place?.directory.sync()
                state.disk.isNameDurable = true
            }
        } catch {
            // Waiting threads must not retry the sync: it would succeed, whatever has become of their frames.
            state.disk.note(error)
            throw poison(&state, error)
        }
    }

    // MARK: - Syncing

    /// Returns when the frame of a ticket is durable.
    ///
    /// The first thread to arrive syncs for all that have written by then.
    func makeDurable(_ ticket: Ticket) throws(StoreError) {
        try syncing.withLock { _ throws(StoreError) in
            let (file, position, failure) = state.withLock { state in
                let hasFailed = state.disk.failureCount != ticket.failureCount
                return (state.file, state.generation?.position, hasFailed ? state.disk.lastFailure : nil)
            }
            if let failure { throw .syncFailed(failure) }
            guard let position else { preconditionFailure("a transaction is using the vault") }
            guard state.withLock({ $0.disk.durable.sequence < ticket.sequence }) else { return }
            do throws(FileError) {
                try file.sync()
            } catch {
                takeBack(after: error)
                throw .syncFailed(error)
            }
            let failureMeanwhile = state.withLock { state -> FileError? in
                // The system reports an error only once, and another thread may have received the one about these
                // frames.
                guard state.disk.failureCount == ticket.failureCount else { return state.disk.lastFailure }
                state.reach(position)
                return nil
            }
            if let failureMeanwhile { throw .syncFailed(failureMeanwhile) }
        }
    }

    /// Takes back all frames that were not durable when a sync failed, since it is unknown which of their bytes are.
    ///
    /// The sync is never retried, since it would succeed without them.
    private func takeBack(after error: FileError) {
        state.withLock { state in
            state.disk.note(error)
            let durableEnd = state.disk.durable.offset
            var limit: Int?
            do throws(FileError) {
                try state.generation?.file.truncate(to: durableEnd)
            } catch {
                limit = durableEnd
            }
            do throws(StoreError) {
                try reopen(&state, byteCountLimit: limit)
                renewWriter(&state)
                if limit != nil { _ = poison(&state, error) }
            } catch let unreadable {
                _ = poison(&state, error)
                state.access = .unreadable(unreadable, after: error)
            }
        }
    }
}

extension VaultStore {
    /// Goes on under another writer id, since places of the former one are gone, and must not be used again.
    func renewWriter(_ state: inout State) {
        state.writer = environment.random.shortIdentifier()
        state.machineStart = environment.machineStart
    }
}

extension VaultStore.State {
    /// Notes that the log is durable up to `position`, in the state and in the anchor.
    mutating func reach(_ position: LogPosition) {
        disk.durable = position
        if let reached = anchor(at: position) { anchor?.update(to: reached) }
    }

    /// Returns the id under which this process writes, VF-99: the one that was used last for this very file, since the
    /// machine was started, or a new one.
    mutating func writer(_ environment: StoreEnvironment) -> WriterID {
        if let writer { return writer }
        let last = anchor?.lastWriter()
        let isSame = last.map { last in
            last.machineStart == environment.machineStart?.bytes && identity.device == last.device
                && identity.number == last.inode
        }
        var writer: WriterID = environment.random.shortIdentifier()
        if isSame == true, let last { writer = last.id }
        self.writer = writer
        machineStart = environment.machineStart
        return writer
    }

    /// The writer to remember, if another process could tell that it may go on under its id.
    private var lastWriter: Anchor.LastWriter? {
        guard let writer, let machineStart else { return nil }
        return Anchor.LastWriter(
            id: writer,
            device: identity.device,
            inode: identity.number,
            machineStart: machineStart.bytes
        )
    }

    /// Returns the anchor for a log that is durable up to `position`, or nil if no anchor is kept.
    func anchor(at position: LogPosition) -> Anchor? {
        anchor == nil ? nil : generation?.anchor(at: position, lastWriter: lastWriter)
    }
}

extension VaultStore.State {
    /// Forgets that the end of the file was damaged: a process that has appended since has dealt with it.
    mutating func forgetTailVerdict() {
        switch access {
        case .readOnly(.damagedTail), .readOnly(.inconsistent): access = .full
        default: break
        }
    }
}
