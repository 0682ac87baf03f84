internal import CofferBasics

/// A JSON value that keeps the order of object members.
///
/// It does not hold secrets, for which there is `JSONWriter`.
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

    /// The value on one line, with invisible characters escaped.
    package var text: String {
        let text = SecretBuilder()
        JSONWriter(forPeople: text).write(self)
        return text.withSpan { $0.text }
    }
}

extension JSONWriter {
    /// Makes the writer of the output of commands, which people read too.
    convenience init(forPeople output: SecretBuilder) {
        self.init(to: output, isSpaced: true, escapesInvisible: true)
    }

    func write(_ value: JSON) {
        switch value {
        case .null: literal("null")
        case .bool(let value): bool(value)
        case .integer(let value): number(value)
        case .decimal(let value): literal(Decimal.text(value))
        case .string(let value): string(value)
        case .array(let values): array { for value in values { write(value) } }
        case .object(let members): object { write(members) }
        }
    }

    /// Writes members of an object.
    func write(_ members: [(key: String, value: JSON)]) {
        for (name, value) in members {
            key(name)
            write(value)
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
