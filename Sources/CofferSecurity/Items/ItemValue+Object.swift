internal import Coffer
internal import Foundation

extension ItemValue {
    /// The value as Foundation has it; nil where the keychain has none.
    ///
    /// Yes and no are numbers that were made of 0 and 1: only those can be read as `Bool` and as `Int`.
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

    /// The number that this is, or that its digits say.
    var number: Int64? {
        switch self {
        case .integer(let number): number
        case .bool(let isTrue): isTrue ? 1 : 0
        case .string(let digits): Int64(digits)
        default: nil
        }
    }
}

extension NSData {
    /// An object with a copy of `bytes`; by way of `Data` there would be two.
    convenience init(copying bytes: [UInt8]) {
        self.init(bytes: bytes, length: bytes.count)
    }
}
