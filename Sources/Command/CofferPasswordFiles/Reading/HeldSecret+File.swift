package import CofferBasics

// What readers of password files need; their bytes, and the decoded parts of them, are secrets.
extension HeldSecret {
    /// The offset of the first byte of the text that is not white space.
    package var firstVisibleOffset: Int? {
        let start = textStart
        return withSpan { bytes in (start..<bytes.count).first { !bytes[$0].isBlank } }
    }

    /// The file as UTF-8: itself, or converted from UTF-16 if it begins with the mark of that.
    ///
    /// - Returns: The bytes, which may still be invalid UTF-8 if they were not converted.
    /// - Throws: `PasswordFileError.invalid` for UTF-16 that is not valid.
    func convertedFromUTF16() throws -> HeldSecret {
        let isBigEndian = has([0xFE, 0xFF])
        guard isBigEndian || has([0xFF, 0xFE]) else { return self }
        let buffer = try withSpan { bytes in
            var reader = UTF16Reader(isBigEndian: isBigEndian)
            var byteCount = 0
            while let scalar = try reader.next(in: bytes) { byteCount += UTF8.width(scalar) }
            var buffer = SecretBuffer(byteCount: byteCount)
            try buffer.withMutableSpan { output in
                var reader = UTF16Reader(isBigEndian: isBigEndian)
                var index = 0
                while let scalar = try reader.next(in: bytes) {
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        output[index] = byte
                        index += 1
                    }
                }
            }
            return buffer
        }
        return HeldSecret(buffer: buffer)
    }
}

/// Reads the characters of UTF-16 after its byte-order mark.
private struct UTF16Reader {
    let isBigEndian: Bool
    var offset = 2

    mutating func next(in bytes: Span<UInt8>) throws -> Unicode.Scalar? {
        guard offset < bytes.count else { return nil }
        let start = offset
        let first = try unit(in: bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), offset < bytes.count else {
            throw PasswordFileError.invalid("byte \(start): incomplete surrogate pair in UTF-16")
        }
        let second = try unit(in: bytes)
        let code = 0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF)
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(code) else {
            throw PasswordFileError.invalid("byte \(start): incomplete surrogate pair in UTF-16")
        }
        return scalar
    }

    private mutating func unit(in bytes: Span<UInt8>) throws -> UInt16 {
        guard offset + 1 < bytes.count else {
            throw PasswordFileError.invalid("byte \(offset): half a character of UTF-16")
        }
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        offset += 2
        return isBigEndian ? first << 8 | second : second << 8 | first
    }
}
