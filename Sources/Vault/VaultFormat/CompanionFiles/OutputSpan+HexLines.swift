internal import VaultCrypto

extension OutputSpan<UInt8> {
    /// Appends the title line of a file.
    mutating func appendLine(_ title: String) {
        append(ascii: title)
        append(ascii: "\n")
    }

    /// Appends a line with `name` and the hexadecimal digits of `bytes`.
    mutating func appendLine(_ name: String, _ bytes: Span<UInt8>) {
        append(ascii: name)
        append(ascii: " ")
        for index in bytes.indices {
            append(Self.digit(of: bytes[index] >> 4))
            append(Self.digit(of: bytes[index] & 15))
        }
        append(ascii: "\n")
    }

    /// Appends a line with `name` and the hexadecimal digits of `key`.
    mutating func appendLine(_ name: String, _ key: Key) {
        key.withBytes { appendLine(name, $0) }
    }

    /// Appends the last line of a file, with its check.
    mutating func appendCheck() {
        let check = HexLines.check(of: span)
        appendLine(HexLines.checkName, check.span)
    }

    private mutating func append(ascii text: String) {
        for byte in text.utf8 { append(byte) }
    }

    private static func digit(of value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
