extension PropertyList {
    /// Reads an XML property list, as `plutil -convert xml1` and Foundation write it.
    ///
    /// The input is UTF-8. What could make a document mean different things to different readers is refused:
    /// entities and other markup declarations, repeated keys, base64 with stray bits, dates that do not exist.
    /// A dictionary with the one key `CF$UID` and an integer of 32 bits is read as a `uid`.
    ///
    /// ```swift
    /// let text = "<plist version=\"1.0\"><array><integer>3</integer><true/></array></plist>"
    /// let list = try PropertyList(xml: Array(text.utf8))  // [3, true]
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The document, with or without a byte-order mark.
    ///   - limits: What to accept; keys do not count as values.
    /// - Throws: What is wrong, with the line on which it stands.
    public init(xml bytes: [UInt8], limits: DecodingLimits = .standard) throws(XMLPropertyListError) {
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        self = try reader.readPropertyList()
    }

    /// Reads an XML property list, and tells on which lines its values are, for who finds fault with them.
    package static func readingLines(
        xml bytes: [UInt8],
        limits: DecodingLimits = .standard
    ) throws(XMLPropertyListError) -> (list: PropertyList, lines: XMLLines) {
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        reader.starts = XMLStarts()
        let list = try reader.readPropertyList()
        return (list, XMLLines(reader.starts ?? XMLStarts(), in: reader.scanner.document))
    }
}

/// Turns the elements of one document into values.
struct XMLPropertyListReader {
    var scanner: XMLScanner
    /// The innermost key whose value is being read.
    ///
    /// It stays when an error is thrown, to be reported.
    private(set) var key: String?
    /// Where values begin, if that is to be noted.
    var starts: XMLStarts?
    private let limits: DecodingLimits
    private var nodeCount = 0

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(XMLPropertyListError) {
        guard bytes.count <= limits.byteCount else {
            throw XMLPropertyListError(kind: .tooLarge(limit: limits.byteCount), line: nil, key: nil)
        }
        scanner = XMLScanner(XMLDocument(bytes))
        self.limits = limits
    }

    /// Reads the whole document, and tells on which line it is wrong.
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

    /// Reads the one value in `<plist>`.
    private mutating func readContent(of root: XMLTag) throws(XMLFault) -> PropertyList {
        guard let child = try readChild(of: root) else { throw XMLFault(.noValue, at: root.offset) }
        let value = try readValue(child, in: root, depth: 1)
        if let second = try readChild(of: root) { throw XMLFault(.severalValues, at: second.offset) }
        return value
    }

    /// Reads the start tag of the next element in `parent`, or the end tag of `parent` and returns `nil`.
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
    /// This and what reads containers is all that recurses: `depth` bounds the stack, and what is only done
    /// once for a value stands elsewhere, to keep its variables off it.
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
        case .true, .false: return .bool(try readTruth(tag))
        }
    }

    /// Checks that a value may start with `tag`, and counts it.
    private mutating func admit(_ tag: XMLTag, in parent: XMLTag?, depth: Int) throws(XMLFault) -> XMLElement {
        guard case .value(let element) = tag.name else { throw intruderFault(tag, in: parent) }
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
            guard case .value(let element) = tag.name else { throw intruderFault(tag, in: dictionary) }
            throw XMLFault(.valueWithoutKey(element.rawValue), at: tag.offset)
        }
        guard !tag.hasAttributes else { throw XMLFault(.unexpectedAttribute(tag.name.text), at: tag.offset) }
        return try scanner.readText(of: tag).string
    }

    /// The fault of an element that is no value.
    private func intruderFault(_ tag: XMLTag, in parent: XMLTag?) -> XMLFault {
        if case .unknown(let name) = tag.name { return XMLFault(.unknownElement(name), at: tag.offset) }
        return XMLFault(.misplacedElement(tag.name.text, in: parent?.name.text), at: tag.offset)
    }

    /// The fault of the first key that already stood before it.
    private mutating func repeatedKeyFault(_ keys: [String], _ offsets: [Int]) -> XMLFault {
        var seen: Set<[UInt8]> = []
        let repeated = zip(keys, offsets).first { !seen.insert(Array($0.0.utf8)).inserted }
        key = repeated?.0
        return XMLFault(.duplicateKey, at: repeated?.1 ?? scanner.offset)
    }
}

extension CanonicalDictionary<String, PropertyList> {
    /// The number of the `uid` that this dictionary is the XML form of, if it is one.
    var uidInXML: UInt32? {
        guard count == 1, let number = self["CF$UID"]?.integer else { return nil }
        return UInt32(exactly: number)
    }
}
