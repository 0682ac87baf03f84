public import Foundation

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
