internal import Foundation

// What can be asked of any object. Nil is never passed on Apple systems, where it ends the program; here it is no
// object of any type, and like nothing but itself.

/// Whether two objects are of one type and have the same value.
///
/// So `true` is not the number 1 here, while `isEqual` takes one for the other.
@discardableResult
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let first = cf1, let second = cf2 else { return cf1 == nil && cf2 == nil }
    guard CFGetTypeID(first) == CFGetTypeID(second) else { return false }
    return (first as? NSObject)?.isEqual(second) ?? (first === second)
}

/// A number that is the same for objects that are equal.
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let object = cf else { return 0 }
    return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// The number of the type of an object.
///
/// The numbers are not those of Apple systems: compare them with what `CFStringGetTypeID()` and its kin say.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    guard let object = cf else { return CFTypeNumber.none.rawValue }
    return (object as? any HasCFTypeID)?.cfTypeID ?? CFTypeNumber(foundation: object).rawValue
}

/// The type of text.
public func CFStringGetTypeID() -> CFTypeID { CFTypeNumber.string.rawValue }
/// The type of bytes.
public func CFDataGetTypeID() -> CFTypeID { CFTypeNumber.data.rawValue }
/// The type of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { CFTypeNumber.dictionary.rawValue }
/// The type of arrays.
public func CFArrayGetTypeID() -> CFTypeID { CFTypeNumber.array.rawValue }
/// The type of numbers, of which yes and no are none.
public func CFNumberGetTypeID() -> CFTypeID { CFTypeNumber.number.rawValue }
/// The type of yes and no.
public func CFBooleanGetTypeID() -> CFTypeID { CFTypeNumber.boolean.rawValue }
/// The type of moments.
public func CFDateGetTypeID() -> CFTypeID { CFTypeNumber.date.rawValue }
/// The type of places.
public func CFURLGetTypeID() -> CFTypeID { CFTypeNumber.url.rawValue }
/// The type of errors.
public func CFErrorGetTypeID() -> CFTypeID { CFTypeNumber.error.rawValue }
