public import Coffer
internal import Foundation

extension AuthenticationFailure {
    /// Another name of `biometryNotAvailable`.
    public static let touchIDNotAvailable = AuthenticationFailure.biometryNotAvailable
    /// Another name of `biometryNotEnrolled`.
    public static let touchIDNotEnrolled = AuthenticationFailure.biometryNotEnrolled
    /// Another name of `biometryLockout`.
    public static let touchIDLockout = AuthenticationFailure.biometryLockout
    /// Another name of `watchNotAvailable`.
    public static let companionNotAvailable = AuthenticationFailure.watchNotAvailable

    /// Whether `error` is an error of this code, so that `catch LAError.userCancel` works.
    public static func ~= (code: AuthenticationFailure, error: any Error) -> Bool {
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
