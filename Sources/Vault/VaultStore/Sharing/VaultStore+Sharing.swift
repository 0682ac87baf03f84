internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

// Vaults with a shared log: each change is published there first, and then appended to the file, byte for byte.
extension VaultStore {
    /// The log that this vault shares with other machines; nil if it is a vault of this machine alone.
    var sharedLog: (any SharedLog)? { isShared ? log : nil }

    /// Whether other machines share the vault.
    package var isShared: Bool { state.withLock { $0.generation.header.features.isShared } }

    /// Begins the shared log of the options with this vault.
    package func share() throws {
        try serve {
            guard let log else { return }
            try setShared(true) { new in
                let file = FileSource(file: new.file, byteCount: new.position.offset)
                let place = LogPlace(new)
                try log.create(file, reaching: place)
            }
            // The old file must not be accepted as current.
            guard let directory = options.anchorDirectory else { return }
            try remember(in: directory)
            if let path = opener.location.resolvedPath { try remember(placeOfCopyAt: path, in: directory) }
        }
    }

    /// Makes the vault one of this machine alone.
    package func leave() throws {
        try setShared(false) { _ in }
    }

    private func setShared(
        _ isShared: Bool,
        publishing publish: @escaping (OpenGeneration) throws -> Void
    ) throws {
        try serve {
            try enterAsWriter(exclusively: true)
            defer { writers.leave() }
            let wasRefused = state.withLock { state in
                guard !isShared, case .readOnly(.shared) = state.file.access else { return false }
                state.file.access = .full
                return true
            }
            do {
                var request = CompactionRequest()
                request.isShared = isShared
                _ = try compactWhileLocked(request, { _ in true }) { replacement in
                    if let new = replacement.new { try publish(new) }
                    return true
                }
            } catch {
                if wasRefused { state.withLock { $0.file.access = .readOnly(.shared) } }
                throw error
            }
        }
    }

    /// Creates a replica at `path`, where no file may exist, without authenticating anything in it.
    package static func makeReplica(
        of log: some SharedLog,
        at path: String,
        _ environment: StoreEnvironment
    ) throws {
        try serve(path) {
            for _ in 0..<fruitlessRoundLimit {
                let continuation = try log.continuation(behind: .start, isStrict: false)
                guard case .file(let shared) = continuation else { break }
                do {
                    return try DurableFile.create(
                        at: path,
                        in: environment.files,
                        random: environment.random.number(),
                        byteCount: shared.byteCount,
                        failure: { $0 }
                    ) { file in
                        try write(shared, to: file, path)
                    }
                } catch StoreError.replacedMeanwhile {}
            }
            throw StoreError.shared(.refused("its answers keep changing; try again"), path: path)
        }
    }

    /// Writes a file of a shared log, and returns its size.
    @discardableResult
    private static func write(
        _ shared: any SharedFile,
        to file: any OpenFile,
        _ path: String
    ) throws -> Int {
        var offset = 0
        var failure: (any Error)?
        let isWhole = try shared.read { piece in
            do {
                let end = offset + piece.count
                guard end <= Limits.fileByteCount else { throw Fault(.limitExceeded(.file, value: UInt64(end))) }
                try file.writeAll(piece.span, at: offset)
                offset = end
            } catch {
                failure = error
            }
            return failure == nil
        }
        guard isWhole else { throw failure ?? StoreError.replacedMeanwhile(path: path) }
        return offset
    }

    /// Throws unless every part of the file but the secrets is valid.
    package func checkSnapshot() throws {
        try read { vault in try vault.checkSnapshot() }
    }

    /// Returns the roots that open a file with other keys.
    package typealias NewRoots = (VaultPrelude) throws -> Keyring.Roots

    /// Catches up with the shared log, and returns whether there was anything new.
    ///
    /// - Parameters:
    ///   - isStrict: Whether everything that was acknowledged before this call must be there afterwards.
    ///   - newRoots: Returns the roots if the keys of the vault were changed.
    /// - Returns: Whether there was anything new.
    /// - Throws: `keysChanged` if the keys were changed, and `newRoots` does not have the new ones.
    @discardableResult
    package func follow(
        isStrict: Bool = false,
        newRoots: NewRoots = { _ in throw VaultFormatError.noMatch }
    ) throws -> Bool {
        try serve {
            guard let log = sharedLog else { return false }
            // Without a lock, so that others can write while the log is slow to answer.
            let start = try read { LogPlace($0) }
            let continuation = try log.continuation(behind: start, isStrict: isStrict)
            if case .nothing = continuation { return false }
            try enterAsWriter(exclusively: true)
            defer { writers.leave() }
            return try follow(log, from: place == start ? continuation : nil, isStrict: isStrict, newRoots: newRoots)
        }
    }

    /// Publishes a transaction as one frame, and appends it to the file.
    ///
    /// The caller is the only writer of the file. `body` runs again if another machine was faster.
    func publishTransaction<Result: Sendable>(
        _ log: any SharedLog,
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        for round in 0..<Self.fruitlessRoundLimit {
            let start = place
            let (result, frame) = try state.withLock { state in
                if let reason = state.file.readOnlyReason { throw StoreError.readOnly(reason, path: path) }
                // It is appended once the log has it.
                return try sealing(&state, body) { _, _, _ in false }
            }
            guard let frame else { return result }
            let place = LogPlace(frame.next, of: start.generation)
            let publication = try log.publish(frame.bytes, behind: start, reaching: place)
            if publication == .done {
                try append(published: [frame.bytes])
                return result
            }
            waitForOthers(round)
            try follow(log)
        }
        throw StoreError.shared(.refused("other machines were always faster; try again"), path: path)
    }

    /// Runs `body`, which may replace the file, until no other machine is faster.
    ///
    /// The caller is the only writer of the file.
    func untilFirst<Result>(_ body: () throws -> Result) throws -> Result {
        guard let log = sharedLog else { return try body() }
        for round in 0..<Self.fruitlessRoundLimit {
            do {
                return try body()
            } catch StoreError.replacedMeanwhile {}
            waitForOthers(round)
            try follow(log)
        }
        throw StoreError.shared(.refused("other machines were always faster; try again"), path: path)
    }

    /// Waits for a random time, so that machines that were overtaken do not all try again at once.
    private func waitForOthers(_ round: Int) {
        let longest = UInt64(min(round + 1, 16)) * 10_000_000
        environment.time.sleep(nanoseconds: environment.random.number() % longest)
    }

    /// How far the replica has come; it stays there while the caller is the only writer.
    private var place: LogPlace {
        state.withLock { LogPlace($0.generation) }
    }

    /// Catches up with the log, of which the next part may be known; the caller is the only writer of the file.
    @discardableResult
    func follow(
        _ log: any SharedLog,
        from beginning: Continuation? = nil,
        isStrict: Bool = false,
        newRoots: NewRoots = { _ in throw VaultFormatError.noMatch }
    ) throws -> Bool {
        var (known, hasFollowed, fruitlessRoundCount) = (beginning, false, 0)
        while fruitlessRoundCount < Self.fruitlessRoundLimit {
            let continuation =
                if let known = known.take() { known } else { try log.continuation(behind: place, isStrict: isStrict) }
            switch continuation {
            case .nothing: return hasFollowed
            case .frames(let frames, let areAll):
                try append(published: frames)
                // The next strict request tells the others how far this machine is now.
                if areAll, !isStrict { return true }
            case .file(let file):
                do {
                    try replace(with: file, newRoots)
                } catch StoreError.replacedMeanwhile {
                    // By another machine, while the pieces were read.
                    fruitlessRoundCount += 1
                    continue
                }
            }
            (hasFollowed, fruitlessRoundCount) = (true, 0)
        }
        throw StoreError.shared(.refused("its answers keep changing; try again"), path: path)
    }

    /// How often in a row others may be faster, or an answer may be outdated, before this gives up.
    private static let fruitlessRoundLimit = 100

    /// Appends frames of the shared log.
    ///
    /// Each is durable before the next, which may state that.
    private func append(published frames: [[UInt8]]) throws {
        for frame in frames {
            let ticket = try state.withLock { state in try append(published: frame, &state) }
            try makeDurable(ticket)
        }
    }

    private func append(published frame: [UInt8], _ state: inout State) throws -> Ticket {
        let generation = state.generation
        let start = generation.position
        // Checked before it is written, since a wrong frame would damage the file.
        var reader = LogReader(
            at: LogPosition(offset: 0, sequence: start.sequence, chain: start.chain),
            in: MemorySource(frame),
            keys: generation.opening.keys
        )
        let next = try reader.next()
        guard next != nil, reader.position.offset == frame.count else {
            throw StoreError.shared(.damaged(start.sequence), path: path)
        }
        try write(frame, behind: generation, &state.file)
        state.file.quietLookCount = 0
        do {
            let progress = try state.generation.catchUp(fileByteCount: state.file.byteCount)
            if progress == .rewritten { try reopen(&state) }
        } catch {
            state.file.reading = .interrupted
            throw error
        }
        return Ticket(sequence: start.sequence + 1, failureCount: state.file.disk.failureCount)
    }

    /// Replaces the file by one of the shared log.
    private func replace(with shared: any SharedFile, _ newRoots: NewRoots) throws {
        let (old, _) = try viewToReplace()
        var (hasOtherKeys, byteCount) = (false, 0)
        do {
            let sizes = try replaceFile(
                old,
                byteCount: shared.byteCount,
                roots: { prelude in
                    if old.keyring.opensStructureKey(in: prelude.keybag) { return old.keyring.roots }
                    hasOtherKeys = true
                    return try newRoots(prelude)
                },
                { _ in true }
            ) { replacement in
                // The keys open an older file of the vault too.
                guard let new = replacement.new, new.isLater(than: old), new.position.offset == byteCount else {
                    throw StoreError.shared(.damaged(old.position.sequence), path: path)
                }
                return true
            } writing: { file, _ in
                byteCount = try Self.write(shared, to: file, path)
                return nil
            }
            guard sizes != nil else { throw StoreError.replacedMeanwhile(path: path) }
        } catch StoreError.vault(.noMatch, _) where hasOtherKeys {
            throw StoreError.keysChanged(path: path)
        }
    }

    /// Compacts the file and publishes it; nobody else on this machine writes meanwhile.
    func compactShared(
        _ log: any SharedLog,
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws -> CompactionReport {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        try follow(log)
        return try compactWhileLocked(request, progress)
    }

    /// Compacts the file; the caller is its only writer.
    private func compactWhileLocked(
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool,
        publishing publish: ((inout FileReplacement) throws -> Bool)? = nil
    ) throws -> CompactionReport {
        try state.withLock { state in try readWholeLog(&state) }
        let (old, byteCount) = try viewToReplace()
        var report = Rewrite.Report()
        let sizes = try replaceFile(old, byteCount: byteCount, roots: { _ in old.keyring.roots }, progress) {
            try publish?(&$0) ?? self.publish(&$0)
        } writing: { file, progress in
            try Rewrite.write(old, request, to: file, &report, progress: progress)
        }
        guard let sizes else { throw StoreError.replacedMeanwhile(path: path) }
        return CompactionReport(of: report, old.header.generation + request.generationStep, sizes)
    }

    /// Publishes the file that is to replace that of the vault, which may get further frames, like the old one.
    ///
    /// - Throws: `replacedMeanwhile` if another machine was faster.
    /// - Returns: True, as a step of replacing the file.
    func publish(_ replacement: inout FileReplacement) throws -> Bool {
        guard let log = sharedLog, let new = replacement.new else { return true }
        guard let upload = try log.upload(FileSource(file: replacement.file, byteCount: new.position.offset)) else {
            throw StoreError.replacedMeanwhile(path: path)
        }
        defer { upload.end() }
        var frames: [[UInt8]] = []
        // They go there in the same transaction.
        while frames.count <= Self.carriedFrameCountLimit,
            frames.reduce(0, { $0 + $1.count }) < Self.carriedByteCountLimit
        {
            let (old, new) = (LogPlace(replacement.old), LogPlace(replacement.new ?? new))
            if try upload.publish(frames, behind: old, reaching: new) == .done { return true }
            let continuation = try log.continuation(behind: old, isStrict: true)
            guard case .frames(let more, _) = continuation, replacement.carried != nil else { break }
            try append(published: more)
            frames += try carry(&replacement)
        }
        throw StoreError.replacedMeanwhile(path: path)
    }

    private static let carriedFrameCountLimit = 64
    private static let carriedByteCountLimit = 1 << 20

    /// Seals the frames that the old file has got for the new one.
    private func carry(_ replacement: inout FileReplacement) throws -> [[UInt8]] {
        let (old, source) = try state.withLock { state in
            (state.generation, try state.generation.source())
        }
        let frames = try carryFrames(&replacement, in: source, until: old.position)
        replacement.old = old
        let fileByteCount = replacement.carried?.writer.position.offset ?? 0
        let progress = try replacement.new?.catchUp(fileByteCount: fileByteCount)
        guard let frames, case .appended? = progress else { throw StoreError.replacedMeanwhile(path: path) }
        return frames
    }
}

extension OpenGeneration {
    /// Whether this has a later file, with all that `old` has.
    fileprivate func isLater(than old: OpenGeneration) -> Bool {
        header.vault == old.header.vault && header.generation > old.header.generation
            && position.sequence >= old.position.sequence
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
