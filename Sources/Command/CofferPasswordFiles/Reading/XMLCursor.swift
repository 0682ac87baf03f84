internal import CofferBasics

/// A position in the tags of an XML document.
struct XMLCursor {
    var offset: Int

    /// The range of the name at this position; empty if there is none.
    mutating func name(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = offset
        while offset < bytes.count, bytes[offset].isXMLNameByte { offset += 1 }
        return start..<offset
    }

    /// The next attribute of a tag; nil, at the same position, if something else follows.
    mutating func attribute(_ bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        skipBlanks(bytes)
        var next = self
        guard let attribute = next.readAttribute(bytes) else { return nil }
        self = next
        return attribute
    }

    private mutating func readAttribute(_ bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        let name = name(bytes)
        skipBlanks(bytes)
        guard !name.isEmpty, take("=", bytes) else { return nil }
        skipBlanks(bytes)
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
            return nil
        }
        let quote = bytes[offset]
        let start = offset + 1
        offset = start
        while offset < bytes.count, bytes[offset] != quote, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
        guard offset < bytes.count, bytes[offset] == quote else { return nil }
        offset += 1
        return (name, start..<offset - 1)
    }

    mutating func take(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard isAt(text, bytes) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    func isAt(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        text.withUTF8Buffer { bytes.has($0, at: offset) }
    }

    /// Skips everything up to and including `text`; false if it does not follow.
    mutating func skip(through text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        while offset < bytes.count {
            if take(text, bytes) { return true }
            offset += 1
        }
        return false
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
    }
}

/// The text of XML elements and attributes.
enum XMLText {
    /// The text that `source`, which was checked, stands for: without comments, with line ends of LF.
    static func decoded(_ source: Span<UInt8>) -> HeldSecret {
        HeldSecret(capacity: source.count) { output in
            var cursor = XMLCursor(offset: 0)
            while cursor.offset < source.count {
                if cursor.take("<![CDATA[", source) {
                    let start = cursor.offset
                    _ = cursor.skip(through: "]]>", source)
                    for index in start..<max(start, cursor.offset - 3) { append(source, index, to: &output) }
                } else if cursor.isAt("<!--", source) {
                    _ = cursor.skip(through: "-->", source)
                } else if cursor.isAt("<?", source) {
                    _ = cursor.skip(through: "?>", source)
                } else if let (scalar, byteCount) = reference(source, at: cursor.offset) {
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
                    cursor.offset += byteCount
                } else {
                    append(source, cursor.offset, to: &output)
                    cursor.offset += 1
                }
            }
        }
    }

    /// Appends a byte; CRLF and CR become LF (XML 1.0, section 2.11).
    private static func append(_ source: Span<UInt8>, _ index: Int, to output: inout OutputSpan<UInt8>) {
        guard source[index] == 0x0D else { return output.append(source[index]) }
        if index + 1 == source.count || source[index + 1] != 0x0A { output.append(0x0A) }
    }

    /// The character that a reference at `offset` stands for, and the length of the reference; nil if it is none.
    static func reference(_ bytes: Span<UInt8>, at offset: Int) -> (scalar: Unicode.Scalar, byteCount: Int)? {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "&") else { return nil }
        // The longest is `&#1114111;`; a bound keeps a text of many ampersands linear.
        let end = (offset..<min(bytes.count, offset + 16)).first { bytes[$0] == UInt8(ascii: ";") }
        guard let end else { return nil }
        let name = bytes.extracting(offset + 1..<end).text
        let scalar: Unicode.Scalar?
        switch name {
        case _ where name.hasPrefix("#x"): scalar = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where name.hasPrefix("#"): scalar = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: scalar = Unicode.Scalar(xmlEntity: name)
        }
        return scalar.map { ($0, end + 1 - offset) }
    }
}
