/// One attribute of a tag or of the XML declaration.
struct XMLAttribute {
    var name: ArraySlice<UInt8>
    var value: [UInt8]
}

extension XMLScanner {
    // Property lists have at most three attributes. The bound keeps the search for duplicates linear.
    private static let attributeCountLimit = 16

    /// Reads attributes and white space until something else follows; errors name `element`.
    mutating func readAttributes(of element: @autoclosure () -> String) throws(XMLFault) -> [XMLAttribute] {
        var attributes: [XMLAttribute] = []
        while true {
            let isSeparated = skipWhiteSpace()
            let start = offset
            let name = readName()
            if name.isEmpty { return attributes }
            guard attributes.count < XMLScanner.attributeCountLimit else {
                throw XMLFault(.tooManyAttributes(element()), at: start)
            }
            guard isSeparated, let value = try readAttributeValue() else {
                throw XMLFault(.malformedAttribute(element()), at: start)
            }
            guard !attributes.contains(where: { $0.name == name }) else {
                throw XMLFault(.duplicateAttribute(element()), at: start)
            }
            attributes.append(XMLAttribute(name: name, value: value))
        }
    }

    /// Reads `="value"`, or returns `nil` if something else is here.
    private mutating func readAttributeValue() throws(XMLFault) -> [UInt8]? {
        skipWhiteSpace()
        guard skip("=") else { return nil }
        skipWhiteSpace()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        offset += 1
        var value = XMLElementText()
        while let byte = peek, byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                try readReference(into: &value)
                continue
            }
            offset += 1
            if byte == quote { return value.bytes }
            value.append(document.bytes[offset - 1..<offset])
        }
        return nil
    }
}
