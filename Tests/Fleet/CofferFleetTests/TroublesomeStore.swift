import CofferBasics
import CofferFleet

/// etcd, with trouble in some of its requests.
protocol TroublesomeStore: EtcdStore {
    var store: EtcdClient { get }
}

extension TroublesomeStore {
    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        try store.read(keys, limit: limit, revision: revision)
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome { try store.transact(transaction) }

    func grantLease(seconds: Int) throws(EtcdError) -> Int64 { try store.grantLease(seconds: seconds) }

    func keepLease(_ lease: Int64) throws(EtcdError) -> Bool { try store.keepLease(lease) }

    func revokeLease(_ lease: Int64) throws(EtcdError) { try store.revokeLease(lease) }
}

/// etcd for a machine that pauses once, before it publishes a file, for so long that its leases end.
final class PausingStore: TroublesomeStore {
    struct State {
        var leases: [Int64] = []
        var hasPaused = false
    }

    let store: EtcdClient
    private let endsLeases: Bool
    private let state = Guarded(State())
    private let meanwhile: @Sendable () -> Void

    init(_ store: EtcdClient, endsLeases: Bool = true, meanwhile: @escaping @Sendable () -> Void) {
        (self.store, self.endsLeases, self.meanwhile) = (store, endsLeases, meanwhile)
    }

    var hasPaused: Bool { state.withLock { $0.hasPaused } }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        let isEnd = transaction.endsReplacement
        let leases = state.withLock { state in
            guard isEnd, !state.hasPaused else { return [Int64]() }
            state.hasPaused = true
            return state.leases
        }
        if isEnd, !leases.isEmpty {
            if endsLeases { for lease in leases { try store.revokeLease(lease) } }
            meanwhile()
        }
        return try store.transact(transaction)
    }

    func grantLease(seconds: Int) throws(EtcdError) -> Int64 {
        let lease = try store.grantLease(seconds: seconds)
        state.withLock { $0.leases.append(lease) }
        return lease
    }
}

/// A store in which the transaction that ends a replacement arrives after its machine has given up.
final class LateStore: TroublesomeStore {
    let store: EtcdClient
    private let arrivesBeforeEnd: Bool
    private let state = Guarded<(late: EtcdTransaction?, hasSucceeded: Bool?)>((nil, nil))

    init(_ store: EtcdClient, arrivesBeforeEnd: Bool) {
        (self.store, self.arrivesBeforeEnd) = (store, arrivesBeforeEnd)
    }

    /// Lets it arrive, unless it has, and returns whether it succeeded.
    func arrive() throws(EtcdError) -> Bool? {
        let (late, hasSucceeded) = state.withLock { state in (state.late.take(), state.hasSucceeded) }
        guard let late else { return hasSucceeded }
        let outcome = try store.transact(late)
        state.withLock { $0.hasSucceeded = outcome.succeeded }
        return outcome.succeeded
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        guard transaction.endsReplacement else { return try store.transact(transaction) }
        state.withLock { $0.late = transaction }
        throw .unavailable([], hadNoEffect: false)
    }

    func revokeLease(_ lease: Int64) throws(EtcdError) {
        if arrivesBeforeEnd { _ = try arrive() }
        try store.revokeLease(lease)
    }
}

extension EtcdTransaction {
    /// Whether the number of the lock is a condition, as of what ends a compaction, and not of other transactions.
    var endsReplacement: Bool {
        conditions.contains { if case .created(_, in: 1...) = $0 { true } else { false } }
    }
}

/// A store in which something happens before keys with a prefix are first read.
final class InterruptedStore: TroublesomeStore {
    let store: EtcdClient
    private let prefix: [UInt8]
    private let meanwhile: @Sendable () -> Void
    private let state = Guarded(false)

    init(_ store: EtcdClient, before prefix: [UInt8], meanwhile: @escaping @Sendable () -> Void) {
        (self.store, self.prefix, self.meanwhile) = (store, prefix, meanwhile)
    }

    var wasInterrupted: Bool { state.withLock { $0 } }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        let isFirst = state.withLock { state in
            guard keys.first.starts(with: prefix), !state else { return false }
            state = true
            return true
        }
        if isFirst { meanwhile() }
        return try store.read(keys, limit: limit, revision: revision)
    }
}

/// A store in which others are faster a number of times.
final class OvertakingStore: TroublesomeStore {
    let store: EtcdClient
    private let count: Int
    private let overtake: @Sendable (Int) -> Void
    private let state = Guarded(0)

    init(_ store: EtcdClient, count: Int, overtake: @escaping @Sendable (Int) -> Void) {
        (self.store, self.count, self.overtake) = (store, count, overtake)
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        let number = state.withLock { number in
            number += transaction.conditions.isEmpty ? 0 : 1
            return number
        }
        if !transaction.conditions.isEmpty, number <= count { overtake(number) }
        return try store.transact(transaction)
    }
}

/// A store that answers with the first frames when it is asked for later ones.
struct RepeatingStore: TroublesomeStore {
    let store: EtcdClient

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        let names = String(decoding: keys.first, as: UTF8.self).split(separator: "/")
        guard limit > 1, names.count == 5, names[2] == "f" else {
            return try store.read(keys, limit: limit, revision: revision)
        }
        let first = Array((names.dropLast().joined(separator: "/") + "/").utf8)
        return try store.read(.all(under: first), limit: limit, revision: revision)
    }
}

/// A store in which every frame exists, and has no bytes; it fails when it was read a thousand times.
final class EmptyFrameStore: TroublesomeStore {
    let store: EtcdClient
    private let count = Guarded(0)

    init(_ store: EtcdClient) { self.store = store }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        guard limit > 1 else { return try store.read(keys, limit: limit, revision: revision) }
        let readCount = count.withLock { count in
            count += 1
            return count
        }
        guard readCount < 1000 else { throw .unexpectedAnswer("nobody stopped") }
        let value = EtcdValue(key: keys.first, value: [], createRevision: 1, modRevision: 1)
        return EtcdFound(values: [value], revision: 1)
    }
}

/// A store that counts the requests.
final class CountingStore: TroublesomeStore {
    let store: EtcdClient
    private let count = Guarded(0)

    init(_ store: EtcdClient) { self.store = store }

    var requestCount: Int { count.withLock { $0 } }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        count.withLock { $0 += 1 }
        return try store.read(keys, limit: limit, revision: revision)
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        count.withLock { $0 += 1 }
        return try store.transact(transaction)
    }
}

/// etcd for a machine that loses the answer to a change, and sends it again after something else has happened.
struct ForgetfulStore: TroublesomeStore {
    let store: EtcdClient
    private let forgets: @Sendable (EtcdTransaction) -> Bool
    private let meanwhile: @Sendable () -> Void

    init(
        _ store: EtcdClient,
        forgets: @escaping @Sendable (EtcdTransaction) -> Bool = { !$0.conditions.isEmpty },
        meanwhile: @escaping @Sendable () -> Void
    ) {
        (self.store, self.forgets, self.meanwhile) = (store, forgets, meanwhile)
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        let first = try store.transact(transaction)
        guard forgets(transaction) else { return first }
        meanwhile()
        var outcome = try store.transact(transaction)
        outcome.isRepeated = true
        return outcome
    }
}
