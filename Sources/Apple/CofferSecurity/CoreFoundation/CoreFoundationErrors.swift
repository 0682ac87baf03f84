// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
public import Foundation

// Implicitly unwrapped, as on Apple systems.

/// The domain of status codes.
@safe public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"
/// The domain of the numbers in `errno`.
@safe public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"
/// The domain of errors of Mach kernels.
@safe public nonisolated(unsafe) let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"
/// The domain of Foundation's errors.
@safe public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"

/// The key of the description of an error for users.
@safe public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! = "NSLocalizedDescription"
/// The key of what failed, for users.
@safe public nonisolated(unsafe) let kCFErrorLocalizedFailureKey: CFString! = "NSLocalizedFailure"
/// The key of the reason, for users.
@safe public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! = "NSLocalizedFailureReason"
/// The key of what users can do.
@safe public nonisolated(unsafe) let kCFErrorLocalizedRecoverySuggestionKey: CFString! = "NSLocalizedRecoverySuggestion"
/// The key of the description of an error for developers.
@safe public nonisolated(unsafe) let kCFErrorDescriptionKey: CFString! = "NSDescription"
/// The key of the error that caused an error.
@safe public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"
/// The key of the URL that an error is about.
@safe public nonisolated(unsafe) let kCFErrorURLKey: CFString! = "NSURL"
/// The key of the path of the file that an error is about.
@safe public nonisolated(unsafe) let kCFErrorFilePathKey: CFString! = "NSFilePath"

/// Returns the code of an error.
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err?.code ?? 0 }

/// Returns the domain of an error, which defines the meaning of its code.
public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! { err.map { $0.domain as CFErrorDomain } }

/// Returns the description of an error for people.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err.map { $0.localizedDescription as CFString } }

/// Returns the additional values of an error, by key.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err.map { $0.userInfo as CFDictionary } }

/// Creates an error.
///
/// - Parameters:
///   - allocator: Ignored.
///   - domain: The domain that defines the meaning of `code`.
///   - code: The code.
///   - userInfo: Additional values; keys that are not strings are left out.
/// - Returns: The error; nil if there is no domain.
public func CFErrorCreate(
    _ allocator: CFAllocator!,
    _ domain: CFErrorDomain!,
    _ code: CFIndex,
    _ userInfo: CFDictionary!
) -> CFError! {
    guard let domain else { return nil }
    var values: [String: Any] = [:]
    for (key, value) in userInfo ?? [:] {
        if let key = key as? String { values[key] = value }
    }
    return CFError(domain: domain as String, code: code, userInfo: values)
}
