internal import CofferBasics

/// Reads the markup of an XML document: tags, comments and processing instructions.
///
/// Text is in `XMLScanner+Text.swift`; whatever may precede the root element is in `XMLScanner+Prolog.swift`.
struct XMLScanner {
    let document: XMLDocument
    var offset = 0

    init(_ document: XMLDocument) {
        self.document = document
    }

    /// The byte at the current offset; `nil` at the end.
    var peek: UInt8? {
        offset < document.bytes.count ? document.bytes[offset] : nil
    }

    /// Whether the bytes at the current offset are `text`.
    @inline(__always) func isAt(_ text: String) -> Bool {
        var position = offset
        for byte in text.utf8 {
            guard position < document.bytes.count, document.bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }

    /// Skips `text` if it is at the current offset.
    @inline(__always) mutating func skip(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        offset += text.utf8.count
        return true
    }

    /// Skips everything up to and including `text`; at the end of the document, returns `false`.
    mutating func skip(through text: String) -> Bool {
        while offset < document.bytes.count {
            if skip(text) { return true }
            offset += 1
        }
        return false
    }

    /// Skips white space and returns whether there was any.
    @discardableResult mutating func skipWhiteSpace() -> Bool {
        let start = offset
        while let byte = peek, byte.isBlank { offset += 1 }
        return offset > start
    }

    /// Reads the name at the current offset; the result is empty if no name is there.
    ///
    /// Only ASCII names are supported, since property lists use no others.
    mutating func readName() -> ArraySlice<UInt8> {
        let start = offset
        guard let first = peek, first.isXMLNameStart else { return [] }
        repeat { offset += 1 } while peek?.isXMLNameByte ?? false
        return document.bytes[start..<offset]
    }
}

// MARK: - Comments and processing instructions

extension XMLScanner {
    /// Skips white space, comments and processing instructions.
    mutating func skipMiscellaneous() throws(XMLFault) {
        repeat { skipWhiteSpace() } while try skipCommentOrInstruction()
    }

    /// Skips a comment or a processing instruction if one starts here.
    mutating func skipCommentOrInstruction() throws(XMLFault) -> Bool {
        let start = offset
        // Nearly always there is a tag here; the byte after the `<` shows this.
        guard start + 1 < document.bytes.count, document.bytes[start] == UInt8(ascii: "<"),
            document.bytes[start + 1] == UInt8(ascii: "!") || document.bytes[start + 1] == UInt8(ascii: "?")
        else { return false }
        if skip("<!--") {
            guard skip(through: "--") else { throw XMLFault(.unclosedComment, at: start) }
            guard skip(">") else { throw XMLFault(.malformedComment, at: offset - 2) }
            return true
        }
        guard skip("<?") else { return false }
        let target = readName()
        guard !target.isEmpty else { throw XMLFault(.malformedInstruction, at: start) }
        guard String(shortenedForReport: target).lowercased() != "xml" else {
            throw XMLFault(.misplacedDeclaration, at: start)
        }
        guard isAt("?>") || skipWhiteSpace() else {
            throw XMLFault(peek == nil ? .unclosedInstruction : .malformedInstruction, at: start)
        }
        guard skip(through: "?>") else { throw XMLFault(.unclosedInstruction, at: start) }
        return true
    }
}

// MARK: - Tags

/// A start tag, or the tag of an empty element.
struct XMLTag {
    var name: XMLName
    /// Whether the element ends here, as `<true/>` does.
    var isEmpty: Bool
    var hasAttributes: Bool
    var offset: Int
}

extension XMLScanner {
    /// Reads the start tag at this position, at a `<`.
    mutating func readStartTag() throws(XMLFault) -> XMLTag {
        let start = offset
        guard !skip("<!") else {
            throw XMLFault(isAt("DOCTYPE") ? .misplacedDocumentType : .markupDeclaration, at: start)
        }
        offset += 1
        let bytes = readName()
        guard !bytes.isEmpty else { throw XMLFault(.malformedTag, at: start) }
        let name = XMLName(bytes)
        let attributes = try readAttributes(of: name.text)
        let isEmpty = skip("/>")
        guard isEmpty || skip(">") else { throw XMLFault(.malformedTag, at: start) }
        return XMLTag(name: name, isEmpty: isEmpty, hasAttributes: !attributes.isEmpty, offset: start)
    }

    /// Reads the end tag at this position, at `</`, which must be that of `open`.
    mutating func readEndTag(of open: XMLTag) throws(XMLFault) {
        let start = offset
        let name = try readEndTag()
        guard name == open.name else {
            let openLine = document.line(at: open.offset)
            throw XMLFault(.mismatchedEndTag(found: name.text, open: open.name.text, openLine: openLine), at: start)
        }
    }

    /// Reads the end tag at this position, at `</`, and returns its name.
    mutating func readEndTag() throws(XMLFault) -> XMLName {
        let start = offset
        offset += 2
        let bytes = readName()
        skipWhiteSpace()
        guard !bytes.isEmpty, skip(">") else { throw XMLFault(.malformedTag, at: start) }
        return XMLName(bytes)
    }
}
