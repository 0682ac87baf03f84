internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat

/// A value in a request to the keychain, or in its answer.
///
/// Text is compared byte by byte, as in the keychain: two strings that look alike may differ.
///
/// ```swift
/// ItemValue.string("caf\u{E9}") == .string("cafe\u{301}")  // false: the bytes differ
/// ```
public enum ItemValue: Sendable {
    /// Text.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A Boolean.
    case bool(Bool)
    /// A date, in seconds since the start of 2001, UTC.
    case date(secondsSinceReferenceDate: Double)
    /// When the item can be read, and under which conditions.
    case accessControl(AccessControl)
    /// Several values.
    case array([ItemValue])
    /// No value: `NSNull`.
    case null
    /// A value that no key accepts, such as a dictionary or a URL.
    case other
}

extension ItemValue {
    /// The value as a number: an integer, a Boolean, or a string of digits.
    package var number: Int64? {
        switch self {
        case .integer(let number): number
        case .bool(let isTrue): isTrue ? 1 : 0
        case .string(let digits): Int64(digits)
        default: nil
        }
    }
}

extension ItemValue {
    /// The value for bytes that are usually text: text if possible, since most programs store text.
    package init(textBytes bytes: [UInt8]) {
        self = String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(bytes)
    }

    /// The bytes of text, data or a number; nil if the value is of a kind that has none.
    var bytes: [UInt8]? {
        switch self {
        case .string(let text): return Array(text.utf8)
        case .data(let bytes): return bytes
        case .integer, .real:
            guard case .data(let bytes)? = ValueKind.data.coerced(self) else { return nil }
            return bytes
        default: return nil
        }
    }
}

extension String {
    /// Whether both have the same bytes.
    package func isSameText(_ other: String) -> Bool { utf8.span.hasSameBytes(as: other.utf8.span) }
}

extension ItemValue: Equatable {
    /// Whether both values are the same; text is compared byte by byte.
    public static func == (one: ItemValue, other: ItemValue) -> Bool {
        switch (one, other) {
        case (.string(let one), .string(let other)): one.isSameText(other)
        case (.data(let one), .data(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.bool(let one), .bool(let other)): one == other
        case (.date(let one), .date(let other)): one == other
        case (.accessControl(let one), .accessControl(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.null, .null), (.other, .other): true
        default: false
        }
    }
}

extension ItemValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Creates a text value.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ItemValue {
    /// The value as it is stored in an archive, or nil if it cannot be stored there.
    var archived: ArchiveValue? {
        switch self {
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .integer(let number): .integer(Int128(number))
        case .real(let number): .real(number)
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .date(let seconds): .date(secondsSinceReferenceDate: seconds)
        case .accessControl(let control): control.stored?.archived
        case .array, .null, .other: nil
        }
    }

    /// The value that an archive contains.
    init(_ value: ArchiveValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .data(let bytes): .data(bytes)
            case .integer(let number): Int64(exactly: number).map { .integer($0) } ?? .other
            case .real(let number): .real(number)
            case .date(let seconds): .date(secondsSinceReferenceDate: seconds)
            default: .other
            }
    }
}
