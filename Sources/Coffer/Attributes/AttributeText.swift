/// What an attribute such as an account or a server says: bytes, which mostly are text.
///
/// Two are equal if they have the same bytes, as the keychain compares them: an é of one character and one of two are
/// two accounts, and text is equal to the bytes that it has in UTF-8.
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

    /// The text in UTF-8.
    public init(_ string: String) { bytes = Array(string.utf8) }

    /// Any bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text, or nil if the bytes are none.
    public var string: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension AttributeText: ExpressibleByStringInterpolation {
    /// The text in UTF-8.
    public init(stringLiteral value: String) { self.init(value) }
}

extension AttributeText: CustomStringConvertible {
    /// The text, or the bytes as a list.
    public var description: String { string ?? bytes.description }
}

extension AttributeText {
    /// What a value is that the keychain keeps; nil if it keeps no such text.
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

    /// The value that the keychain keeps: text where that is possible, as most programs write it.
    var value: ItemValue { string.map { .string($0) } ?? .data(bytes) }
}

extension String {
    /// Whether both have the same bytes.
    package func isText(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
