public import Foundation

/// An allocator, accepted for compatibility; no function here uses one.
public final class CFAllocator: NSObject, @unchecked Sendable {}

// Implicitly unwrapped as on Apple systems, because programs use them with and without an exclamation mark.

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The default allocator.
public let kCFAllocatorDefault: CFAllocator! = nil
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The boolean true.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The boolean false.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's identifier in its property list.
@safe public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
