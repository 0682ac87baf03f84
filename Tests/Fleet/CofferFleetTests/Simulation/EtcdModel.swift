import CofferBasics
import CofferFleet

/// A model of etcd, made from what its documentation says of keys, revisions, transactions and leases.
///
/// A request takes no time here: delays and losses are those of ``SimulatedConnection``.
final class EtcdModel: EtcdStore {
    /// The least time to live of a lease.
    private static let leastSeconds = 2
    private static let operationCountLimit = 128
    private static let requestByteCountLimit = 3 << 19

    fileprivate struct Lease {
        let nanoseconds: UInt64
        var end: UInt64
    }

    /// What a key has from a revision on; no value once it is deleted.
    fileprivate struct Version {
        let revision: Int64
        let value: EtcdValue?
    }

    fileprivate struct State {
        var revision: Int64 = 1
        /// All keys that there ever were, in their order.
        var keys: [[UInt8]] = []
        var versions: [[UInt8]: [Version]] = [:]
        var leases: [Int64: Lease] = [:]
        var lastLease: Int64 = 0
    }

    private let clock: @Sendable () -> UInt64
    private let state = Guarded(State())

    /// An empty etcd, with a clock that shows nanoseconds.
    init(clock: @escaping @Sendable () -> UInt64) {
        self.clock = clock
    }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        try now { state throws(EtcdError) in
            guard revision <= state.revision else { throw .refused(code: 11, text: "a future revision") }
            return state.found(keys, limit: limit, at: revision == 0 ? .max : revision)
        }
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        try now { state throws(EtcdError) in try state.carryOut(transaction) }
    }

    func grantLease(seconds: Int) throws(EtcdError) -> Int64 {
        try now { state in
            state.lastLease += 1
            let nanoseconds = UInt64(max(seconds, Self.leastSeconds)) * 1_000_000_000
            state.leases[state.lastLease] = Lease(nanoseconds: nanoseconds, end: clock() + nanoseconds)
            return state.lastLease
        }
    }

    func keepLease(_ lease: Int64) throws(EtcdError) -> Bool {
        try now { state in
            guard let nanoseconds = state.leases[lease]?.nanoseconds else { return false }
            state.leases[lease]?.end = clock() + nanoseconds
            return true
        }
    }

    func revokeLease(_ lease: Int64) throws(EtcdError) {
        try now { state in state.end(lease) }
    }

    /// Calls `body` after the end of the leases that nobody has renewed.
    private func now<Result>(_ body: (inout State) throws(EtcdError) -> Result) throws(EtcdError) -> Result {
        try state.withLock { state throws(EtcdError) in
            let time = clock()
            let ended = state.leases.filter { $0.value.end <= time }
            for lease in ended.sorted(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) }) { state.end(lease.key) }
            return try body(&state)
        }
    }
}

extension EtcdModel.State {
    /// An end that means all keys from the first one on.
    private static let openEnd: [UInt8] = [0]

    mutating func carryOut(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        try EtcdModel.check(transaction)
        let succeeded = transaction.conditions.allSatisfy(holds)
        let operations = succeeded ? transaction.operations : transaction.otherwise
        for case .put(_, _, let lease) in operations where lease != 0 && leases[lease] == nil {
            throw .refused(code: 5, text: "requested lease not found")
        }
        // All changes of a transaction have one revision, and without any there is none.
        let next = revision + 1
        var found: [EtcdFound] = []
        for operation in operations {
            switch operation {
            case .put(let key, let value, let lease):
                let created = current(key)?.createRevision ?? next
                set(
                    key,
                    EtcdValue(key: key, value: value, createRevision: created, modRevision: next, lease: lease),
                    next
                )
            case .delete(let keys):
                for value in values(of: keys, at: .max) { set(value.key, nil, next) }
            case .read(let keys, let limit):
                found.append(self.found(keys, limit: limit, at: .max))
            }
        }
        return EtcdOutcome(succeeded: succeeded, found: found, revision: revision)
    }

    func found(_ keys: EtcdKeys, limit: Int, at revision: Int64) -> EtcdFound {
        let values = values(of: keys, at: revision)
        guard limit > 0, values.count > limit else { return EtcdFound(values: values, revision: self.revision) }
        return EtcdFound(values: Array(values[..<limit]), hasMore: true, revision: self.revision)
    }

    /// Ends a lease; the keys that it has go with it, in one revision.
    mutating func end(_ lease: Int64) {
        guard leases.removeValue(forKey: lease) != nil else { return }
        let next = revision + 1
        for key in keys where current(key)?.lease == lease { set(key, nil, next) }
    }

    private func holds(_ condition: EtcdCondition) -> Bool {
        switch condition {
        case .changed(let key, in: let revision): current(key)?.modRevision ?? 0 == revision
        case .created(let key, in: let revision): current(key)?.createRevision ?? 0 == revision
        case .exists(let key): current(key) != nil
        }
    }

    private func current(_ key: [UInt8]) -> EtcdValue? { versions[key]?.last?.value }

    private func values(of keys: EtcdKeys, at revision: Int64) -> [EtcdValue] {
        var names: ArraySlice = [keys.first]
        if let end = keys.end {
            let start = place(of: keys.first)
            names = self.keys[start..<max(start, end == Self.openEnd ? self.keys.endIndex : place(of: end))]
        }
        return names.compactMap { versions[$0]?.last { $0.revision <= revision }?.value }
    }

    private mutating func set(_ key: [UInt8], _ value: EtcdValue?, _ revision: Int64) {
        if versions[key] == nil { keys.insert(key, at: place(of: key)) }
        versions[key, default: []].append(EtcdModel.Version(revision: revision, value: value))
        self.revision = revision
    }

    /// Where a key is among all, or would be.
    private func place(of key: [UInt8]) -> Int {
        var range = keys.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                keys[middle].lexicographicallyPrecedes(key) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension EtcdModel {
    /// Throws if a transaction is too large, or changes a key twice in a branch.
    fileprivate static func check(_ transaction: EtcdTransaction) throws(EtcdError) {
        var byteCount = 0
        for branch in [transaction.operations, transaction.otherwise] {
            guard branch.count <= operationCountLimit else { throw .refused(code: 3, text: "too many operations") }
            let puts = branch.compactMap { if case .put(let key, _, _) = $0 { key } else { nil } }
            let isTwice = branch.contains { operation in
                guard case .delete(let keys) = operation else { return false }
                return puts.contains(where: keys.contains)
            }
            guard !isTwice, Set(puts).count == puts.count else { throw .refused(code: 3, text: "duplicate key given") }
            for case .put(let key, let value, _) in branch { byteCount += key.count + value.count }
        }
        guard byteCount <= requestByteCountLimit else { throw .refused(code: 3, text: "request is too large") }
    }
}

extension EtcdKeys {
    /// Whether a put of this key and a delete of these are refused; an open end goes unnoticed.
    fileprivate func contains(_ key: [UInt8]) -> Bool {
        guard let end else { return key == first }
        return !key.lexicographicallyPrecedes(first) && key.lexicographicallyPrecedes(end)
    }
}
