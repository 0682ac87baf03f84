/// Writes bytes as macOS `security` does: `Spec/command.md`, section 11.
///
/// Printable text is quoted. Anything else is written in hexadecimal digits, followed by the quoted text if some of it
/// is printable.
enum AppleText {
    /// Writes bytes, which may be a secret; nothing if there are none.
    static func write(_ bytes: Span<UInt8>, to output: Output) throws {
        let isAllPlain = bytes.indices.allSatisfy { isPlain(bytes[$0]) }
        let hasPlain = bytes.indices.contains { isPlain(bytes[$0]) }
        if !isAllPlain {
            try output.write("0x")
            try writeDigits(of: bytes, capitals, to: output)
            // macOS writes a trailing space even if nothing follows.
            try output.write(hasPlain ? "  " : " ")
        }
        guard hasPlain else { return }
        try output.write(UInt8(ascii: "\""))
        for index in bytes.indices { try writeQuoted(bytes[index], to: output) }
        try output.write(UInt8(ascii: "\""))
    }

    /// Writes text.
    static func write(_ text: String, to output: Output) throws {
        try write(text.utf8Span.span, to: output)
    }

    /// Writes a number, which may be a four-letter code.
    static func write(_ number: UInt32, to output: Output) throws {
        try write(FourLetterCode.bytes(of: number).span, to: output)
    }

    /// Writes a secret and a newline as `-w` does: printable text as it is, anything else as hexadecimal digits.
    static func writeBare(_ bytes: Span<UInt8>, to output: Output) throws {
        if bytes.indices.allSatisfy({ isPrintable(bytes[$0]) }) {
            try output.write(bytes)
        } else {
            try writeDigits(of: bytes, small, to: output)
        }
        try output.write("\n")
    }

    /// Whether a byte is printable ASCII or a space.
    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    /// Whether a byte is written as it is; a backslash is not, since it introduces octal digits.
    private static func isPlain(_ byte: UInt8) -> Bool { isPrintable(byte) && byte != UInt8(ascii: "\\") }

    private static let capitals = Array("0123456789ABCDEF".utf8)
    private static let small = Array("0123456789abcdef".utf8)

    private static func writeDigits(
        of bytes: Span<UInt8>,
        _ digits: [UInt8],
        to output: Output
    ) throws {
        for index in bytes.indices {
            try output.write(digits[Int(bytes[index] >> 4)])
            try output.write(digits[Int(bytes[index] & 15)])
        }
    }

    private static func writeQuoted(_ byte: UInt8, to output: Output) throws {
        guard !isPlain(byte) else { return try output.write(byte) }
        try output.write(UInt8(ascii: "\\"))
        for shift in [6, 3, 0] { try output.write(small[Int(byte >> shift & 7)]) }
    }
}
