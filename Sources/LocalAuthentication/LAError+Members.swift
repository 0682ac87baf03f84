extension LAError {
    /// What was shown is not right.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user has turned the question down.
    public static var userCancel: Code { .userCancel }
    /// The user wants the other way, which the fallback title names.
    public static var userFallback: Code { .userFallback }
    /// The system has taken the question back.
    public static var systemCancel: Code { .systemCancel }
    /// There is no passphrase, or nobody to ask for it.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// The machine knows neither fingers nor faces.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// The machine has not learned a finger or a face.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// There were too many wrong fingers or faces.
    public static var biometryLockout: Code { .biometryLockout }
    /// The program has taken the question back.
    public static var appCancel: Code { .appCancel }
    /// The context has been invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// No watch is near.
    public static var watchNotAvailable: Code { .watchNotAvailable }
    /// The sensor is another machine's.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The sensor is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// What should be shown has no good size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// Nobody may be asked.
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
