internal import CofferBasics

/// Checks an XML document and notes where its elements are.
struct XMLParser: ~Copyable {
    private var cursor: XMLCursor
    private(set) var nodes: [XMLTree.Node] = []
    /// The elements around the position, with the ranges of their names.
    private var open: [(index: Int, name: Range<Int>)] = []

    init(offset: Int) {
        cursor = XMLCursor(offset: offset)
    }

    /// Reads the whole document.
    mutating func parse(_ bytes: Span<UInt8>) throws {
        // An element of a program's file takes some 40 bytes; more than that grows in steps.
        nodes.reserveCapacity(min(bytes.count / 40 + 1, XMLTree.nodeCountLimit))
        try readMiscellaneous(bytes)
        guard cursor.isAt("<", bytes) else { throw unexpected("expected an element") }
        try readStartTag(bytes)
        while !open.isEmpty {
            guard cursor.offset < bytes.count else { throw unexpected("an element has no end") }
            try readContent(bytes)
        }
        try readMiscellaneous(bytes)
        guard cursor.offset == bytes.count else { throw unexpected("expected the end of the file") }
    }

    private mutating func readContent(_ bytes: Span<UInt8>) throws {
        switch bytes[cursor.offset] {
        case UInt8(ascii: "<"):
            if cursor.isAt("</", bytes) { return try readEndTag(bytes) }
            if cursor.take("<![CDATA[", bytes) {
                guard cursor.skip(through: "]]>", bytes) else { throw unexpected("a CDATA section has no end") }
            } else if try !skipMarkup(bytes) {
                try readStartTag(bytes)
            }
        case UInt8(ascii: "&"): try readReference(bytes)
        case 0: throw unexpected("NUL character")
        default: cursor.offset += 1
        }
    }

    // MARK: - Around elements

    /// Skips white space, comments and instructions, among them the XML declaration.
    private mutating func readMiscellaneous(_ bytes: Span<UInt8>) throws {
        repeat { cursor.skipBlanks(bytes) } while try skipMarkup(bytes)
    }

    /// Skips a comment or an instruction, if there is one.
    private mutating func skipMarkup(_ bytes: Span<UInt8>) throws -> Bool {
        if cursor.take("<!--", bytes) {
            guard cursor.skip(through: "-->", bytes) else { throw unexpected("a comment has no end") }
            return true
        }
        if cursor.take("<?", bytes) {
            guard cursor.skip(through: "?>", bytes) else { throw unexpected("an instruction has no end") }
            return true
        }
        guard !cursor.isAt("<!", bytes) else { throw unexpected("document types and declarations are not supported") }
        return false
    }

    private mutating func readReference(_ bytes: Span<UInt8>) throws {
        guard let (scalar, byteCount) = XMLText.reference(bytes, at: cursor.offset), scalar != "\0" else {
            throw unexpected("not one of the five entities, nor a character")
        }
        cursor.offset += byteCount
    }

    // MARK: - Tags

    private mutating func readStartTag(_ bytes: Span<UInt8>) throws {
        guard open.count < XMLTree.depthLimit else {
            throw PasswordFileError.tooLarge("byte \(cursor.offset): more than \(XMLTree.depthLimit) levels")
        }
        guard nodes.count < XMLTree.nodeCountLimit else {
            throw PasswordFileError.tooLarge("byte \(cursor.offset): more than \(XMLTree.nodeCountLimit) elements")
        }
        let start = cursor.offset
        cursor.offset += 1
        let name = cursor.name(bytes)
        guard !name.isEmpty else {
            throw PasswordFileError.invalid("byte \(start): expected the name of an element, in ASCII")
        }
        while let attribute = cursor.attribute(bytes) { try check(bytes, attribute.value) }
        let isEmpty = cursor.take("/", bytes)
        guard cursor.take(">", bytes) else { throw PasswordFileError.invalid("byte \(start): malformed tag") }
        let content = UInt32(cursor.offset)
        let next = UInt32(nodes.count + 1)
        nodes.append(
            XMLTree.Node(start: UInt32(name.lowerBound), contentStart: content, contentEnd: content, next: next)
        )
        if !isEmpty { open.append((nodes.count - 1, name)) }
    }

    /// Checks the references in the value of an attribute.
    private mutating func check(_ bytes: Span<UInt8>, _ value: Range<Int>) throws {
        for offset in value where bytes[offset] == UInt8(ascii: "&") {
            guard XMLText.reference(bytes, at: offset) != nil else {
                throw PasswordFileError.invalid("byte \(offset): not one of the five entities, nor a character")
            }
        }
    }

    private mutating func readEndTag(_ bytes: Span<UInt8>) throws {
        let start = cursor.offset
        cursor.offset += 2
        let name = cursor.name(bytes)
        cursor.skipBlanks(bytes)
        guard let element = open.popLast(), cursor.take(">", bytes),
            bytes.extracting(name).hasSameBytes(as: bytes.extracting(element.name))
        else { throw PasswordFileError.invalid("byte \(start): an end tag does not match its start tag") }
        nodes[element.index].contentEnd = UInt32(start)
        nodes[element.index].next = UInt32(nodes.count)
    }

    private func unexpected(_ what: String) -> PasswordFileError { .invalid("byte \(cursor.offset): \(what)") }
}
