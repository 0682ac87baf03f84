/// A fault in a document and the offset of the byte where it is.
///
/// The line is computed from the offset only when an error leaves the reader, so that reading need not count lines.
struct XMLFault: Error, Equatable {
    var kind: XMLPropertyListError.Kind
    var offset: Int

    init(_ kind: XMLPropertyListError.Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    init(_ error: XMLMarkupError, at offset: Int) {
        self.init(.markup(error), at: offset)
    }
}

/// The bytes of a document, with LF line ends and without a byte-order mark.
struct XMLDocument {
    let bytes: [UInt8]

    /// Removes the byte-order mark and the carriage returns from `input`.
    init(_ input: [UInt8]) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = XMLDocument.normalizingLineEnds(
            of: input.starts(with: byteOrderMark) ? input.dropFirst(byteOrderMark.count) : input[...]
        )
    }

    /// Returns the line number, from 1, of the byte at `offset`.
    func line(at offset: Int) -> Int {
        bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    }

    // XML 1.0, section 2.11: CR LF and a lone CR become LF before anything is parsed.
    private static func normalizingLineEnds(of input: ArraySlice<UInt8>) -> [UInt8] {
        guard input.contains(UInt8(ascii: "\r")) else { return Array(input) }
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var wasCarriageReturn = false
        for byte in input {
            let isCarriageReturn = byte == UInt8(ascii: "\r")
            if isCarriageReturn {
                output.append(UInt8(ascii: "\n"))
            } else if !(wasCarriageReturn && byte == UInt8(ascii: "\n")) {
                output.append(byte)
            }
            wasCarriageReturn = isCarriageReturn
        }
        return output
    }

    /// Checks that this is UTF-8 and holds only XML characters, so that no later step has to check again.
    func checkCharacters() throws(XMLFault) {
        guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]) else {
            throw XMLFault(.utf16, at: 0)
        }
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x80 {
                guard byte >= 0x20 || byte.isXMLWhiteSpace else { throw XMLFault(.forbiddenCharacter, at: offset) }
                offset += 1
                continue
            }
            guard let (scalar, byteCount) = scalar(at: offset) else { throw XMLFault(.invalidUTF8, at: offset) }
            guard scalar.isXMLCharacter else { throw XMLFault(.forbiddenCharacter, at: offset) }
            offset += byteCount
        }
    }

    /// Returns the scalar whose shortest UTF-8 form, of two to four bytes, starts at `offset`.
    private func scalar(at offset: Int) -> (scalar: Unicode.Scalar, byteCount: Int)? {
        let lead = UInt32(bytes[offset])
        let (byteCount, smallest, bits): (Int, UInt32, UInt32)
        switch lead {
        case 0xC0...0xDF: (byteCount, smallest, bits) = (2, 0x80, lead & 0x1F)
        case 0xE0...0xEF: (byteCount, smallest, bits) = (3, 0x800, lead & 0x0F)
        case 0xF0...0xF7: (byteCount, smallest, bits) = (4, 0x10000, lead & 0x07)
        default: return nil
        }
        guard byteCount <= bytes.count - offset else { return nil }
        var value = bits
        for byte in bytes[offset + 1..<offset + byteCount] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, byteCount)
    }
}

extension Unicode.Scalar {
    /// Whether this is a character in XML 1.0, section 2.2 (`Char`).
    var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}

extension UInt8 {
    /// Whether this is white space in XML 1.0, section 2.3 (`S`).
    var isXMLWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\t")
            || self == UInt8(ascii: "\r")
    }
}
