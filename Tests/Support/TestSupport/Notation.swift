package import KeyedArchive

// The notation of values and errors in test vectors. `Fixtures/README.md` describes it.

extension PropertyList {
    /// This value on one line.
    package var notation: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): value.notation
        case .date(let seconds): "date(\(seconds.notation))"
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
        case .real(let value): value.notation
        case .string(let string): string.notation
        case .data(let bytes): bytes.notation
        case .date(let seconds): "date(\(seconds.notation))"
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

extension Double {
    /// The fewest digits that read back as this number; Swift writes an exponent from 2^53, and the vectors from 10^16.
    fileprivate var notation: String { (0x1p53..<1e16).contains(magnitude) ? "\(Int64(self)).0" : "\(self)" }
}

extension String {
    /// The string in quotes, with everything except printable ASCII as `\u{…}`.
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

/// Returns the case of an error and its payload as `case(label: value)`; for a structure, its fields.
package func errorNotation(_ error: any Error) -> String {
    notation(of: error)
}

private func notation(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch (mirror.displayStyle, mirror.children.first) {
    case (.optional, let wrapped): return wrapped.map { notation(of: $0.value) } ?? "nil"
    case (.struct, _) where value is any Error: return notation(of: mirror.children)
    case (.tuple, _): return "(\(notation(of: mirror.children)))"
    case (.enum, let payload?):
        let inner = notation(of: payload.value)
        return (payload.label ?? "") + (inner.hasPrefix("(") ? inner : "(\(inner))")
    case (.enum, nil): return enumCaseName(value).map { String(cString: $0) } ?? ""
    default: return (value as? String)?.notation ?? "\(value)"
    }
}

private func notation(of children: Mirror.Children) -> String {
    children.map { child in
        // The labels of unlabeled tuple elements are ".0", ".1" and so on.
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
        return label.map { "\($0): \(notation(of: child.value))" } ?? notation(of: child.value)
    }.joined(separator: ", ")
}

// Errors describe themselves in prose, and reflection shows the name of a case only if it has a payload.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
