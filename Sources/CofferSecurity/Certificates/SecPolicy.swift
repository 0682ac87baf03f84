public import Foundation

/// The purpose that a certificate is evaluated for.
///
/// Policies with the same purpose are equal. No certificate ever satisfies one: see `SecTrustEvaluateWithError`.
public final class SecPolicy: NSObject, @unchecked Sendable {
    private enum Purpose: Hashable {
        case basic
        case secureConnection(toServer: Bool, name: String?)
    }

    private let purpose: Purpose

    private init(_ purpose: Purpose) { self.purpose = purpose }

    fileprivate static var basic: SecPolicy { SecPolicy(.basic) }

    fileprivate static func secureConnection(toServer: Bool, name: String?) -> SecPolicy {
        SecPolicy(.secureConnection(toServer: toServer, name: name))
    }

    /// Whether `object` is a policy with the same purpose.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecPolicy)?.purpose == purpose
    }

    /// A hash of the purpose.
    public override var hash: Int { purpose.hashValue }
}

extension SecPolicy: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secPolicy.rawValue }
}

/// Returns the type identifier of `SecPolicy`.
public func SecPolicyGetTypeID() -> CFTypeID { CFTypeNumber.secPolicy.rawValue }

/// Creates the basic X.509 policy.
public func SecPolicyCreateBasicX509() -> SecPolicy { .basic }

/// Creates the policy for TLS connections to a server, optionally one named `hostname`, or to a client.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    .secureConnection(toServer: server, name: hostname as String?)
}
