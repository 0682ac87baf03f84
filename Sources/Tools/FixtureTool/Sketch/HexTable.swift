/// Bytes with their meaning: lines of `offset  hex  meaning`, 16 bytes each or, in long fields, 32.
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
            for (index, line) in Self.lines(field.bytes).enumerated() {
                let place = String(offset, radix: 16)
                let digits = line.digits + String(repeating: " ", count: max(2, 49 - line.digits.count))
                let text = String(repeating: "0", count: 6 - place.count) + place + "  " + digits
                lines.append(String((text + (index == 0 ? field.what : "")).reversed().drop { $0 == " " }.reversed()))
                offset += line.byteCount
            }
        }
        return (["```\(kind)"] + lines + ["```"]).joined(separator: "\n") + "\n"
    }

    /// Divides `bytes` into lines: many zeros into one, other long fields into lines of 32 bytes.
    private static func lines(_ bytes: [UInt8]) -> [(digits: String, byteCount: Int)] {
        if bytes.count > 32, bytes.allSatisfy({ $0 == 0 }) { return [("00 × \(bytes.count)", bytes.count)] }
        let (step, separator) = bytes.count > 128 ? (32, "") : (16, " ")
        return stride(from: 0, to: bytes.count, by: step).map { start in
            let part = bytes[start..<min(start + step, bytes.count)]
            return (part.map { [$0].hex }.joined(separator: separator), part.count)
        }
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
