internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Appending, section 13: under the lock, behind all frames that verify, with one call; then a sync.
extension VaultStore {
    /// Changes the vault, wholly or not at all.
    ///
    /// What `body` throws is thrown on, and nothing has changed. Several threads may call this at once: their changes
    /// follow one another, and share a sync. `body` must not use the store, only the transaction.
    package func transaction<Result: Sendable>(
        durability: Durability = .full,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try checkProcess()
        try checkWritable()
        let result = try writeTransaction(durability, body)
        compactIfDue()
        return result
    }

    /// Makes everything durable that was written so far: the end of a load in relaxed transactions.
    ///
    /// A frame without changes says so in the file, so that damage to what was loaded is not taken for a load that broke
    /// off.
    package func flush() throws(StoreError) {
        try checkProcess()
        try checkWritable()
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
        try enterAsWriter()
        defer { writers.leave() }
        let (result, ticket) = try state.withLock { state throws(StoreError) in
            if let reason = state.readOnlyReason { throw .readOnly(reason, path: path) }
            return try append(&state, body)
        }
        if durability == .full, let ticket { try makeDurable(ticket) }
        return result
    }

    /// Takes the lock of the file that the vault is now, and looks at what is behind its log.
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
            // Somebody replaced the file before it was locked; the lock of the new one is needed.
            writers.leave()
        }
    }

    /// Throws if the vault may not be written, before anybody waits for a lock.
    private func checkWritable() throws(StoreError) {
        if let reason = try currentReadOnlyReason() { throw .readOnly(reason, path: path) }
    }

    /// Why the vault can only be read, if that is so now: what kept the anchor from being read may have passed.
    func currentReadOnlyReason() throws(StoreError) -> ReadOnlyReason? {
        try state.withLock { state throws(StoreError) in
            if case .anchorUnreadable = state.readOnlyReason { try reopen(&state) }
            return state.readOnlyReason
        }
    }

    private func fileToLock() -> any OpenFile {
        state.withLock { state in
            guard let generation = state.generation else { preconditionFailure("a transaction has the vault") }
            return generation.file
        }
    }

    /// Reads what others have written; false if the file that is locked is not that of the vault any more.
    private func prepareToWrite() throws(StoreError) -> Bool {
        try state.withLock { state throws(StoreError) in
            let locked = state.generation?.identity
            // Who writes looks at the file itself: a frame in the wrong place would cost more than a late answer.
            try refresh(&state, trustsStamps: false)
            guard state.generation?.identity == locked else { return false }
            if case .readOnly(.syncFailed) = state.access { return true }
            if !state.isTailClean { try examineTail(&state) }
            return true
        }
    }

    /// Decides what to do with the bytes behind the log; the lock is held, so nobody is just writing them.
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

    /// Makes the bytes behind the log disappear, durably, before anything is appended.
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
        state.disk.reachAll(generation.position)
        state.recoveries.append(TailRecovery(offset: offset, byteCount: byteCount))
    }

    /// Forbids to write the file, whose content on the disk nobody knows, until it is replaced.
    private func poison(_ state: inout State, _ error: FileError) -> StoreError {
        // What cannot be read stays so.
        if case .unreadable = state.access {} else { state.access = .readOnly(.syncFailed(error)) }
        writers.pin()
        return .syncFailed(error)
    }

    // MARK: - Appending

    /// What a thread waits for: that the log is durable to this sequence number.
    struct Ticket: Sendable {
        let sequence: UInt64
        let failureCount: Int
    }

    /// Runs a transaction and writes its frame, if it has changed something, or closes a load.
    private func append<Result>(
        _ state: inout State,
        isClosing: Bool = false,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> (Result, Ticket?) {
        guard let generation = state.generation.take() else { preconditionFailure("a transaction has the vault") }
        let time = Time(microseconds: environment.time.wallMicroseconds())
        // Moved, not copied: the first change to what is shared with a copy would copy all of the log.
        var transaction = Transaction(consume generation, time: time)
        let result: Result
        let frame: (bytes: [UInt8], next: LogPosition)?
        do throws(StoreError) {
            result = try body(&transaction)
            let hasFrame = isClosing || !transaction.records.isEmpty
            frame = hasFrame ? try sealedFrame(transaction, time: time, durable: state.disk.durable) : nil
            if let frame { try write(frame.bytes, behind: transaction.vault, &state) }
        } catch {
            state.generation = transaction.abandoned()
            throw error
        }
        state.generation = transaction.finished()
        guard let frame else { return (result, nil) }
        state.generation?.advance(to: frame.next, tag: FrameTag(endOf: frame.bytes))
        return (result, Ticket(sequence: frame.next.sequence, failureCount: state.disk.failureCount))
    }

    private func sealedFrame(
        _ transaction: borrowing Transaction,
        time: Time,
        durable: LogPosition
    ) throws(StoreError) -> (bytes: [UInt8], next: LogPosition) {
        var writer = LogWriter(continuing: transaction.vault.position, keys: transaction.vault.opening.keys)
        let records = transaction.records
        let bytes = try translating(
            StoreError.refused,
            writer.frame(records, time: time, syncedSequence: durable.sequence)
        )
        return (bytes, writer.position)
    }

    /// Writes a frame behind the log with one call.
    private func write(
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
            // A part may have been written. Nobody was told that it is there, so it may go.
            do throws(FileError) {
                try vault.file.truncate(to: offset)
                state.fileByteCount = offset
                // The next frame must not be written over the part before that has gone for good.
                state.disk.isDurable = false
            } catch _ {
                // All of the frame may be there, and only what follows it may not.
                throw poison(&state, error)
            }
            throw .file(error)
        }
        state.fileByteCount = max(state.fileByteCount, offset + bytes.count)
    }

    /// Makes durable what others have left, before the first frame says that it is: their frames, and the name of the
    /// file, which a process that replaced it and was stopped may not have synced.
    private func syncOthers(_ vault: OpenGeneration, _ state: inout State) throws(StoreError) {
        do throws(FileError) {
            if !state.disk.isDurable {
                try vault.file.sync()
                state.disk.reachAll(vault.position)
            }
            if !state.disk.isNameDurable {
                try opener.location.place?.directory.sync()
                state.disk.isNameDurable = true
            }
        } catch {
            // Threads that wait for a sync must not try it again: it would succeed, whatever has become of their frames.
            state.disk.note(error)
            throw poison(&state, error)
        }
    }

    // MARK: - Syncing

    /// Returns when the frame of a ticket is durable.
    ///
    /// The first thread that comes syncs for all that have written by then.
    func makeDurable(_ ticket: Ticket) throws(StoreError) {
        try syncing.withLock { _ throws(StoreError) in
            let (file, position, failure) = state.withLock { state in
                let hasFailed = state.disk.failureCount != ticket.failureCount
                return (state.file, state.generation?.position, hasFailed ? state.disk.lastFailure : nil)
            }
            if let failure { throw .syncFailed(failure) }
            guard let position else { preconditionFailure("a transaction has the vault") }
            guard state.withLock({ $0.disk.durable.sequence < ticket.sequence }) else { return }
            do throws(FileError) {
                try file.sync()
            } catch {
                takeBack(after: error)
                throw .syncFailed(error)
            }
            let failureMeanwhile = state.withLock { state -> FileError? in
                // The system tells of an error once: who was told of one that concerns these frames was another thread.
                guard state.disk.failureCount == ticket.failureCount else { return state.disk.lastFailure }
                state.reach(position)
                return nil
            }
            if let failureMeanwhile { throw .syncFailed(failureMeanwhile) }
        }
    }

    /// Takes back all frames that were not durable when a sync failed: nobody knows which of their bytes are.
    ///
    /// The sync is never tried again, since it would succeed without them.
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
                if limit != nil { _ = poison(&state, error) }
            } catch let unreadable {
                _ = poison(&state, error)
                state.access = .unreadable(unreadable, after: error)
            }
        }
    }
}

extension VaultStore.State {
    /// Notes that the log is durable to `position`, inside and outside of the vault.
    mutating func reach(_ position: LogPosition) {
        disk.durable = position
        if let reached = anchor(at: position) { anchor?.update(to: reached) }
    }

    /// What the anchor says when the log is durable to `position`, or nil if there is none.
    func anchor(at position: LogPosition) -> Anchor? {
        // One by one, since the generation as a whole would be copied.
        guard anchor != nil, let vault = generation?.vault, let number = generation?.header.generation,
            let epoch = generation?.opening.structureEpoch
        else { return nil }
        return Anchor(
            vault: vault,
            generation: number,
            sequence: position.sequence,
            chain: position.chain.bytes,
            structureKeyEpoch: epoch
        )
    }
}

extension VaultStore.State {
    /// Forgets that the end of the file was damaged: somebody has appended since, who saw to it.
    mutating func forgetTailVerdict() {
        switch access {
        case .readOnly(.damagedTail), .readOnly(.inconsistent): access = .full
        default: break
        }
    }
}
