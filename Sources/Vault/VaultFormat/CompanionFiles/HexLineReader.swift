internal import CofferBasics
internal import VaultCrypto

/// Reads a text line by line; the text may hold a key, so the caller keeps and wipes it.
struct HexLineReader {
    private var offset = 0
    private var line = 0

    /// Starts reading `text`, whose first line must be `title`.
    init(title: String, of text: Span<UInt8>) throws(KeyFileError) {
        guard text.count <= HexLines.byteCountLimit else { throw .tooLarge(byteCount: text.count) }
        line = 1
        guard passes("\(title)\n", in: text) else { throw .malformedLine(line, .title(title)) }
    }

    /// Reads the line with the value of `name`, and decodes it into `output`, which must have the same size.
    mutating func read(
        _ name: String,
        from text: Span<UInt8>,
        into output: inout MutableSpan<UInt8>
    ) throws(KeyFileError) {
        line += 1
        guard passes("\(name) ", in: text), decode(text, into: &output), passes("\n", in: text) else {
            throw .malformedLine(line, .value(name: name, digitCount: 2 * output.count))
        }
    }

    /// The `byteCount` bytes in the line of `name`, which are not secret.
    mutating func read(_ name: String, byteCount: Int, from text: Span<UInt8>) throws(KeyFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        try read(name, from: text, into: &span)
        return bytes
    }

    /// The identifier in the line of `name`.
    mutating func readIdentifier<Kind>(
        _ name: String,
        from text: Span<UInt8>
    ) throws(KeyFileError) -> Identifier<Kind> {
        let bytes = try read(name, byteCount: Identifier<Kind>.byteCount, from: text)
        return Identifier(bytes.span)
    }

    /// The key in the line of `name`.
    mutating func readKey(_ name: String, from text: Span<UInt8>) throws(KeyFileError) -> Key {
        var bytes = SecretBuffer(byteCount: 32)
        return try bytes.withMutableSpan { bytes throws(KeyFileError) in
            try read(name, from: text, into: &bytes)
            do throws(CipherError) {
                return try Key(copying: bytes.span)
            } catch {
                throw .cipher(error)
            }
        }
    }

    /// Reads the check in the last line of the text.
    mutating func readCheck(of text: Span<UInt8>) throws(KeyFileError) {
        let expected = HexLines.check(of: text.extracting(..<offset))
        let check = try read(HexLines.checkName, byteCount: HexLines.checkByteCount, from: text)
        guard check == expected else { throw .wrongCheck(line: line) }
        guard offset == text.count else { throw .trailingBytes(line: line + 1) }
    }

    /// Skips `expected` and returns true if it comes next in the text.
    private mutating func passes(_ expected: String, in text: Span<UInt8>) -> Bool {
        for byte in expected.utf8 {
            guard offset < text.count, text[offset] == byte else { return false }
            offset += 1
        }
        return true
    }

    /// Decodes enough digits to fill `output`; false if fewer follow.
    private mutating func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
        guard text.count - offset >= 2 * output.count else { return false }
        for index in output.indices {
            guard let high = text[offset].lowercaseHexValue, let low = text[offset + 1].lowercaseHexValue
            else { return false }
            output[index] = high << 4 | low
            offset += 2
        }
        return true
    }
}
