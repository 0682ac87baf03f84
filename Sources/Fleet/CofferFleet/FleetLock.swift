internal import CofferBasics
internal import VaultFiles
internal import VaultStore

/// A key that one machine has, for as long as it renews its lease.
///
/// A machine that pauses may lose it without knowing. So what it does under the lock is a transaction with the number of
/// the lock among its conditions.
struct FleetLock {
    /// How long a machine may pause before others take its place.
    private static let seconds = 15

    let key: [UInt8]
    /// The revision in which the key was created: the fencing number.
    let number: Int64
    private let lease: Int64
    private let store: any EtcdStore

    /// Takes the lock; nil if another machine has it.
    init?(_ key: [UInt8], _ store: any EtcdStore) throws(SharedLogError) {
        (self.key, self.store) = (key, store)
        let outcome: EtcdOutcome
        do throws(EtcdError) {
            // Those who wait ask often.
            guard try store.read(.one(key)).values.isEmpty else { return nil }
            lease = try store.grantLease(seconds: Self.seconds)
            outcome = try store.transact(
                EtcdTransaction(if: [.created(key, in: 0)], [.put(key, [], lease: lease)], else: [.read(.one(key))])
            )
        } catch {
            // The lease has ended: this machine has paused.
            if case .refused(code: 5, _) = error { return nil }
            throw SharedLogError(error)
        }
        // With this lease, it is an earlier attempt that was carried out.
        let mine = outcome.found.last?.values.first { [lease] in $0.lease == lease }
        number = outcome.succeeded ? outcome.revision : mine?.createRevision ?? 0
        guard number > 0 else {
            release()
            return nil
        }
    }

    /// Renews the lease; returns false if the lock is lost.
    func keep() throws(SharedLogError) -> Bool {
        try translating(SharedLogError.init) { () throws(EtcdError) in try store.keepLease(lease) }
    }

    /// Gives the lock back, and returns whether it is gone; if not, it ends with its lease.
    @discardableResult
    func release() -> Bool { (try? store.revokeLease(lease)) != nil }
}

/// A lock that is renewed until it is released.
final class KeptFleetLock: SharedLock {
    private static let tickNanoseconds: UInt64 = 100_000_000
    private static let tickCountPerRenewal = 40

    /// The state of the thread, which must not retain the lock.
    private final class State: Sendable {
        let isReleased = Guarded(false)
    }

    private let state = State()

    init?(_ lock: FleetLock, _ time: any TimeSource) {
        let isStarted = DedicatedThread.startIfPossible { [state] in
            var tickCount = 0
            while !state.isReleased.withLock({ $0 }) {
                time.sleep(nanoseconds: Self.tickNanoseconds)
                tickCount += 1
                // A renewal that fails is tried again; if the lock is lost, whoever writes next finds that out.
                if tickCount % Self.tickCountPerRenewal == 0 { _ = try? lock.keep() }
            }
            lock.release()
        }
        guard isStarted else {
            lock.release()
            return nil
        }
    }

    deinit { release() }

    func release() { state.isReleased.withLock { $0 = true } }
}
