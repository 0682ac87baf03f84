internal import CofferBasics

/// The value of an attribute such as an account or a server: bytes, which are usually text.
///
/// Two values are equal if they have the same bytes, as in the keychain: an é written as one character and an é written
/// as two are different accounts, and text is equal to its bytes in UTF-8.
///
/// ```swift
/// let account: AttributeText = "kim"
/// account.string  // "kim"
/// account == AttributeText(bytes: [0x6B, 0x69, 0x6D])  // true
/// AttributeText(bytes: [0xFF]).string  // nil
/// ```
public struct AttributeText: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a value from text, as UTF-8.
    public init(_ string: String) { bytes = Array(string.utf8) }

    /// Creates a value from any bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text, or nil if the bytes are not valid UTF-8.
    public var string: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension AttributeText: ExpressibleByStringInterpolation {
    /// Creates a value from text, as UTF-8.
    public init(stringLiteral value: String) { self.init(value) }
}

extension AttributeText: CustomStringConvertible {
    /// The text, or a list of the bytes if they are not valid UTF-8.
    public var description: String { string ?? bytes.description }
}

extension AttributeText {
    /// The text of a value in the keychain, or nil if the value is of a kind that has none.
    init?(_ value: ItemValue) {
        switch value {
        case .string(let text): self.init(text)
        case .data(let bytes): self.init(bytes: bytes)
        case .integer, .real:
            guard case .data(let bytes)? = ValueKind.data.coerced(value) else { return nil }
            self.init(bytes: bytes)
        default: return nil
        }
    }

    /// The value for the keychain: text if possible, since most programs store text.
    var value: ItemValue { string.map { .string($0) } ?? .data(bytes) }
}

extension String {
    /// Whether both have the same bytes.
    package func isSameText(_ other: String) -> Bool { utf8.span.hasSameBytes(as: other.utf8.span) }
}
