public import Foundation

/// What a certificate is asked to be good for.
///
/// Two that ask for the same are equal. No certificate is ever found good: see `SecTrustEvaluateWithError`.
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

    /// Whether `object` asks for the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecPolicy)?.purpose == purpose
    }

    /// The same number for the same purpose.
    public override var hash: Int { purpose.hashValue }
}

extension SecPolicy: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secPolicy.rawValue }
}

/// The number of the type `SecPolicy`.
public func SecPolicyGetTypeID() -> CFTypeID { CFTypeNumber.secPolicy.rawValue }

/// The policy of X.509 alone.
public func SecPolicyCreateBasicX509() -> SecPolicy { .basic }

/// The policy of connections by TLS: to a server, which has the name `hostname` if one is given, or to a client.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    .secureConnection(toServer: server, name: hostname as String?)
}
