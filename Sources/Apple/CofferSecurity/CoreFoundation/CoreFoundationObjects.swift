// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

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

// What Objective-C adds to Foundation on Apple systems, and Linux lacks.
#if !canImport(ObjectiveC)
    extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
        /// The string as a dictionary key, equal to the same text as a `String`.
        ///
        /// So `kSecAttrAccount` finds its value in a dictionary with keys of any type.
        public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
    }

    extension NSMutableDictionary {
        /// Sets the value for `key`; nil removes it.
        ///
        /// - Parameters:
        ///   - value: The value, or nil.
        ///   - key: Its key.
        public func setValue(_ value: Any?, forKey key: String) {
            if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key as NSString) }
        }
    }

    extension UserDefaults {
        /// Returns the value for `key`, or nil.
        public func value(forKey key: String) -> Any? { object(forKey: key) }

        /// Sets the value for `key`; nil removes it.
        public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
    }
#endif
