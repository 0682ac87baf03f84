/// The reasons why authentication failed, with Apple's numbers: `LAError.Code`.
///
/// ```swift
/// let closed = AuthenticationHost { _ in .failure(.userCancel) }
/// ```
public enum AuthenticationFailure: Int, Sendable {
    /// The user presented the wrong credentials.
    case authenticationFailed = -1
    /// The user canceled.
    case userCancel = -2
    /// The user chose the alternative that the fallback title names.
    case userFallback = -3
    /// The system canceled.
    case systemCancel = -4
    /// There is no passphrase, or no host to ask for it.
    case passcodeNotSet = -5
    /// The machine does not support biometry.
    case biometryNotAvailable = -6
    /// No fingerprint or face is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry is locked after too many failures.
    case biometryLockout = -8
    /// The program canceled.
    case appCancel = -9
    /// The context has been invalidated.
    case invalidContext = -10
    /// No watch is nearby.
    case watchNotAvailable = -11
    /// The sensor is not paired with this machine.
    case biometryNotPaired = -12
    /// The sensor is not connected.
    case biometryDisconnected = -13
    /// The dimensions are invalid.
    case invalidDimensions = -14
    /// A prompt is needed, but prompts are forbidden.
    case notInteractive = -1004
}
