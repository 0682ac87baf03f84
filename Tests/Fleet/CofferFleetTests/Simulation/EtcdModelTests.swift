import CofferBasics
import CofferFleet
import Testing
import TestSupport
import VaultFiles

@Suite("The model of etcd", .temporaryDirectory)
struct EtcdModelTests {
    private static let key = Array("key".utf8)

    @Test func `a lease takes its keys with it when it ends, in one revision`() throws {
        let time = ManualTime()
        let model = EtcdModel { time.monotonicNanoseconds() }
        let lease = try model.grantLease(seconds: 15)
        let puts = [0, 1].map { EtcdOperation.put(Self.key + [$0], [], lease: lease) }
        let start = try model.transact(EtcdTransaction(puts)).revision
        time.advance(nanoseconds: 14_999_999_999)
        #expect(try model.keepLease(lease))
        time.advance(nanoseconds: 14_999_999_999)
        #expect(try model.read(.all(under: Self.key)).values.count == 2)
        time.advance(nanoseconds: 1)
        #expect(try model.read(.all(under: Self.key)) == EtcdFound(values: [], revision: start + 1))
        #expect(try !model.keepLease(lease))
        #expect(try model.read(.all(under: Self.key), limit: 0, revision: start).values.count == 2)
    }

    @Test(.etcd, arguments: UInt64(0)..<3)
    func `it answers like etcd`(seed: UInt64) throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let etcd = NumberedLeases(
            etcd: try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
        )
        let model = EtcdModel { 0 }
        var generator = SeededGenerator(seed: seed)
        var revision: Int64 = 1
        var answers: [Answer] = []
        for number in 0..<400 {
            let request = Request.random(near: revision, &generator)
            let answer = try request.answer(of: model)
            try #require(try request.answer(of: etcd) == answer, "request \(number) of seed \(seed): \(request)")
            if case .outcome(let outcome) = answer { revision = outcome.revision }
            answers.append(answer)
        }
        let outcomes = answers.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
        #expect(outcomes.count { $0.succeeded } > 50 && outcomes.count { !$0.succeeded } > 50)
        #expect(answers.contains { if case .found(let found) = $0 { found.hasMore } else { false } })
        for code in [3, 5, 11] { #expect(answers.contains(.refused(code)), "\(code)") }
    }
}

private enum Answer: Equatable {
    case found(EtcdFound)
    case outcome(EtcdOutcome)
    case lease(Int64)
    case kept(Bool)
    case revoked
    case refused(Int)
}

private enum Request {
    case read(EtcdKeys, limit: Int, revision: Int64)
    case transact(EtcdTransaction)
    case grantLease
    case keepLease(Int64)
    case revokeLease(Int64)

    func answer(of store: some EtcdStore) throws -> Answer {
        do throws(EtcdError) {
            switch self {
            case .read(let keys, let limit, let revision):
                return .found(try store.read(keys, limit: limit, revision: revision))
            case .transact(let transaction): return .outcome(try store.transact(transaction))
            case .grantLease: return .lease(try store.grantLease(seconds: 600))
            case .keepLease(let lease): return .kept(try store.keepLease(lease))
            case .revokeLease(let lease):
                try store.revokeLease(lease)
                return .revoked
            }
        } catch {
            guard case .refused(let code, _) = error else { throw error }
            return .refused(code)
        }
    }

    static func random(near revision: Int64, _ generator: inout SeededGenerator) -> Request {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: .grantLease
        case 1: .keepLease(lease(&generator))
        case 2: .revokeLease(lease(&generator))
        case 3..<8:
            .read(
                keys(&generator),
                limit: .random(in: 0..<3, using: &generator),
                revision: Bool.random(using: &generator)
                    ? 0 : .random(in: max(1, revision - 8)...revision + 1, using: &generator)
            )
        default:
            .transact(
                EtcdTransaction(
                    if: (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
                        condition(near: revision, &generator)
                    },
                    operations(&generator),
                    else: operations(&generator)
                )
            )
        }
    }

    private static func condition(near revision: Int64, _ generator: inout SeededGenerator) -> EtcdCondition {
        let wanted =
            Bool.random(using: &generator) ? 0 : Int64.random(in: max(0, revision - 3)...revision, using: &generator)
        return Bool.random(using: &generator)
            ? .changed(key(&generator), in: wanted) : .created(key(&generator), in: wanted)
    }

    private static func operations(_ generator: inout SeededGenerator) -> [EtcdOperation] {
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: .delete(keys(&generator))
            case 1: .read(keys(&generator), limit: .random(in: 0..<3, using: &generator))
            default:
                .put(
                    key(&generator),
                    [.random(in: 0...255, using: &generator)],
                    lease: Int.random(in: 0..<3, using: &generator) == 0 ? lease(&generator) : 0
                )
            }
        }
    }

    /// Few keys, so that requests meet; some are the beginning of others.
    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        (0...Int.random(in: 0..<3, using: &generator)).map { _ in [0, 97, 255].randomElement(using: &generator) ?? 0 }
    }

    private static func keys(_ generator: inout SeededGenerator) -> EtcdKeys {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .one(key(&generator))
        case 1: .all(under: [97], from: Bool.random(using: &generator) ? [97] + key(&generator) : nil)
        default: .range(from: key(&generator), to: key(&generator))
        }
    }

    private static func lease(_ generator: inout SeededGenerator) -> Int64 { .random(in: 1..<12, using: &generator) }
}

/// etcd with leases that have the numbers of the model: 1, 2 and so on.
private final class NumberedLeases: EtcdStore {
    private let etcd: EtcdClient
    private let leases = Guarded<[Int64]>([])

    init(etcd: EtcdClient) {
        self.etcd = etcd
    }

    /// The number that etcd has for a lease; one that it does not know for those that do not exist yet.
    private func own(_ lease: Int64) -> Int64 {
        leases.withLock { leases in leases.indices.contains(Int(lease) - 1) ? leases[Int(lease) - 1] : lease }
    }

    private func numbered(_ found: EtcdFound) -> EtcdFound {
        var found = found
        found.values = found.values.map { value in
            let lease = leases.withLock { $0.firstIndex(of: value.lease) }.map { Int64($0) + 1 } ?? value.lease
            return EtcdValue(
                key: value.key,
                value: value.value,
                createRevision: value.createRevision,
                modRevision: value.modRevision,
                lease: lease
            )
        }
        return found
    }

    private func own(_ operations: [EtcdOperation]) -> [EtcdOperation] {
        operations.map { operation in
            guard case .put(let key, let value, let lease) = operation, lease != 0 else { return operation }
            return .put(key, value, lease: own(lease))
        }
    }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        numbered(try etcd.read(keys, limit: limit, revision: revision))
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        var outcome = try etcd.transact(
            EtcdTransaction(if: transaction.conditions, own(transaction.operations), else: own(transaction.otherwise))
        )
        outcome.found = outcome.found.map(numbered)
        return outcome
    }

    func grantLease(seconds: Int) throws(EtcdError) -> Int64 {
        let lease = try etcd.grantLease(seconds: seconds)
        return leases.withLock { leases in
            leases.append(lease)
            return Int64(leases.count)
        }
    }

    func keepLease(_ lease: Int64) throws(EtcdError) -> Bool { try etcd.keepLease(own(lease)) }

    func revokeLease(_ lease: Int64) throws(EtcdError) { try etcd.revokeLease(own(lease)) }
}
