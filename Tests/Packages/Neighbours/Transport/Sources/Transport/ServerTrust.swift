import Foundation

#if canImport(Security)
    import Security
#endif

/// Decides whether a server is who it says.
public struct ServerTrust {
    /// Why a server is not trusted.
    public enum Refusal: Error {
        /// The evaluation could not begin.
        case status(Int32)
        /// The evaluation ended with "no".
        case untrusted((any Error)?)
        /// This system cannot evaluate certificates.
        case unsupported
    }

    /// Whom the server's certificate must come from; none for those whom the system trusts.
    public var anchors: [Certificate]

    /// A decision by `anchors`.
    public init(anchors: [Certificate] = []) {
        self.anchors = anchors
    }

    /// Throws unless `chain` belongs to the server `host`.
    public func evaluate(_ chain: [Certificate], host: String) throws {
        #if canImport(Security)
            let policy = SecPolicyCreateSSL(true, host as CFString)
            var trust: SecTrust?
            let certificates = chain.map(\.certificate) as CFArray
            let status = SecTrustCreateWithCertificates(certificates, policy, &trust)
            guard status == errSecSuccess, let trust else { throw Refusal.status(status) }
            if !anchors.isEmpty {
                let status = SecTrustSetAnchorCertificates(trust, anchors.map(\.certificate) as CFArray)
                guard status == errSecSuccess else { throw Refusal.status(status) }
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else { throw Refusal.untrusted(error) }
        #else
            throw Refusal.unsupported
        #endif
    }
}
