import CofferBasics
import CofferFleet
import TestSupport

/// What is between machines and etcd: it delays, loses and repeats requests, and takes machines down.
///
/// Watches what etcd carries out.
final class SimulatedNetwork: Sendable {
    /// What goes wrong with an attempt of a request.
    enum Fault: String, CaseIterable, Sendable {
        case lostRequest, lostAnswer, lateRequest, pause, partition, outage, crashBefore, crashAfter
    }

    private struct State {
        var isHealed = false
        /// Until when nobody reaches etcd, since it has no quorum.
        var outageEnd: UInt64 = 0
        var counts: [Fault: Int] = [:]
        var attemptCount = 0
        var violations: [String] = []
    }

    let time: VirtualTime
    let etcd: EtcdModel
    /// Of how many chances for an outage one is taken: an outage hits all machines, however many there are.
    private let outageRarity: UInt64
    private let state = Guarded(State())

    init(_ time: VirtualTime, machineCount: Int) {
        self.time = time
        outageRarity = UInt64(max(1, machineCount / 6))
        etcd = EtcdModel { time.now }
    }

    var counts: [Fault: Int] { state.withLock { $0.counts } }
    var attemptCount: Int { state.withLock { $0.attemptCount } }
    var violations: [String] { state.withLock { $0.violations } }

    /// Lets nothing go wrong from now on.
    func heal() { state.withLock { $0.isHealed = true } }

    func violate(_ text: String) { state.withLock { $0.violations.append("\(time.now / 1000) µs: \(text)") } }

    /// Chooses what goes wrong with an attempt.
    func fault() -> Fault? {
        let number = time.choose { Int.random(in: 0..<1000, using: &$0) }
        let length = time.choose { UInt64.random(in: 1_000_000_000...10_000_000_000, using: &$0) }
        return state.withLock { state in
            state.attemptCount += 1
            guard !state.isHealed else { return nil }
            let fault: Fault? =
                switch number {
                case ..<20: .lostRequest
                case ..<45: .lostAnswer
                case ..<60: .lateRequest
                case ..<70: .pause
                case ..<76: .partition
                case ..<78 where length.isMultiple(of: outageRarity): .outage
                case ..<82: .crashBefore
                case ..<88: .crashAfter
                default: nil
                }
            if let fault { state.counts[fault, default: 0] += 1 }
            if fault == .outage { state.outageEnd = time.now + length }
            return time.now < state.outageEnd ? .outage : fault
        }
    }

    /// Carries out a transaction, and checks that the head goes forward, and to another file only under the lock.
    func transact(_ transaction: EtcdTransaction, for machine: SimulatedConnection) throws(EtcdError) -> EtcdOutcome {
        let key = transaction.operations.lazy.compactMap { operation in
            if case .put(let key, let value, _) = operation, value.count == Head.byteCount { key } else { nil }
        }.first { $0.suffix(5).elementsEqual("/head".utf8) }
        guard let key else { return try etcd.transact(transaction) }
        let before = try etcd.read(.one(key)).values.first.map { Head($0.value) }
        let lock = try etcd.read(.one(key.dropLast(4) + Array("lock/replace".utf8))).values.first
        let outcome = try etcd.transact(transaction)
        guard let before, let after = try etcd.read(.one(key)).values.first.map({ Head($0.value) }) else {
            return outcome
        }
        if outcome.succeeded, (after.generation, after.sequence) <= (before.generation, before.sequence) {
            violate("the head goes back from \(before) to \(after)")
        }
        if after.base != before.base, lock.map({ machine.owns($0.lease) }) != true {
            violate("a machine without the lock replaces the file of \(before)")
        }
        return outcome
    }

    /// The numbers of `head`, see Spec/fleet.md, section 2.
    private struct Head {
        static let byteCount = 61

        let generation: UInt64
        let sequence: UInt64
        let base: UInt64

        init(_ bytes: [UInt8]) {
            generation = bytes.span.littleEndian(at: 1)
            sequence = bytes.span.littleEndian(at: 9)
            base = bytes.span.littleEndian(at: 49)
        }
    }
}
