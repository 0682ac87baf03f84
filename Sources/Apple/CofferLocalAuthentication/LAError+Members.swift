extension LAError {
    /// The user presented the wrong credentials.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user canceled.
    public static var userCancel: Code { .userCancel }
    /// The user chose the alternative that the fallback title names.
    public static var userFallback: Code { .userFallback }
    /// The system canceled.
    public static var systemCancel: Code { .systemCancel }
    /// There is no passphrase, or no host to ask for it.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// The machine does not support biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No fingerprint or face is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry is locked after too many failures.
    public static var biometryLockout: Code { .biometryLockout }
    /// The program canceled.
    public static var appCancel: Code { .appCancel }
    /// The context has been invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// No watch is nearby.
    public static var watchNotAvailable: Code { .watchNotAvailable }
    /// The sensor is not paired with this machine.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The sensor is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The dimensions are invalid.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// A prompt is needed, but prompts are forbidden.
    public static var notInteractive: Code { .notInteractive }
    /// Another name of `biometryNotAvailable`.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// Another name of `biometryNotEnrolled`.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// Another name of `biometryLockout`.
    public static var touchIDLockout: Code { .biometryLockout }
    /// Another name of `watchNotAvailable`.
    public static var companionNotAvailable: Code { .watchNotAvailable }
}
