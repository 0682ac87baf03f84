internal import Foundation

extension LAError {
    /// The reasons why authentication failed, with Apple's numbers.
    public enum Code: Int, Sendable {
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

        /// Another name of `biometryNotAvailable`.
        public static let touchIDNotAvailable = Code.biometryNotAvailable
        /// Another name of `biometryNotEnrolled`.
        public static let touchIDNotEnrolled = Code.biometryNotEnrolled
        /// Another name of `biometryLockout`.
        public static let touchIDLockout = Code.biometryLockout
        /// Another name of `watchNotAvailable`.
        public static let companionNotAvailable = Code.watchNotAvailable
    }
}

extension LAError.Code {
    /// Whether `error` is an error of this code, so that `catch LAError.userCancel` works.
    public static func ~= (code: LAError.Code, error: any Error) -> Bool {
        if let error = error as? LAError { return error.code == code }
        let error = error as NSError
        return error.domain == LAErrorDomain && error.code == code.rawValue
    }

    /// The message for users.
    var description: String {
        switch self {
        case .authenticationFailed: "Authentication failed."
        case .userCancel: "The user canceled authentication."
        case .userFallback: "The user chose the alternative."
        case .systemCancel: "The system canceled authentication."
        case .passcodeNotSet: "A passphrase is not available."
        case .biometryNotAvailable: "Biometry is not available."
        case .biometryNotEnrolled: "No fingerprint or face is enrolled."
        case .biometryLockout: "Biometry is locked after too many failures."
        case .appCancel: "The program canceled authentication."
        case .invalidContext: "The context has been invalidated."
        case .watchNotAvailable: "No watch is nearby."
        case .biometryNotPaired: "The sensor is not paired."
        case .biometryDisconnected: "The sensor is not connected."
        case .invalidDimensions: "The dimensions are invalid."
        case .notInteractive: "Authentication requires a prompt, and prompts are not allowed."
        }
    }
}
