/// The result of a trust evaluation, as older functions return it.
public enum SecTrustResultType: UInt32, Sendable {
    /// Nothing was evaluated.
    case invalid
    /// The user trusts the certificate.
    case proceed
    /// The user wants to be asked; no system returns this any more.
    case confirm
    /// The user does not trust the certificate.
    case deny
    /// The certificate is valid, and the user has not decided about it.
    case unspecified
    /// The certificate is not trusted, but would be after a change.
    case recoverableTrustFailure
    /// The certificate is not trusted.
    case fatalTrustFailure
    /// The evaluation failed.
    case otherError
}
