/// Writes JSON on one line; values may be secrets.
package final class JSONWriter {
    private let output: SecretBuilder
    private let isSpaced: Bool
    private let escapesInvisible: Bool
    /// Whether a value or member before the next one needs a comma.
    private var needsComma = false

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - output: Where the JSON is appended.
    ///   - isSpaced: Whether there is a blank after each comma and colon.
    ///   - escapesInvisible: Whether invisible characters are escaped, for people: see `isInvisible`.
    package init(to output: SecretBuilder, isSpaced: Bool = false, escapesInvisible: Bool = false) {
        self.output = output
        self.isSpaced = isSpaced
        self.escapesInvisible = escapesInvisible
    }

    // MARK: - Structure

    /// Writes an object with the members that `body` writes.
    package func object(_ body: () -> Void) {
        begin("{")
        body()
        end("}")
    }

    /// Writes an array of the values that `body` writes.
    package func array(_ body: () -> Void) {
        begin("[")
        body()
        end("]")
    }

    /// Begins an object or array whose end is written later.
    package func begin(_ bracket: Unicode.Scalar) {
        separate()
        output.append(UInt8(ascii: bracket))
        needsComma = false
    }

    /// Ends what `begin` began.
    package func end(_ bracket: Unicode.Scalar) {
        output.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Writes the key of the member whose value follows.
    package func key(_ name: String) {
        separate()
        quote(name.utf8Span.span)
        append(":")
        needsComma = false
    }

    /// Begins a line for a value that is long.
    package func beginLine() {
        separate()
        needsComma = false
        endLine()
    }

    package func endLine() { output.append(UInt8(ascii: "\n")) }

    // MARK: - Values

    package func string(_ text: String) { string(text.utf8Span.span) }

    /// Writes bytes that are UTF-8 as a string.
    package func string(_ text: HeldSecret) { text.withSpan(string) }

    /// Writes bytes that are UTF-8 as a string.
    package func string(_ text: Span<UInt8>) { value { quote(text) } }

    package func number(_ number: some BinaryInteger) { literal(String(number)) }

    /// Writes a number that is finite.
    package func number(_ number: Double) { literal(number.description) }

    package func bool(_ isTrue: Bool) { literal(isTrue ? "true" : "false") }

    /// Writes a number, `true`, `false` or `null` as it is.
    package func literal(_ text: String) { value { output.append(text.utf8) } }

    /// Writes bytes as base64 with padding, as RFC 4648 has it in section 4.
    package func base64(_ bytes: Span<UInt8>) {
        base64(bytes) { $0 }
    }

    /// Writes bytes as base64 for URLs without padding, as RFC 4648 has it in section 5.
    package func base64URL(_ bytes: Span<UInt8>) {
        base64(bytes) { letter in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: letter
            }
        }
    }

    private func base64(_ bytes: Span<UInt8>, _ letter: (UInt8) -> UInt8?) {
        value {
            output.append(UInt8(ascii: "\""))
            // In parts, which is faster than letter by letter.
            for start in stride(from: 0, to: bytes.count, by: 3000) {
                withTemporarySecret(
                    capacity: 4000,
                    writtenBy: { letters in
                        Base64.forEach(of: bytes.extracting(start..<min(start + 3000, bytes.count))) {
                            if let letter = letter($0) { letters.append(letter) }
                        }
                    },
                    { output.append(copying: $0) }
                )
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    // MARK: - Bytes

    private func value(_ write: () -> Void) {
        separate()
        write()
        needsComma = true
    }

    private func separate() {
        if needsComma { append(",") }
    }

    private func append(_ mark: Unicode.Scalar) {
        output.append(UInt8(ascii: mark))
        if isSpaced { output.append(UInt8(ascii: " ")) }
    }

    private func quote(_ text: Span<UInt8>) {
        output.append(UInt8(ascii: "\""))
        // What needs no escape is appended in one piece, from `start` on.
        var (start, index) = (0, 0)
        while index < text.count {
            let byte = text[index]
            guard byte.isEscapedInJSON || escapesInvisible && byte >= 0x7F,
                let (scalar, byteCount) = text.scalar(at: index)
            else {
                index += 1
                continue
            }
            if byte.isEscapedInJSON || scalar.isInvisible {
                output.append(copying: text.extracting(start..<index))
                escape(scalar)
                start = index + byteCount
            }
            index += byteCount
        }
        output.append(copying: text.extracting(start..<text.count))
        output.append(UInt8(ascii: "\""))
    }

    private func escape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": output.append("\\\(scalar)".utf8)
        case "\n": output.append("\\n".utf8)
        case "\r": output.append("\\r".utf8)
        case "\t": output.append("\\t".utf8)
        default:
            for unit in scalar.utf16 { output.append("\\u\([UInt8(unit >> 8), UInt8(unit & 0xFF)].hexDigits)".utf8) }
        }
    }
}

extension UInt8 {
    /// Whether a string in JSON cannot contain the byte itself (RFC 8259, section 7).
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
