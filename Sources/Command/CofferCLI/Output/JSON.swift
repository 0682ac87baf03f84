internal import CofferBasics

/// A JSON value that keeps the order of object members.
///
/// It does not hold secrets: see `JSONText`.
package indirect enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with three decimals.
    case decimal(Double)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])

    package static func == (one: JSON, other: JSON) -> Bool { one.text == other.text }

    /// The value on one line.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .decimal(let value): Decimal.text(value)
        case .string(let value): JSONText.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONText.quoted($0.key)): \($0.value.text)" }.joined(separator: ", ") + "}"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0, value: $1) })
    }
    package init(nilLiteral: ()) { self = .null }

    init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// The object with further members appended.
    func with(_ members: [(key: String, value: JSON)]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own + members)
    }
}

/// Writes text as JSON strings.
package enum JSONText {
    /// The text as a JSON string.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if let escape = escape(of: scalar) { quoted += escape } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "\""
    }

    /// Writes text as a JSON string without making a Swift string of it, for secrets.
    package static func write(quoting text: UTF8Span, to output: Output) throws {
        try output.write(UInt8(ascii: "\""))
        var scalars = text.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            if let escape = escape(of: scalar) {
                try output.write(escape)
            } else {
                try output.write(utf8Of: scalar)
            }
        }
        try output.write(UInt8(ascii: "\""))
    }

    /// Appends text as a JSON string without making a Swift string of it, for secrets.
    static func append(quoting text: UTF8Span, to builder: SecretBuilder) {
        builder.append(UInt8(ascii: "\""))
        let bytes = text.span
        var scalars = text.makeUnicodeScalarIterator()
        // What needs no escape is appended in one piece, from `start` on.
        var (start, position) = (0, 0)
        while let scalar = scalars.next() {
            if let escape = escape(of: scalar) {
                builder.append(copying: bytes.extracting(start..<position))
                builder.append(escape.utf8)
                start = scalars.currentCodeUnitOffset
            }
            position = scalars.currentCodeUnitOffset
        }
        builder.append(copying: bytes.extracting(start..<position))
        builder.append(UInt8(ascii: "\""))
    }

    /// The escape sequence of a character, if it needs one; invisible characters do.
    private static func escape(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        // Faster than asking for the properties of a character.
        case " "..."~": nil
        default: scalar.isInvisible ? scalar.utf16.map(escape(of:)).joined() : nil
        }
    }

    private static func escape(of unit: UTF16.CodeUnit) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

/// Formats decimal numbers without Foundation.
package enum Decimal {
    /// The number with `digits` decimals.
    package static func text(_ value: Double, digits: Int = 3) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard abs(scaled) < 0x1p62 else { return "null" }
        let whole = Int64(scaled)
        let text = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.utf8.count)) + text
        let (left, right) = (padded.dropLast(digits), padded.suffix(digits))
        return (whole < 0 ? "-" : "") + left + (digits > 0 ? "." + right : "")
    }
}
