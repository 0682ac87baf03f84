// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
public import Foundation

/// An allocator, accepted for compatibility; only `CFDataCreateWithBytesNoCopy` distinguishes them.
public final class CFAllocator: NSObject, @unchecked Sendable {}

// Implicitly unwrapped as on Apple systems, because programs use them with and without an exclamation mark.

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The default allocator of the system.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()
/// The allocator that uses `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()
/// The allocator that does nothing, for bytes that must not be freed.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// The boolean true.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The boolean false.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// The object that stands for no value in arrays and dictionaries.
public let kCFNull: CFNull! = NSNull()

/// The key of a bundle's identifier in its property list.
@safe public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
/// The key of a bundle's short name.
@safe public nonisolated(unsafe) let kCFBundleNameKey: CFString! = "CFBundleName"
/// The key of the number of a bundle's build.
@safe public nonisolated(unsafe) let kCFBundleVersionKey: CFString! = "CFBundleVersion"
/// The key of the name of a bundle's program.
@safe public nonisolated(unsafe) let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"
/// The key of the version of a bundle's property list.
@safe public nonisolated(unsafe) let kCFBundleInfoDictionaryVersionKey: CFString! = "CFBundleInfoDictionaryVersion"
/// The key of a bundle's native region.
@safe public nonisolated(unsafe) let kCFBundleDevelopmentRegionKey: CFString! = "CFBundleDevelopmentRegion"
/// The key of the languages of a bundle.
@safe public nonisolated(unsafe) let kCFBundleLocalizationsKey: CFString! = "CFBundleLocalizations"
