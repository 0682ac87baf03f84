import CofferBasics
import CofferFleet
import Dispatch
import TestSupport

/// etcd as a machine reaches it between two crashes, with the attempts of ``EtcdClient``.
final class SimulatedConnection: EtcdStore {
    private struct State {
        var isCrashed = false
        /// Until when this machine reaches nothing.
        var partitionEnd: UInt64 = 0
        /// Whether an attempt shows at once that it was not sent.
        var isRefused = false
        var leases: Set<Int64> = []
    }

    /// How long one attempt may take, and all of them.
    private static let attempt: UInt64 = 2_000_000_000
    private static let bound: UInt64 = 10_000_000_000
    private static let roundPause: UInt64 = 100_000_000

    private let network: SimulatedNetwork
    private let process: SimulatedProcess
    private let turn: DispatchSemaphore
    private let state = Guarded(State())

    init(_ network: SimulatedNetwork, _ process: SimulatedProcess, _ turn: DispatchSemaphore) {
        (self.network, self.process, self.turn) = (network, process, turn)
    }

    private var time: VirtualTime { network.time }

    /// Whether the machine is down: nothing that it does now has an effect.
    var isCrashed: Bool { state.withLock { $0.isCrashed } || process.isDead }

    func owns(_ lease: Int64) -> Bool { state.withLock { $0.leases.contains(lease) } }

    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        let found = try call(keys.first) { [network] () throws(EtcdError) in
            try network.etcd.read(keys, limit: limit, revision: revision)
        }.answer
        note(found)
        return found
    }

    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        for case .put(let key, let value, _) in transaction.operations { time.note(key + value) }
        var (outcome, isRepeated) = try call([]) { [self] () throws(EtcdError) in
            try network.transact(transaction, for: self)
        }
        outcome.isRepeated = isRepeated
        time.note([outcome.succeeded ? 1 : 0])
        for found in outcome.found { note(found) }
        return outcome
    }

    func grantLease(seconds: Int) throws(EtcdError) -> Int64 {
        try call([]) { [self] () throws(EtcdError) in
            let lease = try network.etcd.grantLease(seconds: seconds)
            state.withLock { _ = $0.leases.insert(lease) }
            return lease
        }.answer
    }

    func keepLease(_ lease: Int64) throws(EtcdError) -> Bool {
        try call([]) { [network] () throws(EtcdError) in try network.etcd.keepLease(lease) }.answer
    }

    func revokeLease(_ lease: Int64) throws(EtcdError) {
        _ = try call([]) { [network] () throws(EtcdError) in try network.etcd.revokeLease(lease) }
    }

    private func note(_ found: EtcdFound) {
        for value in found.values { time.note(value.key + value.value) }
        time.note([UInt8(truncatingIfNeeded: found.revision), found.hasMore ? 1 : 0])
    }

    // MARK: - Attempts

    /// Makes a request until there is an answer, or the time is over.
    private func call<Answer: Sendable>(
        _ noted: [UInt8],
        _ request: @escaping @Sendable () throws(EtcdError) -> Answer
    ) throws(EtcdError) -> (answer: Answer, isRepeated: Bool) {
        time.note(noted)
        let end = time.now + Self.bound
        var hadNoEffect = true
        while time.now < end {
            if let answer = try attempt(request, &hadNoEffect) { return (answer, !hadNoEffect) }
            sleep(Self.roundPause)
        }
        throw .unavailable([], hadNoEffect: hadNoEffect)
    }

    private func attempt<Answer: Sendable>(
        _ request: @escaping @Sendable () throws(EtcdError) -> Answer,
        _ hadNoEffect: inout Bool
    ) throws(EtcdError) -> Answer? {
        guard !isCrashed else { throw .unavailable([], hadNoEffect: false) }
        let fault = fault()
        time.note((fault?.rawValue ?? "").utf8)
        switch fault {
        case .crashBefore: throw crash()
        case .lateRequest:
            time.schedule(after: delay(in: 0...20_000)) { _ = try? request() }
            fallthrough
        case .lostRequest, .outage:
            hadNoEffect = false
            sleep(Self.attempt)
            return nil
        case .partition:
            let isRefused = state.withLock { $0.isRefused }
            hadNoEffect = hadNoEffect && isRefused
            sleep(isRefused ? 1_000_000 : Self.attempt)
            return nil
        case .lostAnswer, .pause, .crashAfter, nil: break
        }
        sleep(UInt64(time.choose { Int.random(in: 200_000...2_000_000, using: &$0) }))
        let answer = Result { () throws(EtcdError) in try request() }
        switch fault {
        case .crashAfter: throw crash()
        case .lostAnswer:
            hadNoEffect = false
            sleep(Self.attempt)
            return nil
        // The whole machine: the answer is there when it goes on.
        case .pause: sleep(delay(in: 1000...40_000))
        default: sleep(UInt64(time.choose { Int.random(in: 200_000...2_000_000, using: &$0) }))
        }
        return try answer.get()
    }

    private func fault() -> SimulatedNetwork.Fault? {
        guard state.withLock({ $0.partitionEnd }) <= time.now else { return .partition }
        let fault = network.fault()
        if fault == .partition {
            let (end, isRefused) = (time.now + delay(in: 1000...30_000), time.choose { Bool.random(using: &$0) })
            state.withLock { ($0.partitionEnd, $0.isRefused) = (end, isRefused) }
        }
        return fault
    }

    /// Some nanoseconds, from a range of milliseconds.
    private func delay(in milliseconds: ClosedRange<UInt64>) -> UInt64 {
        time.choose { UInt64.random(in: milliseconds, using: &$0) } * 1_000_000
    }

    private func sleep(_ nanoseconds: UInt64) { time.sleep(nanoseconds: nanoseconds, turn) }

    private func crash() -> EtcdError {
        process.die(afterCalls: 0)
        state.withLock { $0.isCrashed = true }
        return .unavailable([], hadNoEffect: false)
    }
}
