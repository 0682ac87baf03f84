/// The requests that a fleet makes: to etcd, or to a model of it in tests.
package protocol EtcdStore: Sendable {
    /// Reads keys: what a quorum agrees on, at a revision unless that is 0.
    func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound

    /// Carries out a transaction, which may be sent several times.
    func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome

    /// Makes a lease, and returns its number.
    func grantLease(seconds: Int) throws(EtcdError) -> Int64

    /// Renews a lease; returns false if it has ended.
    func keepLease(_ lease: Int64) throws(EtcdError) -> Bool

    /// Ends a lease; one that has ended is no error.
    func revokeLease(_ lease: Int64) throws(EtcdError)
}

extension EtcdStore {
    /// Reads keys as they are now.
    package func read(_ keys: EtcdKeys, limit: Int = 0) throws(EtcdError) -> EtcdFound {
        try read(keys, limit: limit, revision: 0)
    }
}

extension EtcdClient: EtcdStore {}
