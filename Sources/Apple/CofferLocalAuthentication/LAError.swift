@_exported public import enum Coffer.AuthenticationFailure
public import Foundation

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
