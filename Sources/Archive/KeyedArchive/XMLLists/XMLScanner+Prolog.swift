internal import CofferBasics

extension XMLScanner {
    /// Reads everything allowed before the root element: declaration, document type, comments, instructions.
    mutating func readProlog() throws(XMLFault) {
        try readDeclaration()
        try skipMiscellaneous()
        if try readDocumentType() { try skipMiscellaneous() }
    }

    // XML 1.0, section 2.8 (`XMLDecl`).
    private mutating func readDeclaration() throws(XMLFault) {
        guard skip("<?"), readName().elementsEqual("xml".utf8) else {
            // An instruction such as `<?xml-stylesheet` is not a declaration.
            offset = 0
            return
        }
        let attributes: [XMLAttribute]
        do { attributes = try readAttributes(of: "?xml") } catch { throw XMLFault(.malformedDeclaration, at: 0) }
        // Attribute values may contain references, but a declaration has none.
        guard skip("?>"), !document.bytes[..<offset].contains(UInt8(ascii: "&")) else {
            throw XMLFault(.malformedDeclaration, at: 0)
        }
        let names = attributes.map { String(shortenedForReport: $0.name) }
        guard names.first == "version", names == ["version", "encoding", "standalone"].filter(names.contains) else {
            throw XMLFault(.malformedDeclaration, at: 0)
        }
        for (name, attribute) in zip(names, attributes) {
            try check(String(decoding: attribute.value, as: UTF8.self), ofDeclared: name)
        }
    }

    private func check(_ value: String, ofDeclared name: String) throws(XMLFault) {
        switch (name, name == "encoding" ? value.lowercased() : value) {
        case ("version", "1.0"), ("encoding", "utf-8"), ("standalone", "yes"), ("standalone", "no"): break
        case ("encoding", "us-ascii"):
            guard let other = document.bytes.firstIndex(where: { $0 >= 0x80 }) else { break }
            throw XMLFault(.notASCII, at: other)
        case ("version", _): throw XMLFault(.unsupportedXMLVersion, at: 0)
        case ("encoding", _): throw XMLFault(.unsupportedEncoding, at: 0)
        default: throw XMLFault(.malformedDeclaration, at: 0)
        }
    }

    // XML 1.0, section 2.8 (`doctypedecl`). The document type it refers to is never fetched.
    private mutating func readDocumentType() throws(XMLFault) -> Bool {
        let start = offset
        guard skip("<!DOCTYPE") else { return false }
        let isSeparated = skipWhiteSpace()
        let name = String(shortenedForReport: readName())
        guard isSeparated, !name.isEmpty else { throw XMLFault(.malformedDocumentType, at: start) }
        guard name == "plist" else { throw XMLFault(.wrongDocumentType(name), at: start) }
        if skipWhiteSpace() { try readExternalIdentifier(from: start) }
        skipWhiteSpace()
        guard !isAt("[") else { throw XMLFault(.internalSubset, at: offset) }
        guard skip(">") else { throw XMLFault(.malformedDocumentType, at: start) }
        return true
    }

    private mutating func readExternalIdentifier(from start: Int) throws(XMLFault) {
        let isPublic = skip("PUBLIC")
        guard isPublic || skip("SYSTEM") else { return }
        if isPublic {
            let identifier = readLiteral()
            guard let identifier, identifier.allSatisfy(\.isPublicIdentifierByte) else {
                throw XMLFault(.malformedDocumentType, at: start)
            }
        }
        guard readLiteral() != nil else { throw XMLFault(.malformedDocumentType, at: start) }
    }

    /// Reads white space and the quoted text after it.
    private mutating func readLiteral() -> ArraySlice<UInt8>? {
        let isSeparated = skipWhiteSpace()
        let start = offset + 1
        guard isSeparated, skip("\"") ? skip(through: "\"") : skip("'") && skip(through: "'") else { return nil }
        return document.bytes[start..<offset - 1]
    }
}

extension UInt8 {
    // XML 1.0, section 2.3 (`PubidChar`).
    fileprivate var isPublicIdentifierByte: Bool {
        isLetterOrDigit || " \n-'()+,./:=?;!*#@$_%".utf8.contains(self)
    }
}
