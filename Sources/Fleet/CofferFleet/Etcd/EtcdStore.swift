internal import CofferBasics

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

/// The status of a member of a cluster.
package struct EtcdMember: Equatable, Sendable {
    package let version: String
    /// The size of its database, and its quota, above which it refuses to write; nil if that is unknown.
    package let byteCount: Int64
    package let byteCountLimit: Int64?
    /// Whether it knows a leader.
    package let hasLeader: Bool
    /// The errors that it reports.
    package let complaints: [String]

    init(_ answer: JSONNode, byteCountLimit: Int64?) {
        self.byteCountLimit = byteCountLimit
        version = answer["version"]?.text ?? "unknown"
        byteCount = answer.number("dbSize")
        hasLeader = answer["leader"]?.text.map { $0 != "0" } ?? false
        complaints = answer["errors"]?.elements.compactMap(\.text) ?? []
    }
}

extension EtcdMember {
    /// The known faults of this version that Coffer cannot work around; nil if there are none.
    package var knownFaults: String? {
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        guard numbers.count == 3 else { return nil }
        return switch (numbers[0], numbers[1], numbers[2]) {
        case (...3, ..<4, _): "it is older than 3.4, with which nothing was tried"
        case (3, 5, ..<3): "members may differ after a crash; 3.5.3 is without this fault"
        default: nil
        }
    }
}

/// Why a request failed at one endpoint.
package struct EndpointFailure: Equatable, Sendable {
    package let endpoint: String
    package let text: String

    package init(endpoint: String, text: String) {
        (self.endpoint, self.text) = (endpoint, text)
    }
}

/// Why a request to etcd has no answer.
package enum EtcdError: Error, Equatable {
    /// etcd refused the request, which had no effect; with the number of gRPC.
    case refused(code: Int, text: String)
    /// No endpoint answered in time. Unless `hadNoEffect`, the request may have been carried out, or still may be.
    case unavailable([EndpointFailure], hadNoEffect: Bool)
    /// An answer does not have the form that etcd documents.
    case unexpectedAnswer(String)
    /// libcurl cannot be used.
    case library(LibcurlError)
    /// The password or the token cannot be read.
    case noCredential(String)
}

extension EndpointFailure: CustomStringConvertible {
    package var description: String { "\(endpoint): \(text)" }
}

extension EtcdError: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .refused(8, let text) where text.contains(text: "space"):
            """
            the database of etcd is full (\(text)); compact and defragment it or raise its quota, and run \
            "etcdctl alarm disarm"
            """
        case .refused(_, let text): text
        case .unavailable(let failures, _): failures.map(\.description).joined(separator: "; ")
        case .unexpectedAnswer(let text): "unexpected answer of etcd: \(text)"
        case .library(let error): "libcurl cannot be used: \(error)"
        case .noCredential(let text): text
        }
    }
}
