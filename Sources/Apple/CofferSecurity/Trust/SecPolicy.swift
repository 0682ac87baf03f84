internal import CofferCertificates
public import Foundation

/// The purpose that a certificate is evaluated for.
///
/// Policies with the same purpose are equal.
public final class SecPolicy: NSObject, @unchecked Sendable {
    let policy: TrustPolicy

    init(_ policy: TrustPolicy) { self.policy = policy }

    /// Whether `object` is a policy with the same purpose.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.policy == policy }

    /// A hash of the purpose.
    public override var hash: Int { policy.hashValue }
}

extension SecPolicy: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secPolicy.rawValue }
}

/// Returns the type identifier of `SecPolicy`.
public func SecPolicyGetTypeID() -> CFTypeID { CFTypeNumber.secPolicy.rawValue }

/// Creates the basic X.509 policy.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basic) }

/// Creates the policy for TLS connections to a server, optionally one named `hostname`, or to a client.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(server ? .server(name: hostname as String?) : .client)
}

/// Asks by OCSP whether a certificate was revoked.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Looks for a certificate in lists of revoked ones.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Prefers lists to OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Requires an answer that says that the certificate was not revoked.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Uses only what is known without the network.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Uses any method.
public let kSecRevocationUseAnyAvailableMethod = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// Creates the policy that a certificate must not have been revoked; nil without a method.
///
/// Nothing here can find that out: a required answer is never given, so no certificate is then trusted.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    guard revocationFlags & kSecRevocationUseAnyAvailableMethod != 0 else { return nil }
    return SecPolicy(.revocation(requiresAnswer: revocationFlags & kSecRevocationRequirePositiveResponse != 0))
}
