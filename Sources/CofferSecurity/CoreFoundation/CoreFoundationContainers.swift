public import Foundation

// `CFDictionaryGetValue` and `CFArrayGetValueAtIndex` are left out: they answer a pointer to an object that nothing
// owns but the container, and containers of Foundation on Linux make text, data and containers anew whenever asked.

/// How many bytes there are.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.length ?? 0 }

/// How many values an array has.
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

/// How many values a dictionary has.
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

/// Whether it is yes.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

/// How a dictionary treats its keys: here it always keeps them, and compares them by value.
public struct CFDictionaryKeyCallBacks: Sendable {
    /// The usual way.
    public init() {}
}

/// How a dictionary treats its values: here it always keeps them.
public struct CFDictionaryValueCallBacks: Sendable {
    /// The usual way.
    public init() {}
}

// Variables, because programs pass them with an ampersand; nobody changes them.

/// The usual way to treat keys that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The usual way to treat values that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

/// An empty dictionary that can be changed.
///
/// Its keys and values must be objects, and it keeps them, whatever is passed.
///
/// - Parameters:
///   - allocator: Nothing that matters.
///   - capacity: Nothing that matters: a dictionary grows.
///   - keyCallBacks: Nothing that matters.
///   - valueCallBacks: Nothing that matters.
/// - Returns: The dictionary.
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! {
    CFMutableDictionary()
}

/// Puts a value into a dictionary, in place of one that has the key.
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

/// Puts a value into a dictionary, unless one has the key already.
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

/// The object that a pointer leads to, which somebody else owns.
private func object(at pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}
