internal import CofferBasics
internal import CofferEtcd
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
        let outcome: (lease: Int64, found: EtcdValue?)
        do throws(EtcdError) {
            let lease = try store.grantLease(seconds: Self.seconds)
            let transaction = EtcdTransaction(if: [.created(key, in: 0)], [.put(key, [], lease: lease)])
            _ = try store.transact(transaction)
            outcome = (lease, try store.read(.one(key)).values.first)
        } catch {
            throw SharedLogError(error)
        }
        lease = outcome.lease
        number = outcome.found?.createRevision ?? 0
        guard outcome.found?.lease == lease else {
            release()
            return nil
        }
    }

    /// Renews the lease; returns false if the lock is lost.
    func keep() throws(SharedLogError) -> Bool {
        try translating(SharedLogError.init) { () throws(EtcdError) in try store.keepLease(lease) }
    }

    /// Gives the lock back; if that fails, it ends with its lease.
    func release() { try? store.revokeLease(lease) }
}
