internal import CofferBasics

/// The text of an element, with references resolved, and the offsets in the document that its bytes come from.
struct XMLElementText {
    private(set) var bytes: [UInt8] = []
    private var runs: [(index: Int, offset: Int)] = []

    /// Appends `run`, a slice of the document.
    mutating func append(_ run: ArraySlice<UInt8>) {
        append(run, from: run.startIndex)
    }

    /// Appends the bytes `new`, which the reference at `offset` stands for.
    mutating func append(_ new: some Collection<UInt8>, from offset: Int) {
        guard !new.isEmpty else { return }
        // A run that continues the last one needs no entry of its own.
        if runs.last.map({ $0.offset + bytes.count - $0.index }) != offset {
            runs.append((index: bytes.count, offset: offset))
        }
        bytes.append(contentsOf: new)
    }

    /// Returns the offset in the document of the byte at `index`, or `nil` if there is no text.
    func offset(of index: Int) -> Int? {
        runs.last { $0.index <= index }.map { $0.offset + index - $0.index }
    }

    /// The text as a string.
    ///
    /// It is valid UTF-8, since the document is and resolved references are.
    var string: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension XMLScanner {
    /// Reads the text of `element`, which cannot contain other elements, and its end tag.
    mutating func readText(of element: XMLTag) throws(XMLFault) -> XMLElementText {
        var text = XMLElementText()
        if element.isEmpty { return text }
        while let byte = try readRun(into: &text) {
            if byte == UInt8(ascii: "&") {
                try readReference(into: &text)
            } else if isAt("</") {
                try readTextEnd(of: element)
                return text
            } else if isAt("<![CDATA[") {
                try readCharacterData(into: &text)
            } else if try !skipCommentOrInstruction() {
                // What follows is not reported: if a "<" was not escaped, it is part of the value.
                throw XMLFault(.unescapedLessThan(in: element.name.text), at: offset)
            }
        }
        throw XMLFault(.unclosedElement(element.name.text), at: element.offset)
    }

    /// Reads the end tag at this position, at `</`, which must be that of `element`.
    ///
    /// A different name is reported only if it is that of a known element: if a "<" was not escaped, it is part of the
    /// value.
    private mutating func readTextEnd(of element: XMLTag) throws(XMLFault) {
        let start = offset
        let name = try readEndTag()
        guard name != element.name else { return }
        if case .unknown = name { throw XMLFault(.unescapedLessThan(in: element.name.text), at: start) }
        offset = start
        try readEndTag(of: element)
    }

    /// Reads text up to the next `<` or `&` and returns that byte, or `nil` at the end of the document.
    private mutating func readRun(into text: inout XMLElementText) throws(XMLFault) -> UInt8? {
        let start = offset
        defer { text.append(document.bytes[start..<offset]) }
        while let byte = peek {
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return byte }
            if byte == UInt8(ascii: "]"), isAt("]]>") { throw XMLFault(.strayCharacterDataEnd, at: offset) }
            offset += 1
        }
        return nil
    }

    private mutating func readCharacterData(into text: inout XMLElementText) throws(XMLFault) {
        let start = offset
        _ = skip("<![CDATA[")
        let contentStart = offset
        guard skip(through: "]]>") else { throw XMLFault(.unclosedCharacterData, at: start) }
        text.append(document.bytes[contentStart..<offset - 3])
    }
}

// MARK: - References

extension XMLScanner {
    /// Reads the reference at this position, at an `&`.
    mutating func readReference(into text: inout XMLElementText) throws(XMLFault) {
        let start = offset
        offset += 1
        let scalar = skip("#") ? try readCharacterReference(from: start) : try readEntity(from: start)
        guard skip(";") else { throw XMLFault(.malformedReference, at: start) }
        text.append(scalar.utf8, from: start)
    }

    private mutating func readEntity(from start: Int) throws(XMLFault) -> Unicode.Scalar {
        let name = readName()
        guard !name.isEmpty, peek == UInt8(ascii: ";") else { throw XMLFault(.malformedReference, at: start) }
        // The name is not reported: if an "&" was not escaped, it is part of the value.
        guard let scalar = Unicode.Scalar(xmlEntity: String(shortenedForReport: name)) else {
            throw XMLFault(.undefinedEntity, at: start)
        }
        return scalar
    }

    private mutating func readCharacterReference(from start: Int) throws(XMLFault) -> Unicode.Scalar {
        let radix: UInt32 = skip("x") ? 16 : 10
        let digitsStart = offset
        var value: UInt32 = 0
        while let byte = peek, let digit = byte.hexadecimalValue, digit < radix {
            // Any number of digits may follow, so the value saturates at the first one that is not a character.
            value = min(value * radix + UInt32(digit), 0x11_0000)
            offset += 1
        }
        guard offset > digitsStart, peek == UInt8(ascii: ";") else {
            throw XMLFault(.malformedReference, at: start)
        }
        guard let scalar = Unicode.Scalar(value), scalar.isXMLCharacter else {
            throw XMLFault(.forbiddenCharacter, at: start)
        }
        return scalar
    }
}
