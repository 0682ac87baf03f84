internal import CofferBasics
package import CofferEtcd
package import VaultCrypto
package import VaultFormat
package import VaultStore

/// The log of a vault in etcd.
package final class FleetLog: SharedLog {
    /// The size of the pieces of a file: a request of etcd may have 1.5 MiB.
    static let pieceByteCount = 1 << 20
    /// The greatest frame that fits into a request.
    static let frameByteCountLimit = 1_400_000
    /// How many frames are read at once: with the greatest, an answer stays below the limit of a client.
    private static let frameCountPerRead = 16

    private let store: any EtcdStore
    private let keys: FleetKeys
    private let random: any RandomSource
    /// The head as it was seen last, and the revision in which it was written.
    private let seen = Guarded<(head: FleetHead, revision: Int64)?>(nil)

    package init(_ store: any EtcdStore, prefix: String, vault: VaultID, random: any RandomSource) {
        (self.store, self.random) = (store, random)
        keys = FleetKeys(prefix: prefix, vault: vault)
    }

    // MARK: - Publishing

    package func publish(
        _ frame: [UInt8],
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication {
        guard frame.count <= Self.frameByteCountLimit else {
            throw .refused("a change of \(frame.count.grouped) bytes is larger than a request may be")
        }
        guard let (head, revision) = try head(at: place) else { return .overtaken }
        let new = FleetHead(place: end, base: head.base)
        let key = keys.frame(end.sequence, of: end.generation)
        let outcome = try transact(
            EtcdTransaction(
                if: [.changed(keys.head, in: revision), .created(key, in: 0)],
                [.put(keys.head, new.bytes), .put(key, frame)],
                else: [.read(.one(keys.head)), .read(.one(key))]
            )
        )
        // A frame has a random nonce. So the same bytes are those of this call, which an earlier attempt has put there.
        let isMine = outcome.succeeded || outcome.found.last?.values.first?.value == frame
        note(outcome.succeeded ? (new, outcome.revision) : nil)
        return isMine ? .done : .overtaken
    }

    package func publish(
        _ file: some ByteSource,
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication {
        guard let lock = try FleetLock(keys.replacement, store) else { return .overtaken }
        defer { lock.release() }
        guard let (head, revision) = try head(at: place), let base = try upload(file, lock) else { return .overtaken }
        let new = FleetHead(place: end, base: base)
        let outcome = try transact(
            EtcdTransaction(
                // Whoever lost the lock, without knowing it, does not get further than this.
                if: [.changed(keys.head, in: revision), .created(lock.key, in: lock.number)],
                [
                    .put(keys.head, new.bytes),
                    // Those who are still reading them find the new file instead.
                    .delete(keys.pieces(beforeThoseOf: base.number)),
                    .delete(keys.pieces(behindThoseOf: base.number)),
                    // The frames of the last generation stay, for those who lost the answer to one of them.
                    .delete(keys.frames(before: head.place.generation)),
                ],
                else: [.read(.one(keys.head))]
            )
        )
        guard outcome.succeeded || outcome.found.first?.values.first?.value == new.bytes else {
            try delete(.all(under: keys.pieces(of: base.number)))
            note(nil)
            return .overtaken
        }
        note(outcome.succeeded ? (new, outcome.revision) : nil)
        return .done
    }

    /// Makes a vault one of the fleet, with the file of this machine.
    package func create(_ file: some ByteSource, reaching end: LogPlace) throws(SharedLogError) {
        guard let lock = try FleetLock(keys.replacement, store) else { throw .refused("another machine shares it now") }
        defer { lock.release() }
        guard let base = try upload(file, lock) else { throw .refused("this took too long; try again") }
        let new = FleetHead(place: end, base: base)
        let outcome = try transact(
            EtcdTransaction(
                if: [.created(keys.head, in: 0)],
                [.put(keys.head, new.bytes)],
                else: [.read(.one(keys.head))]
            )
        )
        guard outcome.succeeded || outcome.found.first?.values.first?.value == new.bytes else {
            try delete(.all(under: keys.pieces(of: base.number)))
            throw .refused("it has this vault already")
        }
    }

    /// Uploads a file; returns nil if the lock is lost meanwhile.
    private func upload(_ file: some ByteSource, _ lock: FleetLock) throws(SharedLogError) -> FleetHead.Base? {
        let number = random.bytes(8).span.littleEndian(at: 0, as: UInt64.self)
        var count: UInt32 = 0
        for start in stride(from: 0, to: file.byteCount, by: Self.pieceByteCount) {
            let bytes: [UInt8]
            do throws(Unavailability) {
                bytes = try file.bytes(in: start..<min(start + Self.pieceByteCount, file.byteCount))
            } catch {
                throw .refused("\(error)")
            }
            guard try lock.keep() else {
                try delete(.all(under: keys.pieces(of: number)))
                return nil
            }
            _ = try transact(EtcdTransaction([.put(keys.piece(count, of: number), bytes)]))
            count += 1
        }
        return FleetHead.Base(number: number, pieceCount: count)
    }

    // MARK: - Following

    package func continuation(behind place: LogPlace) throws(SharedLogError) -> Continuation {
        let (head, _) = try readHead()
        if head.place == place { return .nothing }
        guard head.place.generation == place.generation else {
            guard head.place.generation > place.generation else { throw .behind(place) }
            return .file(FleetFile(store: store, keys: keys, base: head.base))
        }
        guard head.place.sequence > place.sequence else { throw .behind(place) }
        let found = try read(
            .all(
                under: keys.frames(of: place.generation),
                from: keys.frame(place.sequence + 1, of: place.generation)
            ),
            limit: Self.frameCountPerRead
        )
        guard !found.values.isEmpty else {
            // The generation may have ended meanwhile.
            guard try readHead().0.place.generation == place.generation else { return .changing }
            throw .damaged(place.sequence)
        }
        return .frames(found.values.map(\.value))
    }

    // MARK: - The head

    /// The head and the revision in which it was written, if it is at `place`.
    private func head(at place: LogPlace) throws(SharedLogError) -> (FleetHead, Int64)? {
        if let seen = seen.withLock({ $0 }), seen.head.place == place { return seen }
        let (head, revision) = try readHead()
        return head.place == place ? (head, revision) : nil
    }

    private func readHead() throws(SharedLogError) -> (FleetHead, Int64) {
        guard let value = try read(.one(keys.head)).values.first else { throw .noVault }
        guard let head = FleetHead(value.value) else {
            throw .refused("its head is not one of this version; update Coffer")
        }
        note((head, value.modRevision))
        return (head, value.modRevision)
    }

    private func note(_ head: (FleetHead, Int64)?) {
        seen.withLock { $0 = head.map { (head: $0.0, revision: $0.1) } }
    }

    // MARK: - Requests

    private func read(_ keys: EtcdKeys, limit: Int = 0) throws(SharedLogError) -> EtcdFound {
        try translating(SharedLogError.init) { () throws(EtcdError) in try store.read(keys, limit: limit) }
    }

    private func transact(_ transaction: EtcdTransaction) throws(SharedLogError) -> EtcdOutcome {
        try translating(SharedLogError.init) { () throws(EtcdError) in try store.transact(transaction) }
    }

    private func delete(_ keys: EtcdKeys) throws(SharedLogError) {
        _ = try transact(EtcdTransaction([.delete(keys)]))
    }
}

/// The file of a generation, in pieces.
private struct FleetFile: SharedFile {
    let store: any EtcdStore
    let keys: FleetKeys
    let base: FleetHead.Base

    var pieceCount: Int { Int(base.pieceCount) }
    var byteCount: Int { pieceCount * FleetLog.pieceByteCount }

    func piece(_ number: Int) throws(SharedLogError) -> [UInt8]? {
        let key = keys.piece(UInt32(number), of: base.number)
        return try translating(SharedLogError.init) { () throws(EtcdError) in
            try store.read(.one(key)).values.first?.value
        }
    }
}

extension SharedLogError {
    init(_ error: EtcdError) {
        self =
            switch error {
            case .unavailable(let failures, let hadNoEffect):
                .unreachable(failures.map { "\($0.endpoint): \($0.text)" }, isUncertain: !hadNoEffect)
            case .refused(8, let text) where text.contains("space"):
                .refused(
                    """
                    the database of etcd is full (\(text)); compact and defragment it or raise its quota, and run \
                    "etcdctl alarm disarm"
                    """
                )
            case .refused(_, let text): .refused(text)
            case .unexpectedAnswer(let text): .refused("an answer of etcd is not understood: \(text)")
            case .library(let error): .refused("libcurl cannot be used: \(error)")
            case .noPassword(let text): .refused(text)
            }
    }
}
