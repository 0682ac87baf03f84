public import Foundation

// `CFDictionaryGetValue` and `CFArrayGetValueAtIndex` are left out: they return a pointer to an object that only the
// container owns, and Foundation's containers on Linux create strings, data and containers anew on each access.

/// Returns the number of values in an array.
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

/// Returns the number of values in a dictionary.
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

/// Returns the value of a boolean.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

/// How an array treats its values; here it always retains them.
public struct CFArrayCallBacks: Sendable {
    /// Creates the default callbacks.
    public init() {}
}

/// How a dictionary treats its keys; here it always retains them and compares them by value.
public struct CFDictionaryKeyCallBacks: Sendable {
    /// Creates the default callbacks.
    public init() {}
}

/// How a dictionary treats its values; here it always retains them.
public struct CFDictionaryValueCallBacks: Sendable {
    /// Creates the default callbacks.
    public init() {}
}

// Variables, because programs pass them with an ampersand; they never change.

/// The default callbacks for an array of objects.
public nonisolated(unsafe) var kCFTypeArrayCallBacks = CFArrayCallBacks()
/// The default callbacks for keys that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The default callbacks for values that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

/// Creates an array of objects, which it retains whatever callbacks are passed.
///
/// - Parameters:
///   - allocator: Ignored.
///   - values: The objects, each as `Unmanaged.passUnretained(object).toOpaque()`.
///   - numValues: Their number.
///   - callBacks: Ignored.
/// - Returns: The array; nil if the number is negative.
public func CFArrayCreate(
    _ allocator: CFAllocator!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ numValues: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    guard numValues >= 0 else { return nil }
    return UnsafeBufferPointer(start: values, count: values == nil ? 0 : numValues).compactMap(object(at:)) as CFArray
}

/// Creates an empty mutable dictionary.
///
/// Its keys and values must be objects; it retains them whatever callbacks are passed.
///
/// - Parameters:
///   - allocator: Ignored.
///   - capacity: Ignored; a dictionary grows as needed.
///   - keyCallBacks: Ignored.
///   - valueCallBacks: Ignored.
/// - Returns: The dictionary.
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! {
    CFMutableDictionary()
}

/// Sets the value for a key of a dictionary, replacing an existing one.
///
/// - Parameters:
///   - theDict: The dictionary.
///   - key: The key, as `Unmanaged.passUnretained(key).toOpaque()`.
///   - value: The value, likewise.
public func CFDictionarySetValue(
    _ theDict: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    guard let dictionary = theDict, let key = object(at: key) as? NSObject, let value = object(at: value) else {
        return
    }
    dictionary[key] = value
}

/// Adds a value to a dictionary, unless the key already has one.
///
/// - Parameters:
///   - theDict: The dictionary.
///   - key: The key, as `Unmanaged.passUnretained(key).toOpaque()`.
///   - value: The value, likewise.
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    guard let dictionary = theDict, let keyObject = object(at: key) as? NSObject, dictionary[keyObject] == nil else {
        return
    }
    CFDictionarySetValue(dictionary, key, value)
}

/// The object at `pointer`, without taking ownership.
private func object(at pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}
