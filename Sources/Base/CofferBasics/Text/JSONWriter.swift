/// Writes JSON without white space; values may be secrets.
package final class JSONWriter {
    private let output: SecretBuilder
    /// Whether a value or member before the next one needs a comma.
    private var needsComma = false

    package init(to output: SecretBuilder) {
        self.output = output
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
        output.append(UInt8(ascii: ":"))
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

    package func string(_ text: String) {
        value { quote(text.utf8Span.span) }
    }

    /// Writes bytes that are UTF-8 as a string.
    package func string(_ text: HeldSecret) {
        value { text.bytes.withSpan { quote($0) } }
    }

    package func number(_ number: some BinaryInteger) {
        value { output.append(String(number).utf8) }
    }

    /// Writes a number that is finite.
    package func number(_ number: Double) {
        value { output.append(number.description.utf8) }
    }

    package func bool(_ isTrue: Bool) {
        value { output.append((isTrue ? "true" : "false").utf8) }
    }

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
                withSecretBytes(
                    capacity: 4000,
                    writtenBy: { letters in
                        Base64Letters.forEach(of: bytes.extracting(start..<min(start + 3000, bytes.count))) {
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
        if needsComma { output.append(UInt8(ascii: ",")) }
    }

    private func quote(_ text: Span<UInt8>) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices where text[index].isEscapedInJSON {
            output.append(copying: text.extracting(start..<index))
            escape(text[index])
            start = index + 1
        }
        output.append(copying: text.extracting(start..<text.count))
        output.append(UInt8(ascii: "\""))
    }

    private func escape(_ byte: UInt8) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case UInt8(ascii: "\n"): output.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): output.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): output.append(UInt8(ascii: "t"))
        default:
            output.append("u00".utf8)
            output.append([byte].hexDigits.utf8)
        }
    }
}

extension UInt8 {
    /// Whether a string in JSON cannot contain the byte itself (RFC 8259, section 7).
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
