public import Foundation

// Functions for any object. Passing nil ends the program on Apple systems; here nil has no type and equals only itself.

/// Whether two objects have the same type and the same value.
///
/// So `true` does not equal the number 1 here, although `isEqual` considers them equal.
@discardableResult
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let first = cf1, let second = cf2 else { return cf1 == nil && cf2 == nil }
    guard CFGetTypeID(first) == CFGetTypeID(second) else { return false }
    return (first as? NSObject)?.isEqual(second) ?? (first === second)
}

/// Returns a hash, which is the same for equal objects.
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let object = cf else { return 0 }
    return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// Returns a description of an object for developers.
///
/// That of data shows its bytes, so do not log it for secrets.
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! { cf.map { String(describing: $0) as CFString } }

/// Returns the time in seconds since the start of 2001, UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Returns the type identifier of an object.
///
/// The identifiers differ from those of Apple systems: compare them with `CFStringGetTypeID()` and similar functions.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    guard let object = cf else { return CFTypeNumber.none.rawValue }
    return (object as? any HasCFTypeID)?.cfTypeID ?? CFTypeNumber(foundation: object).rawValue
}

/// Returns the type identifier of strings.
public func CFStringGetTypeID() -> CFTypeID { CFTypeNumber.string.rawValue }
/// Returns the type identifier of data.
public func CFDataGetTypeID() -> CFTypeID { CFTypeNumber.data.rawValue }
/// Returns the type identifier of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { CFTypeNumber.dictionary.rawValue }
/// Returns the type identifier of arrays.
public func CFArrayGetTypeID() -> CFTypeID { CFTypeNumber.array.rawValue }
/// Returns the type identifier of numbers, which do not include booleans.
public func CFNumberGetTypeID() -> CFTypeID { CFTypeNumber.number.rawValue }
/// Returns the type identifier of booleans.
public func CFBooleanGetTypeID() -> CFTypeID { CFTypeNumber.boolean.rawValue }
/// Returns the type identifier of dates.
public func CFDateGetTypeID() -> CFTypeID { CFTypeNumber.date.rawValue }
/// Returns the type identifier of URLs.
public func CFURLGetTypeID() -> CFTypeID { CFTypeNumber.url.rawValue }
/// Returns the type identifier of errors.
public func CFErrorGetTypeID() -> CFTypeID { CFTypeNumber.error.rawValue }
/// Returns the type identifier of sets.
public func CFSetGetTypeID() -> CFTypeID { CFTypeNumber.set.rawValue }
/// Returns the type identifier of `kCFNull`.
public func CFNullGetTypeID() -> CFTypeID { CFTypeNumber.null.rawValue }
/// Returns the type identifier of UUIDs.
public func CFUUIDGetTypeID() -> CFTypeID { CFTypeNumber.uuid.rawValue }
