public import Foundation

/// Creates data from a copy of bytes.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: The bytes.
///   - length: Their number.
/// - Returns: The data; nil if the length is negative.
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return bytes.map { NSData(bytes: $0, length: length) } ?? NSData()
}

/// Creates data that refers to bytes, which must stay unchanged as long as the data exists.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: The bytes.
///   - length: Their number.
///   - bytesDeallocator: `kCFAllocatorNull` if the caller frees the bytes; otherwise the data does, with `free`.
/// - Returns: The data; nil if the length is negative.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0 else { return nil }
    return bytes.map {
        let isFreed = bytesDeallocator !== kCFAllocatorNull
        return NSData(bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), length: length, freeWhenDone: isFreed)
    } ?? NSData()
}

/// Returns the number of bytes.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.length ?? 0 }

/// Returns a pointer to the bytes, which is valid until the data is changed or released.
///
/// Swift releases an object after its last use: `withExtendedLifetime` keeps the data while the pointer is in use. What
/// `as CFData` makes of a `Data` value is an object of its own, which may be released before the value is.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    theData?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Copies a range of bytes to `buffer`; copies nothing if the range is not within the data.
public func CFDataGetBytes(_ theData: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
    guard let data = theData, let buffer, range.location >= 0, range.length >= 0, range.location <= data.length,
        range.length <= data.length - range.location
    else { return }
    data.getBytes(buffer, range: NSRange(location: range.location, length: range.length))
}

/// A range of positions.
public struct CFRange: Equatable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of positions.
    public var length: CFIndex

    /// Creates a range.
    public init(location: CFIndex = 0, length: CFIndex = 0) {
        self.location = location
        self.length = length
    }
}

/// Creates a range from its first position and the number of positions.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

/// The encodings of text that are supported here.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    /// ISO 8859-1.
    case isoLatin1 = 0x0201
    /// Windows-1252.
    case windowsLatin1 = 0x0500
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// ASCII.
    case ASCII = 0x0600
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// UTF-8.
    case UTF8 = 0x0800_0100

    /// Foundation's name of the encoding.
    fileprivate var name: String.Encoding {
        switch self {
        case .isoLatin1: .isoLatin1
        case .windowsLatin1: .windowsCP1252
        case .ASCII: .ascii
        case .UTF8: .utf8
        }
    }
}

/// Creates a string from bytes that end with a zero byte.
///
/// - Parameters:
///   - alloc: Ignored.
///   - cStr: The bytes.
///   - encoding: One of `CFStringBuiltInEncodings`.
/// - Returns: The string; nil if the encoding is not supported, or the bytes are invalid in it.
public func CFStringCreateWithCString(
    _ alloc: CFAllocator!,
    _ cStr: UnsafePointer<CChar>!,
    _ encoding: CFStringEncoding
) -> CFString! {
    guard let cStr, let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
    return String(data: Data(bytes: cStr, count: strlen(cStr)), encoding: encoding.name).map { $0 as CFString }
}

/// Returns the number of UTF-16 code units.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString?.length ?? 0 }

/// Creates a random UUID.
public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! { NSUUID() }

/// Creates a UUID from its text; nil if the text is not a UUID.
public func CFUUIDCreateFromString(_ alloc: CFAllocator!, _ uuidStr: CFString!) -> CFUUID! {
    uuidStr.flatMap { NSUUID(uuidString: $0 as String) }
}

/// Returns the text of a UUID, with capital letters.
public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! {
    uuid.map { $0.uuidString as CFString }
}
