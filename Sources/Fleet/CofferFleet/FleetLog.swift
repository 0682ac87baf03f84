internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat
package import VaultStore

/// The log of a vault in etcd.
package final class FleetLog: SharedLog {
    /// The size of the pieces of a file: a request of etcd may have 1.5 MiB.
    static let pieceByteCount = 1 << 20
    /// How many frames are read at once: with the greatest, an answer stays below the limit of a client.
    private static let frameCountPerRead = 16

    package let frameByteCountLimit: Int
    private let store: any EtcdStore
    private let keys: FleetKeys
    /// The name of this machine.
    private let machine: String
    private let environment: StoreEnvironment
    /// The head as it was seen last, and the revision in which it was written.
    private let seen = Guarded<(head: FleetHead, revision: Int64)?>(nil)

    /// Creates the log of a vault.
    ///
    /// - Parameters:
    ///   - store: The cluster.
    ///   - prefix: What the keys begin with.
    ///   - vault: The id of the vault, in hexadecimal digits.
    ///   - machine: The name of this machine.
    ///   - environment: The clocks and random numbers of this machine.
    ///   - frameByteCountLimit: The size of the largest frame, which fits into a request of etcd with its keys.
    package init(
        _ store: any EtcdStore,
        prefix: String,
        vault: String,
        machine: String,
        _ environment: StoreEnvironment,
        frameByteCountLimit: Int = 1_400_000
    ) {
        (self.store, self.machine, self.environment) = (store, machine, environment)
        self.frameByteCountLimit = frameByteCountLimit
        keys = FleetKeys(prefix: prefix, vault: vault)
    }

    // MARK: - Publishing

    package func publish(
        _ frame: [UInt8],
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication {
        guard let (head, revision) = try head(at: place) else { return .overtaken }
        let new = FleetHead(place: end, base: head.base)
        let key = keys.frame(end.sequence, of: end.generation)
        let outcome = try transact(
            if: [.changed(keys.head, in: revision), .created(key, in: 0)],
            [.put(keys.head, new.bytes), .put(key, frame), report(end)],
            else: [.read(.one(key))]
        )
        note(outcome.succeeded ? (new, outcome.revision) : nil)
        // A frame has a random nonce. So the same bytes are those of this call, which an earlier attempt has put there.
        if outcome.succeeded || outcome.found.last?.values.first?.value == frame { return .done }
        // It may be in the files that have replaced its generation and the next one.
        try checkCertain(outcome, upTo: place.generation + 1)
        return .overtaken
    }

    package func upload(_ file: some ByteSource) throws(SharedLogError) -> (any SharedUpload)? {
        guard let lock = try FleetLock(keys.replacement, store) else { return nil }
        do throws(SharedLogError) {
            if let base = try upload(file, lock) { return FleetUpload(log: self, lock: lock, base: base) }
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        return nil
    }

    /// Makes an uploaded file the next one, with frames behind it.
    fileprivate func publish(
        _ base: FleetHead.Base,
        _ lock: FleetLock,
        _ frames: [[UInt8]],
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication {
        guard let (head, revision) = try head(at: place) else { return .overtaken }
        let new = FleetHead(place: end, base: base)
        let first = end.sequence - UInt64(frames.count) + 1
        let outcome = try transact(
            // Whoever lost the lock, without knowing it, does not get further than this.
            if: [.changed(keys.head, in: revision), .created(lock.key, in: lock.number)],
            [
                .put(keys.head, new.bytes),
                report(end),
                // Those who are still reading them find the new file instead.
                .delete(keys.pieces(beforeThoseOf: base.number)),
                .delete(keys.pieces(behindThoseOf: base.number)),
                // The frames of the last generation stay, for those who lost the answer to one of them.
                .delete(keys.frames(before: head.place.generation)),
            ] + frames.enumerated().map { .put(keys.frame(first + UInt64($0), of: end.generation), $1) }
        )
        note(outcome.succeeded ? (new, outcome.revision) : nil)
        // Frames may be behind it already.
        guard outcome.succeeded || outcome.head?.base == base else {
            try checkCertain(outcome, upTo: place.generation)
            return .overtaken
        }
        return .done
    }

    /// Deletes the pieces of a file, unless the log counts it.
    fileprivate func delete(_ base: FleetHead.Base) throws(SharedLogError) {
        let (head, revision) = try readHead()
        guard head.base != base else { return }
        // A read may be outdated.
        let pieces = EtcdOperation.delete(.all(under: keys.pieces(of: base.number)))
        _ = try transact(EtcdTransaction(if: [.changed(keys.head, in: revision)], [pieces]))
    }

    /// Throws if an attempt whose answer was lost may have been carried out, which nothing shows in a later generation,
    /// or if this machine is not in the fleet.
    private func checkCertain(_ outcome: EtcdOutcome, upTo generation: UInt64) throws(SharedLogError) {
        if outcome.isRepeated, outcome.head.map({ $0.place.generation > generation }) ?? true {
            throw .unreachable(["an answer was lost, and the file has been replaced since"], isUncertain: true)
        }
        try checkMembership(outcome)
    }

    /// Makes a vault one of the fleet, with the file of this machine.
    package func create(_ file: some ByteSource, reaching end: LogPlace) throws(SharedLogError) {
        guard let lock = try FleetLock(keys.replacement, store) else {
            throw .refused("another machine is sharing the vault now")
        }
        defer { lock.release() }
        guard let base = try upload(file, lock) else { throw .refused("the upload took too long; try again") }
        let new = FleetHead(place: end, base: base)
        let outcome = try transact(
            EtcdTransaction(
                if: [.created(keys.head, in: 0)],
                [.put(keys.head, new.bytes), report(end)],
                else: [.read(.one(keys.head))]
            )
        )
        guard outcome.succeeded || outcome.head?.base == base else {
            try delete(.all(under: keys.pieces(of: base.number)))
            throw .refused("the vault is already shared through it")
        }
    }

    /// Uploads a file; returns nil if the lock is lost meanwhile.
    private func upload(_ file: some ByteSource, _ lock: FleetLock) throws(SharedLogError) -> FleetHead.Base? {
        let number = environment.random.number()
        do throws(SharedLogError) {
            if let count = try upload(file, lock, as: number) {
                return FleetHead.Base(number: number, pieceCount: count)
            }
        } catch {
            try? delete(.all(under: keys.pieces(of: number)))
            throw error
        }
        try delete(.all(under: keys.pieces(of: number)))
        return nil
    }

    private func upload(
        _ file: some ByteSource,
        _ lock: FleetLock,
        as number: UInt64
    ) throws(SharedLogError) -> UInt32? {
        var count: UInt32 = 0
        for start in stride(from: 0, to: file.byteCount, by: Self.pieceByteCount) {
            let bytes: [UInt8]
            do throws(Unavailability) {
                bytes = try file.bytes(in: start..<min(start + Self.pieceByteCount, file.byteCount))
            } catch {
                throw .refused("\(error)")
            }
            guard try lock.keep() else { return nil }
            _ = try transact(EtcdTransaction([.put(keys.piece(count, of: number), bytes)]))
            count += 1
        }
        return count
    }

    package func lock(_ name: String) throws(SharedLogError) -> (any SharedLock)? {
        guard let lock = try FleetLock(keys.lock(name), store) else { return nil }
        guard let kept = KeptFleetLock(lock, environment.time) else { throw .refused("the system has no thread left") }
        return kept
    }

    // MARK: - Following

    package func continuation(behind place: LogPlace, isStrict: Bool) throws(SharedLogError) -> Continuation {
        // In one request, so that the frames are those of the head. A strict one writes, since reads of old versions of
        // etcd may return what is outdated.
        let reads: [EtcdOperation] = [
            .read(.one(keys.head)), .read(keys.frames(behind: place), limit: Self.frameCountPerRead),
        ]
        let outcome = try isStrict ? transact([report(place)] + reads) : read(reads)
        if !outcome.succeeded { try checkMembership(outcome) }
        let (head, _) = try head(in: outcome.found.first)
        if head.place == place { return .nothing }
        guard (head.place.generation, head.place.sequence) > (place.generation, place.sequence) else {
            guard !isStrict else { throw .behind(place) }
            // A read may be outdated.
            return try continuation(behind: place, isStrict: true)
        }
        guard head.place.generation == place.generation else { return .file(FleetFile(log: self, head: head)) }
        let frames = outcome.found.dropFirst().first?.values.map(\.value) ?? []
        guard !frames.isEmpty else { throw .damaged(place.sequence) }
        return .frames(frames, areAll: place.sequence + UInt64(frames.count) >= head.place.sequence)
    }

    /// Some of the frames behind a place, with their sequence numbers.
    fileprivate func frames(
        behind place: LogPlace
    ) throws(SharedLogError) -> [(sequence: UInt64, bytes: [UInt8])] {
        let prefixByteCount = keys.frames(of: place.generation).count
        return try read(keys.frames(behind: place), limit: Self.frameCountPerRead).values.map { value in
            let digits = String(decoding: value.key.dropFirst(prefixByteCount), as: UTF8.self)
            return (UInt64(digits, radix: 16) ?? place.sequence + 1, value.value)
        }
    }

    /// A piece of a file; nil if it is gone.
    fileprivate func piece(_ number: UInt32, of base: FleetHead.Base) throws(SharedLogError) -> [UInt8]? {
        try read(.one(keys.piece(number, of: base.number))).values.first?.value
    }

    // MARK: - Machines

    /// Returns the head, and how far each machine had come.
    func status() throws(SharedLogError) -> (head: FleetHead, machines: [(name: String, report: FleetReport)]) {
        let (head, _) = try readHead()
        let machines = try read(.all(under: keys.machines)).values.compactMap { value in
            FleetReport(value.value).map {
                (String(decoding: value.key.dropFirst(keys.machines.count), as: UTF8.self), $0)
            }
        }
        return (head, machines)
    }

    /// Makes this machine a part of the fleet.
    package func join(at place: LogPlace) throws(SharedLogError) { _ = try transact(EtcdTransaction([report(place)])) }

    /// Removes a machine, which cannot write any longer; returns false if it is not in the fleet.
    package func remove(_ machine: String) throws(SharedLogError) -> Bool {
        let key = keys.machine(machine)
        return try transact(EtcdTransaction(if: [.exists(key)], [.delete(.one(key))])).succeeded
    }

    // MARK: - The head

    /// The head and the revision in which it was written, if it is at `place`.
    private func head(at place: LogPlace) throws(SharedLogError) -> (FleetHead, Int64)? {
        if let seen = seen.withLock({ $0 }), seen.head.place == place { return seen }
        let (head, revision) = try readHead()
        return head.place == place ? (head, revision) : nil
    }

    fileprivate func readHead() throws(SharedLogError) -> (FleetHead, Int64) {
        try head(in: read(.one(keys.head)))
    }

    private func head(in found: EtcdFound?) throws(SharedLogError) -> (FleetHead, Int64) {
        guard let value = found?.values.first else { throw .noVault }
        guard let head = FleetHead(value.value) else {
            throw .refused("its head is invalid, or has a newer format; update Coffer")
        }
        note((head, value.modRevision))
        return (head, value.modRevision)
    }

    private func note(_ head: (FleetHead, Int64)?) {
        seen.withLock { $0 = head.map { (head: $0.0, revision: $0.1) } }
    }

    // MARK: - Requests

    private func read(_ keys: EtcdKeys, limit: Int = 0) throws(SharedLogError) -> EtcdFound {
        try translating(SharedLogError.ofReading) { () throws(EtcdError) in try store.read(keys, limit: limit) }
    }

    private func read(_ operations: [EtcdOperation]) throws(SharedLogError) -> EtcdOutcome {
        try translating(SharedLogError.ofReading) { () throws(EtcdError) in
            try store.transact(EtcdTransaction(operations))
        }
    }

    /// Reports the position of this machine.
    private func report(_ place: LogPlace) -> EtcdOperation {
        let time = Time(microseconds: environment.time.wallMicroseconds())
        return .put(keys.machine(machine), FleetReport(place, at: time).bytes)
    }

    /// Carries out a transaction of a machine that is in the fleet; if a condition does not hold, reads the head, the key
    /// of the machine, and more.
    private func transact(
        if conditions: [EtcdCondition] = [],
        _ operations: [EtcdOperation],
        else others: [EtcdOperation] = []
    ) throws(SharedLogError) -> EtcdOutcome {
        let own = keys.machine(machine)
        return try transact(
            EtcdTransaction(
                if: conditions + [.exists(own)],
                operations,
                else: [.read(.one(keys.head)), .read(.one(own))] + others
            )
        )
    }

    /// Throws if such a transaction did nothing because this machine is not in the fleet.
    private func checkMembership(_ outcome: EtcdOutcome) throws(SharedLogError) {
        if outcome.found.count > 1, outcome.found[1].values.isEmpty { throw .notMember(machine) }
    }

    private func transact(_ transaction: EtcdTransaction) throws(SharedLogError) -> EtcdOutcome {
        try translating(SharedLogError.init) { () throws(EtcdError) in try store.transact(transaction) }
    }

    private func delete(_ keys: EtcdKeys) throws(SharedLogError) {
        _ = try transact(EtcdTransaction([.delete(keys)]))
    }
}

/// A file that was uploaded, and the lock of the machine that did.
private struct FleetUpload: SharedUpload {
    let log: FleetLog
    let lock: FleetLock
    let base: FleetHead.Base

    func publish(
        _ frames: [[UInt8]],
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication {
        try log.publish(base, lock, frames, behind: place, reaching: end)
    }

    func end() {
        // Without the lock, an attempt that arrives late cannot publish a file whose pieces are gone. If the lock cannot be
        // released, the next replacement deletes the pieces.
        guard lock.release() else { return }
        try? log.delete(base)
    }
}

/// The file of a generation, in pieces, with frames behind it.
private struct FleetFile: SharedFile {
    let log: FleetLog
    let head: FleetHead

    var byteCount: Int { Int(head.base.pieceCount) * FleetLog.pieceByteCount }

    func read(_ write: ([UInt8]) -> Bool) throws(SharedLogError) -> Bool {
        for number in 0..<head.base.pieceCount {
            guard let piece = try log.piece(number, of: head.base), write(piece) else { return false }
        }
        var next = LogPlace(generation: head.place.generation, sequence: 0, chain: head.place.chain)
        while next.sequence < head.place.sequence {
            let frames = try log.frames(behind: next)
            guard let last = frames.last else { break }
            guard last.sequence > next.sequence else { return false }
            for frame in frames {
                // Frames without bytes would never fill the file.
                guard frame.bytes.count >= FrameHead.leastFrameByteCount, write(frame.bytes) else { return false }
            }
            next.sequence = last.sequence
        }
        // If other files came meanwhile, some of the frames may have been deleted.
        return try log.readHead().0.base == head.base
    }
}

extension EtcdOutcome {
    /// The head, if it is what was read first.
    fileprivate var head: FleetHead? { found.first?.values.first.flatMap { FleetHead($0.value) } }
}

extension SharedLogError {
    /// The error of a request that changes nothing.
    static func ofReading(_ error: EtcdError) -> SharedLogError {
        guard case .unreachable(let lines, _) = SharedLogError(error) else { return SharedLogError(error) }
        return .unreachable(lines, isUncertain: false)
    }

    init(_ error: EtcdError) {
        self =
            switch error {
            case .unavailable(let failures, let hadNoEffect):
                .unreachable(failures.map(\.description), isUncertain: !hadNoEffect)
            case .unexpectedAnswer: .unreachable([error.description], isUncertain: true)
            case .refused, .library, .noCredential: .refused(error.description)
            }
    }
}
