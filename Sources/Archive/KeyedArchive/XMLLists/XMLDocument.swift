internal import CofferBasics

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
        let bytes = bytes.span
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x80 {
                guard byte >= 0x20 || byte.isBlank else { throw XMLFault(.forbiddenCharacter, at: offset) }
                offset += 1
                continue
            }
            guard let (scalar, byteCount) = bytes.scalar(at: offset) else { throw XMLFault(.invalidUTF8, at: offset) }
            guard scalar.isXMLCharacter else { throw XMLFault(.forbiddenCharacter, at: offset) }
            offset += byteCount
        }
    }
}
