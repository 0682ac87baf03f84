/// Bytes with their meaning: lines of `offset  hex  meaning`, 16 bytes each.
struct HexTable {
    private var fields: [(bytes: [UInt8], what: String)] = []

    /// Divides `bytes` into parts of the given sizes.
    init(_ bytes: [UInt8], _ parts: [(byteCount: Int, what: String)]) {
        var rest = bytes[...]
        for part in parts {
            fields.append((Array(rest.prefix(part.byteCount)), part.what))
            rest = rest.dropFirst(part.byteCount)
        }
        precondition(rest.isEmpty, "\(rest.count) bytes are not explained")
    }

    /// Returns the lines, in a fenced block of `kind`.
    func text(_ kind: String, from start: Int = 0) -> String {
        var lines: [String] = []
        var offset = start
        for field in fields {
            for part in stride(from: 0, to: field.bytes.count, by: 16) {
                let bytes = field.bytes[part..<min(part + 16, field.bytes.count)]
                let place = String(offset, radix: 16)
                let digits = bytes.map { [$0].hex }.joined(separator: " ")
                let what = part == 0 ? field.what : ""
                let line =
                    String(repeating: "0", count: 6 - place.count) + place + "  " + digits
                    + String(repeating: " ", count: 49 - digits.count) + what
                lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
                offset += bytes.count
            }
        }
        return (["```\(kind)"] + lines + ["```"]).joined(separator: "\n") + "\n"
    }
}

/// Returns named values as lines of `name = hex`.
func values(_ values: [(name: String, bytes: [UInt8])]) -> String {
    let width = values.map(\.name.count).max() ?? 0
    let lines = values.flatMap { value in
        stride(from: 0, to: max(value.bytes.count, 1), by: 32).map { start in
            let name = start == 0 ? value.name : ""
            let padding = String(repeating: " ", count: width - name.count)
            let digits = Array(value.bytes[start..<min(start + 32, value.bytes.count)]).hex
            return "\(name)\(padding) \(start == 0 ? "=" : " ") \(digits.isEmpty ? "(no bytes)" : digits)"
        }
    }
    return (["```values"] + lines + ["```"]).joined(separator: "\n") + "\n"
}
