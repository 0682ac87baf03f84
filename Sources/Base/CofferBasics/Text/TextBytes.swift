/// An error in a text: it is not what it should be, or too large.
package enum TextError: Error, Equatable {
    /// Where, and what is wrong.
    case invalid(String)
    /// A limit is exceeded: which.
    case tooLarge(String)

    /// What is wrong, in words without any part of the text.
    package var description: String {
        switch self {
        case .invalid(let text), .tooLarge(let text): text
        }
    }
}

// Text in wiped memory. Readers refer to parts of it by ranges, so that values are copied only when they are wanted.
extension HeldSecret {
    /// How many bytes a text may have; positions in it then fit in 32 bits.
    package static let byteCountLimit = 1 << 30

    /// Where the text begins: after the byte-order mark of UTF-8, if there is one.
    package var textStart: Int { has([0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Checks that the text is UTF-8, and not too large.
    ///
    /// - Throws: `TextError`, with the position of the first byte that is not UTF-8.
    package func checkUTF8() throws(TextError) {
        guard byteCount <= Self.byteCountLimit else { throw .tooLarge("the text has more than 1 GiB") }
        try withSpan { bytes throws(TextError) in
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: bytes)
            } catch {
                let offset = error.byteOffsets.lowerBound
                throw .invalid("byte \(offset): not UTF-8; save the file as UTF-8 and try again")
            }
        }
    }

    /// Whether the bytes from `offset` on are `text`.
    package func has(_ text: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        withSpan { $0.has(text, at: offset) }
    }

    /// The bytes as text, for what is not secret; invalid UTF-8 is replaced.
    package var text: String { withSpan { $0.text } }

    /// The bytes that base64 text stands for; nil if it is not base64.
    package var base64Decoded: HeldSecret? { withSpan(Encodings.base64) }

    /// The bytes, for what is not secret.
    package var array: [UInt8] { withSpan { [UInt8](copying: $0) } }
}

extension Span<UInt8> {
    /// The bytes as text; invalid UTF-8 is replaced.
    package var text: String {
        if let valid = try? UTF8Span(validating: self) { return String(copying: valid) }
        return String(decoding: [UInt8](copying: self), as: UTF8.self)
    }

    /// Whether the bytes from `offset` on are `text`.
    @inlinable @inline(__always) package func has(_ text: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        guard text.count <= count - offset else { return false }
        var position = offset
        for byte in text {
            guard self[position] == byte else { return false }
            position += 1
        }
        return true
    }

    /// The character that starts at `offset`, and its length in UTF-8; nil if the bytes are not its shortest form.
    package func scalar(at offset: Int) -> (scalar: Unicode.Scalar, byteCount: Int)? {
        let lead = UInt32(self[offset])
        let (byteCount, smallest, bits): (Int, UInt32, UInt32)
        switch lead {
        case ..<0x80: (byteCount, smallest, bits) = (1, 0, lead)
        case 0xC0...0xDF: (byteCount, smallest, bits) = (2, 0x80, lead & 0x1F)
        case 0xE0...0xEF: (byteCount, smallest, bits) = (3, 0x800, lead & 0x0F)
        case 0xF0...0xF7: (byteCount, smallest, bits) = (4, 0x10000, lead & 0x07)
        default: return nil
        }
        guard byteCount <= count - offset else { return nil }
        var value = bits
        for index in offset + 1..<offset + byteCount {
            guard self[index] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(self[index] & 0x3F)
        }
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, byteCount)
    }

    /// The range without white space at both ends; for addresses and names, never for secrets.
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, self[first].isBlank { range = first + 1..<range.upperBound }
        while let last = range.last, self[last].isBlank { range = range.lowerBound..<last }
        return range
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    package var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
