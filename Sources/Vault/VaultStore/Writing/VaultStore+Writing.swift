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
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        try serve {
            try checkWritable()
            revokeEndedGrants()
            let result = try writeTransaction(durability, body)
            workAfterChange(durability)
            return result
        }
    }

    /// Makes everything that was written so far durable: the end of a load in relaxed transactions.
    ///
    /// A frame without changes records this in the file, so that later damage to the loaded data is not mistaken for an
    /// interrupted load.
    package func flush() throws {
        try serve {
            try checkWritable()
            if sharedLog == nil { try writeFlush() }
            workAfterChange(.full)
        }
    }

    private func writeFlush() throws {
        try enterAsWriter()
        defer { writers.leave() }
        let loaded = state.withLock { state in
            let sequence = state.generation.position.sequence
            return state.file.disk.durable.sequence < sequence
                ? Ticket(sequence: sequence, failureCount: state.file.disk.failureCount) : nil
        }
        guard let loaded else { return }
        try makeDurable(loaded)
        let closing = try state.withLock { state in
            try append(&state, isClosing: true) { _ in }.1
        }
        if let closing { try makeDurable(closing) }
    }

    private func writeTransaction<Result: Sendable>(
        _ durability: Durability,
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        while true {
            let isShared = sharedLog != nil
            try enterAsWriter(exclusively: isShared)
            defer { writers.leave() }
            // Another process may have begun or ended that before the lock was taken.
            guard (sharedLog != nil) == isShared else { continue }
            return try isShared
                ? appendOrReplace { transaction in try body(&transaction) }
                : writeWhileLocked(durability, body)
        }
    }

    /// Writes a transaction; the caller has the lock, which must be exclusive if the log is shared.
    func writeWhileLocked<Result: Sendable>(
        _ durability: Durability = .full,
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        if let log = sharedLog { return try publishTransaction(log, body) }
        let (result, ticket) = try state.withLock { state in
            if let reason = state.file.readOnlyReason { throw StoreError.readOnly(reason, path: path) }
            return try append(&state, body)
        }
        if durability == .full, let ticket { try makeDurable(ticket) }
        return result
    }

    /// Takes the lock of the vault's current file, and checks what follows its log.
    func enterAsWriter(exclusively isExclusive: Bool = false) throws {
        while true {
            let entrance = try writers.enter(
                exclusively: isExclusive,
                timeout: options.lockTimeout,
                path: path
            ) { fileToLock() }
            guard entrance == .first else { return }
            do {
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
    private func checkWritable() throws {
        if let reason = try currentReadOnlyReason() { throw StoreError.readOnly(reason, path: path) }
    }

    /// Returns why the vault can only be read now, if so; an unreadable anchor and an older copy may have passed.
    func currentReadOnlyReason() throws -> ReadOnlyReason? {
        try state.withLock { state in
            switch state.file.readOnlyReason {
            case .anchorUnreadable, .olderCopy: try reopen(&state)
            default: break
            }
            return state.file.readOnlyReason
        }
    }

    private func fileToLock() -> any OpenFile { state.withLock { $0.file.handle } }

    /// Reads what others have written; returns false if the locked file is no longer that of the vault.
    private func prepareToWrite() throws -> Bool {
        try state.withLock { state in
            let locked = state.generation.identity
            // A writer checks the file itself: a frame in the wrong place would cost more than a late answer.
            try refresh(&state, trustsStamps: false)
            // What follows a damaged frame would be lost.
            try readWholeLog(&state)
            guard state.generation.identity == locked else { return false }
            if case .readOnly(.syncFailed) = state.file.access { return true }
            if !state.file.isTailClean { try examineTail(&state) }
            return true
        }
    }

    /// Decides what to do with the bytes after the log; the lock is held, so nobody is writing them.
    private func examineTail(_ state: inout State) throws {
        let generation = state.generation
        let source = FileSource(file: generation.file, byteCount: state.file.byteCount)
        switch try generation.tailVerdict(source) {
        case .clean: break
        case .torn(let byteCount): try cutTail(&state, byteCount: byteCount)
        case .damaged(let byteCount):
            guard options.discardsDamagedTail else {
                state.file.access = .readOnly(.damagedTail(byteCount: byteCount))
                return
            }
            try cutTail(&state, byteCount: byteCount)
        case .inconsistent(let offset, let sequence):
            state.file.access = .readOnly(.inconsistent(offset: offset, sequence: sequence))
            return
        }
        state.file.isTailClean = true
    }

    /// Durably removes the bytes after the log, before anything is appended.
    private func cutTail(_ state: inout State, byteCount: Int) throws {
        let generation = state.generation
        let offset = generation.position.offset
        try generation.file.truncate(to: offset)
        state.file.byteCount = offset
        do throws(FileError) {
            try generation.file.sync()
        } catch {
            throw poison(&state.file, error)
        }
        state.file.renewWriter(environment)
        state.file.disk.noteAllDurable(generation.position)
        state.recoveries.append(TailRecovery(offset: offset, byteCount: byteCount))
    }

    /// Forbids writing the file, whose content on disk is unknown, until it is replaced.
    private func poison(_ file: inout FileState, _ error: FileError) -> StoreError {
        file.poison(error)
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
        _ body: (inout Transaction) throws -> Result
    ) throws -> (Result, Ticket?) {
        let (result, frame) = try sealing(&state, isClosing: isClosing, body) { frame, vault, file in
            try write(frame, behind: vault, &file)
            return true
        }
        guard let frame else { return (result, nil) }
        state.generation.advance(to: frame.next, tag: FrameTag(endOf: frame.bytes))
        state.file.quietLookCount = 0
        return (result, Ticket(sequence: frame.next.sequence, failureCount: state.file.disk.failureCount))
    }

    /// Runs a transaction, and seals its frame if it has changed something or closes a load.
    ///
    /// The vault has the changes afterwards if `use`, which gets the frame, returns true.
    func sealing<Result>(
        _ state: inout State,
        isClosing: Bool = false,
        _ body: (inout Transaction) throws -> Result,
        use: ([UInt8], OpenGeneration, inout FileState) throws -> Bool
    ) throws -> (Result, frame: (bytes: [UInt8], next: LogPosition)?) {
        let writer = state.file.writer(&state.remembered.anchors, environment)
        return try sealing(&state.generation, &state.file, writer, isClosing: isClosing, body, use: use)
    }

    private func sealing<Result>(
        _ generation: inout OpenGeneration,
        _ file: inout FileState,
        _ writer: WriterID,
        isClosing: Bool,
        _ body: (inout Transaction) throws -> Result,
        use: ([UInt8], OpenGeneration, inout FileState) throws -> Bool
    ) throws -> (Result, frame: (bytes: [UInt8], next: LogPosition)?) {
        let time = Time(microseconds: environment.time.wallMicroseconds())
        // Moved, not copied: after a copy, the first change would copy the whole log.
        var transaction = Transaction(consume generation, time: time, writer: writer)
        let result: Result
        let frame: (bytes: [UInt8], next: LogPosition)?
        var isKept = true
        do {
            result = try body(&transaction)
            let hasFrame = isClosing || !transaction.records.isEmpty
            frame = hasFrame ? try sealedFrame(transaction, time: time, durable: file.disk.durable) : nil
            if let frame { isKept = try use(frame.bytes, transaction.vault, &file) }
        } catch {
            generation = transaction.abandoned()
            throw error
        }
        generation = isKept ? transaction.finished() : transaction.abandoned()
        return (result, frame)
    }

    private func sealedFrame(
        _ transaction: borrowing Transaction,
        time: Time,
        durable: LogPosition
    ) throws -> (bytes: [UInt8], next: LogPosition) {
        var writer = LogWriter(continuing: transaction.vault.position, keys: transaction.vault.opening.keys)
        let records = transaction.records
        let bytes = try writer.frame(records, time: time, syncedSequence: durable.sequence)
        return (bytes, writer.position)
    }

    /// Writes a frame after the log with one call.
    func write(
        _ frame: [UInt8],
        behind vault: OpenGeneration,
        _ file: inout FileState
    ) throws {
        try syncOthers(vault, &file)
        let offset = vault.position.offset
        let end = offset + frame.count
        var bytes = frame
        if end > file.byteCount {
            let reserve = Reserve.byteCount(behind: end, appendedSoFar: end - file.firstOffset)
            bytes.append(zeroByteCount: reserve)
        }
        guard offset + bytes.count <= Limits.fileByteCount else {
            throw StoreError.refused(.limitExceeded(.file, value: UInt64(offset + bytes.count)))
        }
        do throws(FileError) {
            try vault.file.writeAll(bytes.span, at: offset)
        } catch {
            // A part may have been written. It was not acknowledged, so it may be removed.
            do throws(FileError) {
                try vault.file.truncate(to: offset)
                file.byteCount = offset
                // The next frame must not overwrite that part before the truncation is durable.
                file.disk.isDurable = false
                file.renewWriter(environment)
            } catch _ {
                // The whole frame may have been written, and only the zeros after it not.
                throw poison(&file, error)
            }
            throw error
        }
        file.byteCount = max(file.byteCount, offset + bytes.count)
    }

    /// Makes durable what others have left, before the first frame says so.
    ///
    /// That is their frames, and the name of the file, which a process that replaced it may not have synced before it
    /// ended.
    private func syncOthers(_ vault: OpenGeneration, _ file: inout FileState) throws {
        do throws(FileError) {
            if !file.disk.isDurable {
                try vault.file.sync()
                file.disk.noteAllDurable(vault.position)
            }
            if !file.disk.isNameDurable {
                try opener.location.place?.directory.sync()
                file.disk.isNameDurable = true
            }
        } catch {
            // Waiting threads must not retry the sync: it would succeed, whatever has become of their frames.
            file.disk.note(error)
            throw poison(&file, error)
        }
    }

    // MARK: - Syncing

    /// Returns when the frame of a ticket is durable.
    ///
    /// The first thread to arrive syncs for all that have written by then.
    func makeDurable(_ ticket: Ticket) throws {
        try syncing.withLock { _ in
            let (file, position, failure) = state.withLock { state in
                let hasFailed = state.file.disk.failureCount != ticket.failureCount
                return (state.file.handle, state.generation.position, hasFailed ? state.file.disk.lastFailure : nil)
            }
            if let failure { throw StoreError.syncFailed(failure) }
            guard state.withLock({ $0.file.disk.durable.sequence < ticket.sequence }) else { return }
            do throws(FileError) {
                try file.sync()
            } catch {
                takeBack(after: error)
                throw StoreError.syncFailed(error)
            }
            let failureMeanwhile = state.withLock { state -> FileError? in
                // The system reports an error only once, and another thread may have received the one about these
                // frames.
                guard state.file.disk.failureCount == ticket.failureCount else { return state.file.disk.lastFailure }
                state.reach(position)
                return nil
            }
            if let failureMeanwhile { throw StoreError.syncFailed(failureMeanwhile) }
        }
    }

    /// Takes back all frames that were not durable when a sync failed, since it is unknown which of their bytes are.
    ///
    /// The sync is never retried, since it would succeed without them.
    private func takeBack(after error: FileError) {
        state.withLock { state in
            state.file.disk.note(error)
            let durableEnd = state.file.disk.durable.offset
            var limit: Int?
            do throws(FileError) {
                try state.file.handle.truncate(to: durableEnd)
            } catch {
                limit = durableEnd
            }
            do {
                try reopen(&state, byteCountLimit: limit)
                state.file.renewWriter(environment)
                if limit != nil { _ = poison(&state.file, error) }
            } catch let unreadable {
                _ = poison(&state.file, error)
                state.file.access = .unreadable(unreadable, after: error)
            }
        }
    }
}

extension VaultStore.State {
    /// Notes that the log is durable up to `position`, in the state and in the anchor.
    mutating func reach(_ position: LogPosition) {
        file.disk.durable = position
        if let reached = anchor(at: position) { remembered.anchors?.update(to: reached) }
    }

    /// Returns the anchor for a log that is durable up to `position`, or nil if no anchor is kept.
    func anchor(at position: LogPosition) -> Anchor? {
        remembered.anchors == nil ? nil : generation.anchor(at: position, lastWriter: file.lastWriter)
    }
}
