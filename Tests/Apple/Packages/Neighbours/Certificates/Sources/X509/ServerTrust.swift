import Foundation

#if canImport(Security)
    import Security
#endif

/// Decides whether a server is authentic.
public struct ServerTrust {
    /// The reason why a server is not trusted.
    public enum Refusal: Error {
        /// The evaluation could not start.
        case status(Int32)
        /// The evaluation found the server not trusted.
        case untrusted((any Error)?)
        /// This system cannot evaluate certificates.
        case unsupported
    }

    /// The certificates that the server's must come from; if empty, those that the system trusts.
    public var anchors: [Certificate]

    /// Creates a decision by `anchors`.
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
