import Foundation
import Security.SecBase
import Security.SecCertificate
import Security.SecPolicy
import Security.SecTask
import Security.SecTrust

/// What an app knows about its own signature and those of servers, in a file that imports parts of the module.
public enum Signature {
    /// Whether the app is in a sandbox.
    public static var isSandboxed: Bool {
        guard let task = SecTaskCreateFromSelf(nil) else { return false }
        let value = SecTaskCopyValueForEntitlement(task, "com.apple.security.app-sandbox" as CFString, nil)
        return value as? Bool ?? false
    }

    /// The type of the key in a certificate.
    public static func keyType(ofCertificate data: Data) -> String? {
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData),
            let key = SecCertificateCopyPublicKey(certificate),
            let attributes = SecKeyCopyAttributes(key) as? [CFString: Any]
        else { return nil }
        return attributes[kSecAttrKeyType] as? String
    }

    /// The result of evaluating a certificate for a server.
    public static func result(ofCertificate data: Data, host: String) -> SecTrustResultType? {
        var trust: SecTrust?
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData),
            let policy = SecPolicyCreateWithProperties(kSecPolicyAppleSSL, [kSecPolicyName: host] as CFDictionary),
            SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess, let trust
        else { return nil }
        let result = SecTrustCopyResult(trust) as? [CFString: Any]
        return (result?[kSecTrustResultValue] as? UInt32).flatMap(SecTrustResultType.init)
    }

    /// What a status means for a connection.
    public static func meaning(of status: OSStatus) -> String {
        switch status {
        case errSSLClosedGraceful, errSSLClosedAbort, errSSLClosedNoNotify: return "closed"
        case errSSLXCertChainInvalid, errSSLHostNameMismatch, errSecCSReqFailed: return "not trusted"
        default: return "failed"
        }
    }
}
