package import KeyedArchive

// The notation of values and errors in test vectors. `Fixtures/README.md` describes it.

extension PropertyList {
    /// This value on one line.
    package var notation: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .date(let seconds): "date(\(seconds))"
        case .data(let bytes): bytes.notation
        case .string(let string): string.notation
        case .uid(let value): "uid(\(value))"
        case .array(let elements): "[\(elements.map(\.notation).joined(separator: ", "))]"
        case .set(let elements): "set[\(elements.map(\.notation).joined(separator: ", "))]"
        case .dictionary(let entries):
            "{\(entries.map { "\($0.key.notation): \($0.value.notation)" }.joined(separator: ", "))}"
        }
    }
}

extension ArchiveValue {
    /// This value on one line.
    package var notation: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .string(let string): string.notation
        case .data(let bytes): bytes.notation
        case .date(let seconds): "date(\(seconds))"
        case .uuid(let value): "uuid(\(value.uuidNotation))"
        case .url(let url): "url(\(url.notation))"
        case .array(let elements): "[\(elements.map(\.notation).joined(separator: ", "))]"
        case .set(let elements): "set[\(elements.map(\.notation).joined(separator: ", "))]"
        case .dictionary(let entries):
            "{\(entries.map { "\($0.key.notation): \($0.value.notation)" }.joined(separator: ", "))}"
        case .object(let object): object.notation
        }
    }
}

extension ArchiveURL {
    fileprivate var notation: String {
        base.map { "\(text.notation) in \($0.notation)" } ?? text.notation
    }
}

extension ArchiveObject {
    fileprivate var notation: String {
        let fields = fields.map { "\($0.key.notation): \($0.value.notation)" }
        return "object \(([className] + superclassNames).joined(separator: ":")) {\(fields.joined(separator: ", "))}"
    }
}

extension ArchiveObject.Field {
    fileprivate var notation: String {
        switch self {
        case .inline(let value): "inline \(value.notation)"
        case .reference(let value): value.notation
        case .noObject: "nil"
        case .references(let values): "list [\(values.map(\.notation).joined(separator: ", "))]"
        }
    }
}

extension String {
    /// The string in quotes, everything but printable ASCII as `\u{…}`.
    fileprivate var notation: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": String(scalar)
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return "\"\(scalars.joined())\""
    }
}

extension [UInt8] {
    /// The bytes in hexadecimal.
    fileprivate var notation: String {
        "<\(map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined())>"
    }
}

extension UInt128 {
    fileprivate var uuidNotation: String {
        let digits = String(self, radix: 16)
        let padded = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(padded[$0]) }.joined(separator: "-")
    }
}

/// The case of an error and what it carries, as `case(label: value)`.
package func errorNotation(_ error: any Error) -> String {
    notation(of: error)
}

private func notation(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch (mirror.displayStyle, mirror.children.first) {
    case (.enum, let payload?):
        let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
        let inner = isTuple ? notation(of: payload.value) : "(\(notation(of: payload.value)))"
        return (payload.label ?? "") + inner
    case (.tuple, _):
        let parts = mirror.children.map { child in
            let label = child.label ?? ""
            return label.hasPrefix(".") || label.isEmpty ? notation(of: child.value) : "\(label): \(notation(of: child.value))"
        }
        return "(\(parts.joined(separator: ", ")))"
    default:
        if let string = value as? String { return string.notation }
        return "\(value)"
    }
}
