public import Foundation

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
