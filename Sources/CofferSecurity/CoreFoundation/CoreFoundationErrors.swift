public import Foundation

/// The code of an error.
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err?.code ?? 0 }

/// Who defines what the code of an error means.
public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! { err.map { $0.domain as CFErrorDomain } }

/// What an error says to people.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err.map { $0.localizedDescription as CFString } }

/// What else an error says, by key.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err.map { $0.userInfo as CFDictionary } }

/// An error.
///
/// - Parameters:
///   - allocator: Nothing that matters.
///   - domain: Who defines what `code` means.
///   - code: What happened.
///   - userInfo: What else there is to say; keys that are no text are left out.
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
