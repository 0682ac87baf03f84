public import Coffer
public import Foundation
@_exported public import enum Coffer.AuthenticationFailure

/// The domain of this module's errors.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// The reason why authentication failed.
///
/// ```swift
/// do {
///     try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to show your passwords")
/// } catch LAError.userCancel {
///     return
/// }
/// ```
public struct LAError: Error, CustomNSError, Hashable, Sendable {
    /// The reasons why authentication failed, with Apple's numbers.
    public typealias Code = AuthenticationFailure

    /// The same error as an `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of this domain.
    public init(_nsError error: NSError) { _nsError = error }

    /// Creates an error with a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        let described = [NSLocalizedDescriptionKey: code.description].merging(userInfo) { $1 }
        _nsError = NSError(domain: LAErrorDomain, code: code.rawValue, userInfo: described)
    }

    /// The code; `authenticationFailed` if the number is unknown.
    public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }

    /// Additional values.
    public var userInfo: [String: Any] { _nsError.userInfo }

    /// The domain of this module's errors.
    public static var errorDomain: String { LAErrorDomain }

    /// The code as a number.
    public var errorCode: Int { _nsError.code }

    /// Additional values, for `NSError`.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// The message for users.
    public var localizedDescription: String { _nsError.localizedDescription }
}

/// Casts between an `NSError` of this domain and the error, as for `CocoaError`.
extension LAError: _ObjectiveCBridgeable {
    /// Returns the same error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Sets `result` to the error; nil if `source` is of another domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
        result = source.domain == LAErrorDomain ? LAError(_nsError: source) : nil
    }

    /// Sets `result` to the error, and returns whether `source` is of this domain.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }

    /// Returns the error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
        source.map { LAError(_nsError: $0) } ?? LAError(.authenticationFailed)
    }
}

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

// The codes of `LAError` as numbers, for code that reads them from an `NSError`.

/// The domain of this module's errors: another name of `LAErrorDomain`.
public let kLAErrorDomain = LAErrorDomain
/// The user presented the wrong credentials.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The user canceled.
public let kLAErrorUserCancel: Int32 = -2
/// The user chose the alternative.
public let kLAErrorUserFallback: Int32 = -3
/// The system canceled.
public let kLAErrorSystemCancel: Int32 = -4
/// There is no passphrase.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The machine does not support biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// No fingerprint or face is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// Biometry is locked after too many failures.
public let kLAErrorBiometryLockout: Int32 = -8
/// The program canceled.
public let kLAErrorAppCancel: Int32 = -9
/// The context has been invalidated.
public let kLAErrorInvalidContext: Int32 = -10
/// No watch is nearby.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// The sensor is not paired.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The sensor is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The dimensions are invalid.
public let kLAErrorInvalidDimensions: Int32 = -14
/// A prompt is needed, but prompts are forbidden.
public let kLAErrorNotInteractive: Int32 = -1004
/// Another name of `kLAErrorBiometryNotAvailable`.
public let kLAErrorTouchIDNotAvailable = kLAErrorBiometryNotAvailable
/// Another name of `kLAErrorBiometryNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled = kLAErrorBiometryNotEnrolled
/// Another name of `kLAErrorBiometryLockout`.
public let kLAErrorTouchIDLockout = kLAErrorBiometryLockout
/// Another name of `kLAErrorWatchNotAvailable`.
public let kLAErrorCompanionNotAvailable = kLAErrorWatchNotAvailable

/// The number of the policy `deviceOwnerAuthenticationWithBiometrics`.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// The number of the policy `deviceOwnerAuthentication`.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2

/// The destination for a function's error; nil if the caller does not need it.
///
/// On Apple's systems, Foundation defines this name.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
