internal import CofferBasics
package import KeyedArchive

/// Section 9.2: the canonical bytes of an attribute's value, which are compared to match items.
///
/// Values that Apple's keychain treats as equal have the same bytes.
package enum CanonicalValue {
    /// The canonical bytes of `value`, or of the default if it is nil.
    package static func bytes(of value: ArchiveValue?, kind: AttributeKind) throws(Fault) -> [UInt8] {
        switch kind {
        case .blob: try blob(value, allowing: [.string, .data, .integer])
        case .data: try blob(value, allowing: .data)
        case .string: try blob(value, allowing: .string)
        case .number: try number(value ?? .integer(0))
        case .date: try date(value ?? .date(secondsSinceReferenceDate: 0))
        case .accessControl: try accessControl(value)
        }
    }

    private struct Forms: OptionSet {
        let rawValue: UInt8

        static let string = Forms(rawValue: 1)
        static let data = Forms(rawValue: 2)
        static let integer = Forms(rawValue: 4)
    }

    private static func blob(_ value: ArchiveValue?, allowing forms: Forms) throws(Fault) -> [UInt8] {
        switch value {
        case nil: return []
        case .string(let text) where forms.contains(.string): return Array(text.utf8)
        case .data(let bytes) where forms.contains(.data): return bytes
        case .integer(let number) where forms.contains(.integer):
            var bytes: [UInt8] = []
            bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
            return bytes
        default: throw .badValue
        }
    }

    /// The first byte of a number, which says which form follows.
    private enum NumberForm {
        static let integer: UInt8 = 1
        static let real: UInt8 = 2
        static let text: UInt8 = 3
    }

    private static func number(_ value: ArchiveValue) throws(Fault) -> [UInt8] {
        switch value {
        case .integer(let number):
            guard let number = Int64(exactly: number) else { throw .badValue }
            return integer(number)
        case .real(let number):
            if let whole = Int64(exactly: number), abs(number) <= 0x1p53 { return integer(whole) }
            var bytes = [NumberForm.real]
            bytes.append(littleEndian: number.bitPattern)
            return bytes
        case .string(let text):
            if let whole = wholeNumber(text) { return integer(whole) }
            return [NumberForm.text] + text.utf8
        default: throw .badValue
        }
    }

    private static func integer(_ number: Int64) -> [UInt8] {
        var bytes = [NumberForm.integer]
        bytes.append(littleEndian: number)
        return bytes
    }

    /// The number in `text`, if that is an optional sign and decimal digits.
    private static func wholeNumber(_ text: String) -> Int64? {
        // Int64 accepts exactly these texts, and refuses numbers that do not fit.
        Int64(text)
    }

    private static func date(_ value: ArchiveValue) throws(Fault) -> [UInt8] {
        guard case .date(let seconds) = value else { throw .badValue }
        var bytes: [UInt8] = []
        // Adding 0.0 turns -0.0 into 0.0 and leaves other values unchanged.
        bytes.append(littleEndian: (seconds + 0.0).bitPattern)
        return bytes
    }

    /// Checks an access control, which takes no part in matching.
    private static func accessControl(_ value: ArchiveValue?) throws(Fault) -> [UInt8] {
        guard let value else { return [] }
        guard case .dictionary(let fields) = value, fields.count == 1,
            case .integer(let flags)? = value["flags"], UInt32(exactly: flags) != nil
        else { throw .badValue }
        return []
    }
}
