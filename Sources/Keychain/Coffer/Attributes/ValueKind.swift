internal import VaultFormat

/// The kind of values that an attribute accepts, and how they are converted.
package enum ValueKind: Sendable {
    /// Text, bytes or a number, stored as given.
    case blob
    /// Bytes.
    case data
    /// Text.
    case string
    /// A number.
    case number
    /// A date.
    case date
    /// A protection class.
    case accessibility
    /// Whether the item is synchronizable; in a query also "any".
    case synchronizable
    /// 16 bytes, or none.
    case uuid
    /// 20 bytes.
    case sha1
    /// An access control.
    case accessControl

    init(_ kind: AttributeKind) {
        self =
            switch kind {
            case .blob: .blob
            case .data: .data
            case .string: .string
            case .number: .number
            case .date: .date
            case .accessControl: .accessControl
            }
    }
}

extension ValueKind {
    /// The value as it is stored and compared, or nil if the attribute does not accept it.
    package func coerced(_ value: ItemValue) -> ItemValue? {
        switch self {
        case .blob: Self.blob(value)
        case .data: Self.data(value)
        case .string, .accessibility: Self.string(value)
        case .number, .synchronizable: Self.number(value)
        case .date: if case .date = value { value } else { nil }
        case .uuid: Self.uuid(value)
        case .sha1: if case .data(let bytes) = value, bytes.count == 20 { value } else { nil }
        case .accessControl: if case .accessControl = value { value } else { nil }
        }
    }

    private static func blob(_ value: ItemValue) -> ItemValue? {
        switch value {
        case .string, .data, .integer: value
        // The format stores only whole numbers, and matching compares the whole part.
        case .real(let number): wholePart(of: number).map { .integer($0) }
        default: nil
        }
    }

    private static func data(_ value: ItemValue) -> ItemValue? {
        switch value {
        case .string(let text): .data(Array(text.utf8))
        case .data: value
        case .integer(let number): .data(fourBytes(of: number))
        case .real(let number): wholePart(of: number).map { .data(fourBytes(of: $0)) }
        default: nil
        }
    }

    private static func string(_ value: ItemValue) -> ItemValue? {
        switch value {
        case .string: value
        case .data(let bytes): String(validating: bytes, as: UTF8.self).map { .string($0) }
        default: nil
        }
    }

    private static func number(_ value: ItemValue) -> ItemValue? {
        switch value {
        case .integer, .real: return value
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .string(let text):
            // Text becomes a number only if the number is written in exactly this way.
            guard let number = Int32(text), String(number).utf8.elementsEqual(text.utf8) else { return value }
            return .integer(Int64(number))
        default: return nil
        }
    }

    private static func uuid(_ value: ItemValue) -> ItemValue? {
        switch value {
        case .data(let bytes) where bytes.isEmpty || bytes.count == 16: value
        case .null: .data([])
        default: nil
        }
    }

    /// The whole part of a number, or nil if it cannot be stored.
    private static func wholePart(of number: Double) -> Int64? {
        Int64(exactly: number.rounded(.towardZero))
    }

    private static func fourBytes(of number: Int64) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: number)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
}
