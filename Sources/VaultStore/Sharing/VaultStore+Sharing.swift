internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Vaults with a shared log: what is written goes there first, and comes from there into the file, byte for byte.
extension VaultStore {
    /// The log that this vault shares with other machines; nil if it is a vault of this machine alone.
    var sharedLog: (any SharedLog)? {
        state.withLock { $0.generation?.header.features.isShared ?? false } ? log : nil
    }

    /// Begins the shared log of the options with this vault.
    package func share() throws(StoreError) {
        guard let log else { return }
        try setShared(true) { new throws(StoreError) in
            let file = FileSource(file: new.file, byteCount: new.position.offset)
            let place = LogPlace(new)
            try self.shared { () throws(SharedLogError) in try log.create(file, reaching: place) }
        }
    }

    /// Makes the vault one of this machine alone; the others go on without it.
    package func leave() throws(StoreError) {
        try setShared(false) { _ in }
    }

    private func setShared(
        _ isShared: Bool,
        publishing publish: @escaping (OpenGeneration) throws(StoreError) -> Void
    ) throws(StoreError) {
        try checkProcess()
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        let wasRefused = state.withLock { state in
            guard !isShared, case .readOnly(.shared) = state.access else { return false }
            state.access = .full
            return true
        }
        do throws(StoreError) {
            var request = CompactionRequest()
            request.isShared = isShared
            _ = try compactWhileLocked(request, { _ in true }, publishing: publish)
        } catch {
            if wasRefused { state.withLock { $0.access = .readOnly(.shared) } }
            throw error
        }
    }

    /// Takes in what other machines have written, and returns whether there was anything.
    @discardableResult
    package func follow() throws(StoreError) -> Bool {
        guard let log = sharedLog else { return false }
        try checkProcess()
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        return try follow(log)
    }

    /// Writes a transaction as one frame behind all that other machines have written.
    ///
    /// The caller is the only writer of the file. `body` runs again when another machine was faster.
    func publishTransaction<Result: Sendable>(
        _ log: any SharedLog,
        _ body: (inout Transaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 0..<Self.fruitlessRoundLimit {
            let start = place
            let (result, frame) = try state.withLock { state throws(StoreError) in
                if let reason = state.readOnlyReason { throw .readOnly(reason, path: path) }
                // The file gets it once the log has it.
                return try sealing(&state, body) { _, _, _ in false }
            }
            guard let frame else { return result }
            let publication = try shared { () throws(SharedLogError) in
                try log.publish(frame.bytes, behind: start, reaching: LogPlace(frame.next, of: start.generation))
            }
            if publication == .done {
                try append(published: [frame.bytes])
                return result
            }
            try follow(log)
        }
        throw .shared(.refused("others were always faster"), path: path)
    }

    /// How far the replica has come; it stays there while the caller is the only writer.
    private var place: LogPlace {
        state.withLock { state in
            guard let generation = state.generation else { preconditionFailure("a transaction is using the vault") }
            return LogPlace(generation)
        }
    }

    /// Takes in all that follows in the log; the caller is the only writer of the file.
    @discardableResult
    func follow(_ log: any SharedLog) throws(StoreError) -> Bool {
        var (hasFollowed, fruitlessRoundCount) = (false, 0)
        while fruitlessRoundCount < Self.fruitlessRoundLimit {
            switch try shared({ () throws(SharedLogError) in try log.continuation(behind: place) }) {
            case .nothing: return hasFollowed
            case .frames(let frames): try append(published: frames)
            case .file(let file):
                do throws(StoreError) {
                    try replace(with: file)
                } catch .replacedMeanwhile {
                    // By another machine, while the pieces were read.
                    fruitlessRoundCount += 1
                    continue
                }
            case .changing:
                fruitlessRoundCount += 1
                continue
            }
            (hasFollowed, fruitlessRoundCount) = (true, 0)
        }
        throw .shared(.refused("what it answers changes all the time"), path: path)
    }

    /// How often in a row others may be faster, or an answer may be of no use, before this gives up.
    private static let fruitlessRoundLimit = 100

    /// Appends frames of the shared log.
    ///
    /// Each is durable before the next, which may say so.
    private func append(published frames: [[UInt8]]) throws(StoreError) {
        for frame in frames {
            let ticket = try state.withLock { state throws(StoreError) in try append(published: frame, &state) }
            try makeDurable(ticket)
        }
    }

    private func append(published frame: [UInt8], _ state: inout State) throws(StoreError) -> Ticket {
        guard let generation = state.generation else { preconditionFailure("a transaction is using the vault") }
        let start = generation.position
        // Before it is written: what is not the next frame would be taken for damage of the file.
        var reader = LogReader(
            at: LogPosition(offset: 0, sequence: start.sequence, chain: start.chain),
            in: MemorySource(frame),
            keys: generation.opening.keys
        )
        let next = try translating({ StoreError($0, path: path) }, reader.next())
        guard next != nil, reader.position.offset == frame.count else {
            throw .shared(.damaged(start.sequence), path: path)
        }
        try write(frame, behind: generation, &state)
        state.quietLookCount = 0
        do throws(StoreError) {
            let progress = try state.generation?.catchUp(fileByteCount: state.fileByteCount)
            if progress == .rewritten { try reopen(&state) }
        } catch {
            state.reading = .interrupted
            throw error
        }
        return Ticket(sequence: start.sequence + 1, failureCount: state.disk.failureCount)
    }

    /// Replaces the file by one of the shared log.
    private func replace(with shared: any SharedFile) throws(StoreError) {
        let (old, _) = try viewToReplace()
        _ = try replaceWhileLocked(
            old,
            byteCount: shared.byteCount,
            roots: old.keyring.roots,
            { _ in true },
            publishing: { [path] new throws(StoreError) in
                // The keys open an older file of the vault too.
                guard new.isLater(than: old) else { throw .shared(.damaged(old.position.sequence), path: path) }
            }
        ) { file, _ throws(StoreError) in
            var offset = 0
            for number in 0..<shared.pieceCount {
                let piece = try self.shared { () throws(SharedLogError) in try shared.piece(number) }
                guard let piece else { throw .replacedMeanwhile(path: path) }
                try translating(StoreError.file, file.writeAll(piece.span, at: offset))
                offset += piece.count
            }
        }
    }

    /// Compacts the file and publishes it; nobody else on this machine writes meanwhile.
    func compactShared(
        _ log: any SharedLog,
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws(StoreError) -> CompactionReport {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        try follow(log)
        return try compactWhileLocked(request, progress)
    }

    /// Compacts the file; the caller is its only writer.
    private func compactWhileLocked(
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool,
        publishing publish: ((OpenGeneration) throws(StoreError) -> Void)? = nil
    ) throws(StoreError) -> CompactionReport {
        try state.withLock { state throws(StoreError) in try readWholeLog(&state) }
        let (old, byteCount) = try viewToReplace()
        var counts = (carried: 0, dropped: 0)
        let byteCountAfter = try replaceWhileLocked(
            old,
            byteCount: byteCount,
            roots: old.keyring.roots,
            progress,
            publishing: publish
        ) {
            file,
            progress throws(StoreError) in
            var compaction = try Compaction(of: old, request: request)
            let built = try compaction.write(to: file, progress: progress)
            counts = (built.carriedRecordCount, built.droppedRevisionCount)
        }
        return CompactionReport(
            generation: old.header.generation + request.generationStep,
            byteCountBefore: byteCount,
            byteCountAfter: byteCountAfter,
            carriedRecordCount: counts.carried,
            droppedRevisionCount: counts.dropped
        )
    }

    /// Publishes the file that is to replace that of the vault.
    ///
    /// - Throws: `replacedMeanwhile` if another machine was faster.
    func publish(_ new: OpenGeneration, insteadOf old: OpenGeneration) throws(StoreError) {
        guard let log = sharedLog else { return }
        let publication = try shared { () throws(SharedLogError) in
            try log.publish(
                FileSource(file: new.file, byteCount: new.position.offset),
                behind: LogPlace(old),
                reaching: LogPlace(new)
            )
        }
        guard publication == .done else { throw .replacedMeanwhile(path: path) }
    }

    private func shared<Value>(_ body: () throws(SharedLogError) -> Value) throws(StoreError) -> Value {
        do throws(SharedLogError) {
            return try body()
        } catch {
            throw .shared(error, path: path)
        }
    }
}

extension OpenGeneration {
    /// Whether this has a later file, with all that `old` has.
    fileprivate func isLater(than old: OpenGeneration) -> Bool {
        header.vault == old.header.vault && header.generation > old.header.generation
            && header.baseSequence >= old.position.sequence
    }
}

extension LogPlace {
    fileprivate init(_ generation: OpenGeneration) {
        self.init(generation.position, of: generation.header.generation)
    }

    fileprivate init(_ position: LogPosition, of generation: UInt64) {
        self.init(generation: generation, sequence: position.sequence, chain: position.chain)
    }
}
