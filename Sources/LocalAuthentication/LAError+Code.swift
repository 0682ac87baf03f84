internal import Foundation

extension LAError {
    /// Why somebody was not authenticated, as Apple's numbers.
    public enum Code: Int, Sendable {
        /// What was shown is not right.
        case authenticationFailed = -1
        /// The user has turned the question down.
        case userCancel = -2
        /// The user wants the other way, which the fallback title names.
        case userFallback = -3
        /// The system has taken the question back.
        case systemCancel = -4
        /// There is no passphrase, or nobody to ask for it.
        case passcodeNotSet = -5
        /// The machine knows neither fingers nor faces.
        case biometryNotAvailable = -6
        /// The machine has not learned a finger or a face.
        case biometryNotEnrolled = -7
        /// There were too many wrong fingers or faces.
        case biometryLockout = -8
        /// The program has taken the question back.
        case appCancel = -9
        /// The context has been invalidated.
        case invalidContext = -10
        /// No watch is near.
        case watchNotAvailable = -11
        /// The sensor is another machine's.
        case biometryNotPaired = -12
        /// The sensor is not connected.
        case biometryDisconnected = -13
        /// What should be shown has no good size.
        case invalidDimensions = -14
        /// Nobody may be asked.
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

    /// What happened, for people.
    var description: String {
        switch self {
        case .authenticationFailed: "Authentication failed."
        case .userCancel: "The user cancelled authentication."
        case .userFallback: "The user chose the fallback."
        case .systemCancel: "The system cancelled authentication."
        case .passcodeNotSet: "No passphrase can be asked for here."
        case .biometryNotAvailable: "There is no biometry here."
        case .biometryNotEnrolled: "No finger or face has been enrolled."
        case .biometryLockout: "Biometry is locked after too many failures."
        case .appCancel: "The program cancelled authentication."
        case .invalidContext: "The context has been invalidated."
        case .watchNotAvailable: "No watch is near."
        case .biometryNotPaired: "The sensor has not been paired."
        case .biometryDisconnected: "The sensor is not connected."
        case .invalidDimensions: "The dimensions are not valid."
        case .notInteractive: "Authentication needs interaction, which is not allowed."
        }
    }
}
