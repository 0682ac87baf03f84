extension PropertyList {
    /// Reads an XML property list, as `plutil -convert xml1` and Foundation write it.
    ///
    /// The input is UTF-8. Anything that different readers could interpret differently is rejected: entities and other
    /// markup declarations, repeated keys, base64 with stray bits, dates that do not exist. A dictionary whose only key
    /// is `CF$UID`, with a 32-bit integer, is read as a `uid`.
    ///
    /// ```swift
    /// let text = "<plist version=\"1.0\"><array><integer>3</integer><true/></array></plist>"
    /// let list = try PropertyList(xml: Array(text.utf8))  // [3, true]
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The document, with or without a byte-order mark.
    ///   - limits: The limits on size, depth and number of values; keys do not count as values.
    /// - Throws: `XMLPropertyListError`, with the line of the error.
    public init(xml bytes: [UInt8], limits: DecodingLimits = .standard) throws(XMLPropertyListError) {
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        self = try reader.readPropertyList()
    }

    /// Reads an XML property list together with the line numbers of its values, for messages about them.
    package static func readingLines(
        xml bytes: [UInt8],
        limits: DecodingLimits = .standard
    ) throws(XMLPropertyListError) -> (list: PropertyList, lines: XMLLines) {
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        reader.starts = XMLValueOffsets()
        let list = try reader.readPropertyList()
        return (list, XMLLines(reader.starts ?? XMLValueOffsets(), in: reader.scanner.document))
    }
}

/// Turns the elements of one document into values.
struct XMLPropertyListReader {
    var scanner: XMLScanner
    /// The innermost key whose value is being read.
    ///
    /// It is kept when an error is thrown, so that it can be reported.
    private(set) var key: String?
    /// The offsets at which values begin, if they are to be recorded.
    var starts: XMLValueOffsets?
    private let limits: DecodingLimits
    private var nodeCount = 0

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(XMLPropertyListError) {
        guard bytes.count <= limits.byteCount else {
            throw XMLPropertyListError(kind: .tooLarge(limit: limits.byteCount), line: nil, key: nil)
        }
        scanner = XMLScanner(XMLDocument(bytes))
        self.limits = limits
    }

    /// Reads the whole document; an error has the line on which it occurs.
    mutating func readPropertyList() throws(XMLPropertyListError) -> PropertyList {
        do throws(XMLFault) {
            return try readDocument()
        } catch {
            throw XMLPropertyListError(kind: error.kind, line: scanner.document.line(at: error.offset), key: key)
        }
    }

    private mutating func readDocument() throws(XMLFault) -> PropertyList {
        try scanner.document.checkCharacters()
        try scanner.readProlog()
        let root = try readRootTag()
        let value = root.name == .plist ? try readContent(of: root) : try readValue(root, in: nil, depth: 1)
        try scanner.skipMiscellaneous()
        let end = scanner.offset
        guard let byte = scanner.peek else { return value }
        guard byte == UInt8(ascii: "<") else { throw XMLFault(.textOutsideRoot, at: end) }
        if scanner.isAt("</") { throw XMLFault(.strayEndTag(try scanner.readEndTag().text), at: end) }
        _ = try scanner.readStartTag()
        throw XMLFault(.elementAfterRoot, at: end)
    }

    private mutating func readRootTag() throws(XMLFault) -> XMLTag {
        let start = scanner.offset
        guard let byte = scanner.peek else { throw XMLFault(.noValue, at: start) }
        guard byte == UInt8(ascii: "<") else { throw XMLFault(.textOutsideRoot, at: start) }
        if scanner.isAt("</") { throw XMLFault(.strayEndTag(try scanner.readEndTag().text), at: start) }
        return try scanner.readStartTag()
    }

    /// Reads the single value in `<plist>`.
    private mutating func readContent(of root: XMLTag) throws(XMLFault) -> PropertyList {
        guard let child = try readChild(of: root) else { throw XMLFault(.noValue, at: root.offset) }
        let value = try readValue(child, in: root, depth: 1)
        if let second = try readChild(of: root) { throw XMLFault(.severalValues, at: second.offset) }
        return value
    }

    /// Reads the start tag of the next element in `parent`, or reads the end tag of `parent` and returns `nil`.
    private mutating func readChild(of parent: XMLTag) throws(XMLFault) -> XMLTag? {
        if parent.isEmpty { return nil }
        try scanner.skipMiscellaneous()
        guard let byte = scanner.peek else { throw XMLFault(.unclosedElement(parent.name.text), at: parent.offset) }
        guard byte == UInt8(ascii: "<"), !scanner.isAt("<![CDATA[") else {
            throw XMLFault(.unexpectedText(in: parent.name.text), at: scanner.offset)
        }
        if scanner.isAt("</") {
            try scanner.readEndTag(of: parent)
            return nil
        }
        return try scanner.readStartTag()
    }
}

// MARK: - Values

extension XMLPropertyListReader {
    /// Reads the value that `tag` starts, in the element `parent`.
    ///
    /// Only this function and those that read containers recurse: `depth` bounds the stack, and the code for scalars is
    /// in other functions, to keep its variables off the recursive stack.
    private mutating func readValue(
        _ tag: XMLTag,
        in parent: XMLTag?,
        depth: Int
    ) throws(XMLFault) -> PropertyList {
        switch try admit(tag, in: parent, depth: depth) {
        case .array: return try readArray(tag, depth: depth)
        case .dict: return try readDictionary(tag, depth: depth)
        case .string: return .string(try scanner.readText(of: tag).string)
        case .integer: return .integer(try readInteger(tag))
        case .real: return .real(try readReal(tag))
        case .date: return .date(secondsSinceReferenceDate: try readDate(tag))
        case .data: return .data(try readData(tag))
        case .true, .false: return .bool(try readBoolean(tag))
        }
    }

    /// Checks that a value may start with `tag`, and counts it.
    private mutating func admit(_ tag: XMLTag, in parent: XMLTag?, depth: Int) throws(XMLFault) -> XMLElement {
        guard case .value(let element) = tag.name else { throw invalidElementFault(tag, in: parent) }
        guard !tag.hasAttributes else { throw XMLFault(.unexpectedAttribute(tag.name.text), at: tag.offset) }
        guard depth <= limits.depth else { throw XMLFault(.tooDeep(limit: limits.depth), at: tag.offset) }
        nodeCount += 1
        guard nodeCount <= limits.nodeCount else {
            throw XMLFault(.tooManyValues(limit: limits.nodeCount), at: tag.offset)
        }
        starts?.note(tag, in: parent, key: key, depth: depth)
        return element
    }

    private mutating func readArray(_ tag: XMLTag, depth: Int) throws(XMLFault) -> PropertyList {
        var elements: [PropertyList] = []
        while let child = try readChild(of: tag) {
            elements.append(try readValue(child, in: tag, depth: depth + 1))
        }
        return .array(elements)
    }

    private mutating func readDictionary(_ tag: XMLTag, depth: Int) throws(XMLFault) -> PropertyList {
        let outerKey = key
        var entries: [(key: String, value: PropertyList)] = []
        var keyOffsets: [Int] = []
        while let child = try readChild(of: tag) {
            let entryKey = try readKey(child, in: tag)
            key = entryKey
            guard let valueTag = try readChild(of: tag), valueTag.name != .key else {
                throw XMLFault(.keyWithoutValue, at: child.offset)
            }
            entries.append((entryKey, try readValue(valueTag, in: tag, depth: depth + 1)))
            keyOffsets.append(child.offset)
            key = outerKey
        }
        return try dictionary(of: entries, keyOffsets: keyOffsets)
    }

    private mutating func dictionary(
        of entries: [(key: String, value: PropertyList)],
        keyOffsets: [Int]
    ) throws(XMLFault) -> PropertyList {
        guard let dictionary = CanonicalDictionary(entries) else {
            throw repeatedKeyFault(entries.map(\.key), keyOffsets)
        }
        return dictionary.uidInXML.map(PropertyList.uid) ?? .dictionary(dictionary)
    }

    private mutating func readKey(_ tag: XMLTag, in dictionary: XMLTag) throws(XMLFault) -> String {
        guard tag.name == .key else {
            guard case .value(let element) = tag.name else { throw invalidElementFault(tag, in: dictionary) }
            throw XMLFault(.valueWithoutKey(element.rawValue), at: tag.offset)
        }
        guard !tag.hasAttributes else { throw XMLFault(.unexpectedAttribute(tag.name.text), at: tag.offset) }
        return try scanner.readText(of: tag).string
    }

    /// Returns the fault for an element that is not a value.
    private func invalidElementFault(_ tag: XMLTag, in parent: XMLTag?) -> XMLFault {
        if case .unknown(let name) = tag.name { return XMLFault(.unknownElement(name), at: tag.offset) }
        return XMLFault(.misplacedElement(tag.name.text, in: parent?.name.text), at: tag.offset)
    }

    /// Returns the fault for the first repeated key.
    private mutating func repeatedKeyFault(_ keys: [String], _ offsets: [Int]) -> XMLFault {
        var seen: Set<[UInt8]> = []
        let repeated = zip(keys, offsets).first { !seen.insert(Array($0.0.utf8)).inserted }
        key = repeated?.0
        return XMLFault(.duplicateKey, at: repeated?.1 ?? scanner.offset)
    }
}

extension CanonicalDictionary<String, PropertyList> {
    /// The number of the `uid` that this dictionary represents in XML, if it does.
    var uidInXML: UInt32? {
        guard count == 1, let number = self["CF$UID"]?.integer else { return nil }
        return UInt32(exactly: number)
    }
}
