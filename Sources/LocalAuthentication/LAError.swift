public import Foundation

/// The domain of the errors of this module.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why somebody was not authenticated.
///
/// ```swift
/// do {
///     try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to show your passwords")
/// } catch LAError.userCancel {
///     return
/// }
/// ```
public struct LAError: Error, CustomNSError, Hashable, Sendable {
    /// The same error as a class.
    public let _nsError: NSError

    /// The error that an `NSError` of this domain is.
    public init(_nsError error: NSError) { _nsError = error }

    /// The error of a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        let described = [NSLocalizedDescriptionKey: code.description].merging(userInfo) { $1 }
        _nsError = NSError(domain: LAErrorDomain, code: code.rawValue, userInfo: described)
    }

    /// Why; for a number that is none of the codes, that somebody was not authenticated.
    public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }

    /// More about the error.
    public var userInfo: [String: Any] { _nsError.userInfo }

    /// The domain of the errors of this module.
    public static var errorDomain: String { LAErrorDomain }

    /// The number.
    public var errorCode: Int { _nsError.code }

    /// More about the error, for `NSError`.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// What happened, for people.
    public var localizedDescription: String { _nsError.localizedDescription }
}
