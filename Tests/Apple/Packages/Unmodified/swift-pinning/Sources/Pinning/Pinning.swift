import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Security)
    import Security

    /// Compares the certificates of a server with known ones.
    public final class PinningDelegate: NSObject, URLSessionDelegate {
        /// Creates a delegate.
        override public init() {}

        /// Whether the server of a challenge may be trusted.
        public func isPinned(_ challenge: URLAuthenticationChallenge) -> Bool {
            guard let trust: SecTrust = challenge.protectionSpace.serverTrust else { return false }
            return SecTrustEvaluateWithError(trust, nil)
        }
    }
#endif

/// Whether certificates are compared.
public var isPinning: Bool {
    #if canImport(Security)
        return true
    #else
        return false
    #endif
}
