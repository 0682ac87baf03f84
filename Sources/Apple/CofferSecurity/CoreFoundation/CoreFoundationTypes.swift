// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation

// Core Foundation's names are classes of Foundation here, so `as` bridges as it does on Apple systems.

/// Any object.
public typealias CFTypeRef = AnyObject
/// A string.
public typealias CFString = NSString
/// A mutable string.
public typealias CFMutableString = NSMutableString
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// A mutable array.
public typealias CFMutableArray = NSMutableArray
/// A set.
public typealias CFSet = NSSet
/// A mutable set.
public typealias CFMutableSet = NSMutableSet
/// A sequence of bytes.
public typealias CFData = NSData
/// A mutable sequence of bytes.
public typealias CFMutableData = NSMutableData
/// A date.
public typealias CFDate = NSDate
/// A URL.
public typealias CFURL = NSURL
/// A number.
public typealias CFNumber = NSNumber
/// A boolean.
public typealias CFBoolean = NSNumber
/// The object that stands for no value.
public typealias CFNull = NSNull
/// A UUID.
public typealias CFUUID = NSUUID
/// A value of a property list.
public typealias CFPropertyList = AnyObject
/// An error.
public typealias CFError = NSError
/// The domain of an error, which defines the meaning of its code.
public typealias CFErrorDomain = NSString
/// A count or a position.
public typealias CFIndex = Int
/// A type identifier.
public typealias CFTypeID = UInt
/// A hash, which is the same for equal objects.
public typealias CFHashCode = UInt
/// A set of flags, one per bit.
public typealias CFOptionFlags = UInt
/// An encoding of text.
public typealias CFStringEncoding = UInt32
/// A duration in seconds.
public typealias CFTimeInterval = Double
/// A date in seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = Double
/// The result of a call: 0, or the reason why it failed.
public typealias OSStatus = Int32
/// Four characters as one number.
public typealias OSType = UInt32
/// Four characters as one number.
public typealias FourCharCode = UInt32
/// An integer.
public typealias NSInteger = Int
/// A nonnegative integer.
public typealias NSUInteger = UInt

/// A boolean of C, which a few functions write.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable {
    /// The boolean of Swift.
    public let boolValue: Bool

    /// Creates a boolean from one of Swift.
    public init(_ value: Bool) { boolValue = value }

    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { boolValue = value }
}

extension DarwinBoolean: CustomStringConvertible {
    /// The text `true` or `false`.
    public var description: String { boolValue.description }
}

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

/// The type identifiers.
enum CFTypeNumber: CFTypeID, CaseIterable {
    /// No object.
    case none
    /// An object of any other type.
    case other
    case string, data, dictionary, array, number, boolean, date, url, error, set, null, uuid
    case secKey, secCertificate, secIdentity, secAccessControl, secTrust, secPolicy, secTask

    /// The type of a Foundation object.
    init(foundation object: AnyObject) {
        self =
            switch object {
            case is NSString: .string
            case is NSData: .data
            case is NSDictionary: .dictionary
            case is NSArray: .array
            case let number as NSNumber where number.isBoolean: .boolean
            case is NSNumber: .number
            case is NSDate: .date
            case is NSURL: .url
            case is NSError: .error
            case is NSSet: .set
            case is NSNull: .null
            case is NSUUID: .uuid
            default: .other
            }
    }
}

extension NSNumber {
    /// Whether this is one of the two boolean objects, rather than a number with the same value.
    var isBoolean: Bool { self === kCFBooleanTrue || self === kCFBooleanFalse }
}

/// An object whose type has its own type identifier.
protocol HasCFTypeID: AnyObject {
    var cfTypeID: CFTypeID { get }
}
