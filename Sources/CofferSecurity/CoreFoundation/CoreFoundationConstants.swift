public import Foundation

/// Where memory comes from: nothing here asks for one.
public final class CFAllocator: NSObject, @unchecked Sendable {}

// Implicitly unwrapped as on Apple systems: programs write them with and without an exclamation mark.

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The usual allocator.
public let kCFAllocatorDefault: CFAllocator! = nil
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// Yes.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// No.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The identifier of a bundle, as a key of its property list.
@safe public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
