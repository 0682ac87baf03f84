internal import Coffer
internal import Foundation

extension ItemValue {
    /// The value as a Foundation object; nil for values that the keychain cannot hold.
    ///
    /// Booleans become numbers made of 0 and 1, because only those can be read both as `Bool` and as `Int`.
    var object: NSObject? {
        switch self {
        case .string(let text): text as NSString
        case .data(let bytes): NSData(copying: bytes)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .bool(let isTrue): NSNumber(value: isTrue ? 1 : 0)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .accessControl(let control): SecAccessControl(control)
        case .array(let values): values.compactMap(\.object) as NSArray
        case .null, .other: nil
        }
    }
}

extension NSData {
    /// The bytes, copied once: bridging mutable data to `Data` would create another copy, which cannot be wiped.
    var copiedBytes: [UInt8] { Array(UnsafeRawBufferPointer(start: bytes, count: length)) }

    /// Creates an object with a single copy of `bytes`; going through `Data` would create two.
    convenience init(copying bytes: [UInt8]) {
        self.init(bytes: bytes, length: bytes.count)
    }

    /// Creates an object with a single copy of `bytes`.
    convenience init(copying bytes: Span<UInt8>) {
        self.init(data: bytes.withUnsafeBytes { Data($0) })
    }
}
