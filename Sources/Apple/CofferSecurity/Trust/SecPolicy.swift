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

/// The identifier of the basic X.509 policy.
@safe public nonisolated(unsafe) let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// The identifier of the policy for TLS.
@safe public nonisolated(unsafe) let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// The identifier of the policy for revocation.
@safe public nonisolated(unsafe) let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

// Policies that exist only on Apple's systems.

/// The identifier of the policy for S/MIME, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"
/// The identifier of the policy for EAP, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"
/// The identifier of the policy for IPsec, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"
/// The identifier of the policy for clients of PKINIT, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyApplePKINITClient: CFString = "1.2.840.113635.100.1.14"
/// The identifier of the policy for servers of PKINIT, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyApplePKINITServer: CFString = "1.2.840.113635.100.1.15"
/// The identifier of the policy for signatures of code, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"
/// The identifier of the policy for Apple IDs, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleIDValidation: CFString = "1.2.840.113635.100.1.18"
/// The identifier of the policy for receipts of the Mac App Store, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyMacAppStoreReceipt: CFString = "1.2.840.113635.100.1.19"
/// The identifier of the policy for time stamps, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"
/// The identifier of the policy for passes, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyApplePassbookSigning: CFString = "1.2.840.113635.100.1.22"
/// The identifier of the policy for issuers of payment cards, which is not supported.
@safe public nonisolated(unsafe) let kSecPolicyApplePayIssuerEncryption: CFString = "1.2.840.113635.100.1.39"

/// The key of the identifier of a policy.
@safe public nonisolated(unsafe) let kSecPolicyOid: CFString = "SecPolicyOid"
/// The key of the name of the server.
@safe public nonisolated(unsafe) let kSecPolicyName: CFString = "SecPolicyName"
/// The key for whether the certificate is that of a client.
@safe public nonisolated(unsafe) let kSecPolicyClient: CFString = "SecPolicyClient"
/// The key of the flags `kSecRevocation…`.
@safe public nonisolated(unsafe) let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"
/// The key of the team that signed a pass, which has no effect.
@safe public nonisolated(unsafe) let kSecPolicyTeamIdentifier: CFString = "SecPolicyTeamIdentifier"

/// Creates a policy from its identifier and properties.
///
/// - Parameters:
///   - policyIdentifier: `kSecPolicyAppleX509Basic`, `kSecPolicyAppleSSL` or `kSecPolicyAppleRevocation`.
///   - properties: For TLS `kSecPolicyName` and `kSecPolicyClient`, for revocation `kSecPolicyRevocationFlags`.
/// - Returns: The policy; nil if the identifier is not supported, or the name is not a string.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    let name = properties?[kSecPolicyName]
    guard let identifier = policyIdentifier as? CFString, name == nil || name is String else { return nil }
    switch identifier {
    case kSecPolicyAppleX509Basic:
        return SecPolicyCreateBasicX509()
    case kSecPolicyAppleSSL:
        let isClient = CFEqual(properties?[kSecPolicyClient] as CFTypeRef?, kCFBooleanTrue)
        return SecPolicyCreateSSL(!isClient, (name as? String).map { $0 as CFString })
    case kSecPolicyAppleRevocation:
        let flags = properties?[kSecPolicyRevocationFlags] as? CFNumber
        return SecPolicyCreateRevocation(flags?.uintValue ?? kSecRevocationUseAnyAvailableMethod)
    default:
        return nil
    }
}

/// Returns the identifier of a policy, the name of its server, and whether it is for clients.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    let properties: [CFString: Any] =
        switch policyRef.policy {
        case .basic: [kSecPolicyOid: kSecPolicyAppleX509Basic]
        case .server(nil): [kSecPolicyOid: kSecPolicyAppleSSL]
        case .server(let name?): [kSecPolicyOid: kSecPolicyAppleSSL, kSecPolicyName: name]
        case .client: [kSecPolicyOid: kSecPolicyAppleSSL, kSecPolicyClient: true]
        case .revocation: [kSecPolicyOid: kSecPolicyAppleRevocation]
        }
    return properties as CFDictionary
}
