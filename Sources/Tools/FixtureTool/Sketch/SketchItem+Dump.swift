// The canonical dump of items that `Fixtures/README.md` defines.

extension SketchItem {
    /// One line of the dump, without the line end.
    var dumpLine: String {
        let attributes = attributes.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
            .map { "\(quoted($0.key)):\(quoted($0.value.notation))" }
        let members = [
            ("attributes", "{\(attributes.joined(separator: ","))}"),
            ("class", quoted("\(itemClass)")),
            ("group", quoted(key.group.name)),
            ("id", quoted(id.hex)),
            ("order", "\(order)"),
            ("protection", quoted("\(key.protection)")),
            ("revision", "\(revision)"),
            ("secret", secret?.data.map { quoted($0.hex) } ?? "null"),
        ]
        return "{\(members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
    }

    private func quoted(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\t": "\\t", "\n": "\\n", "\u{c}": "\\f", "\r": "\\r",
        ]
        let scalars = text.unicodeScalars.map { scalar in
            escapes[scalar] ?? (scalar.value < 32 ? "\\u00\([UInt8(scalar.value)].hex)" : "\(scalar)")
        }
        return "\"\(scalars.joined())\""
    }
}

extension [SketchItem] {
    /// The dump: one line for each item, ordered by item id.
    var dump: String {
        sorted { $0.id.lexicographicallyPrecedes($1.id) }.map { $0.dumpLine + "\n" }.joined()
    }

    /// The value of `content` in the header of a vector.
    var contentHash: String { Blake2b.hash(32, Array<UInt8>(dump.utf8)).hex }
}

extension AppleValue {
    /// The notation of `Fixtures/README.md`, for the values that attributes can have.
    fileprivate var notation: String {
        switch self {
        case .date(let seconds): return "date(\(seconds))"
        case .dictionary(let entries):
            return "{\(entries.map { "\($0.0.notation): \($0.1.notation)" }.joined(separator: ", "))}"
        case .scalar(.int(let number)): return "\(number)"
        case .scalar(.real(let number)): return "\(number)"
        case .scalar(.data(let bytes)): return "<\(bytes.hex)>"
        case .scalar(.string(let text)):
            let escaped = text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case " "..."~": "\(scalar)"
                default: "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
            return "\"\(escaped.joined())\""
        default: preconditionFailure("no attribute has such a value")
        }
    }
}
