/// The types of credentials that a context can have.
public enum LACredentialType: Int, Sendable {
    /// The password of items that are protected by an application password.
    case applicationPassword = 0
    /// The PIN of a smart card, which is not supported.
    case smartCardPIN = -3
}
