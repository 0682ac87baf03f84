internal import CofferBasics

extension PropertyList {
    /// Returns this value as an XML property list; equal values always give the same bytes.
    ///
    /// The bytes are those of Python's `plistlib.dumps(value, sort_keys=True)`, with two exceptions. A carriage return
    /// is written as `&#13;`, so that it survives, and a `uid` as a dictionary whose only key is `CF$UID`. Dates are
    /// rounded down to whole seconds, as Apple's writer does, and a NaN loses its sign and payload; everything else
    /// reads back equal.
    ///
    /// ```swift
    /// let list: PropertyList = ["attempts": 3]
    /// let bytes = try list.xmlEncoded()
    /// ```
    ///
    /// - Parameter limits: The limits on depth and size; a reader with the same limits accepts the result. A `uid`
    ///   counts as the dictionary that represents it.
    /// - Returns: The document, in UTF-8.
    /// - Throws: `XMLPropertyListError`, without a line, if XML cannot represent the value: null, sets, control
    ///   characters, dates outside the years 1 to 9999, and a dictionary that would be read back as a `uid`.
    public func xmlEncoded(limits: DecodingLimits = .standard) throws(XMLPropertyListError) -> [UInt8] {
        var writer = XMLPropertyListWriter(limits: limits)
        try writer.writeDocument(self)
        return writer.output
    }
}

/// Writes values as the elements of one document.
struct XMLPropertyListWriter {
    private(set) var output: [UInt8] = []
    private let limits: DecodingLimits
    private var nodeCount = 0
    /// The innermost key whose value is being written.
    private var key: String?

    init(limits: DecodingLimits) {
        self.limits = limits
    }

    /// Writes the whole document.
    mutating func writeDocument(_ value: PropertyList) throws(XMLPropertyListError) {
        writeLine("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", level: 0)
        writeLine(
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
                + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
            level: 0
        )
        writeLine("<plist version=\"1.0\">", level: 0)
        try write(value, level: 0)
        writeLine("</plist>", level: 0)
        try checkSize()
    }

    /// Writes `value`, which is nested in `level` containers.
    private mutating func write(_ value: PropertyList, level: Int) throws(XMLPropertyListError) {
        try countNode(level: level)
        switch value.shape {
        case .array(let elements): try writeArray(elements, level: level)
        case .set: throw error(.setNotRepresentable)
        case .dictionary(let entries):
            if entries.uidInXML != nil { throw error(.uidLookalike) }
            try writeDictionary(entries, level: level)
        case .scalar(let scalar): try write(scalar, level: level)
        }
    }

    // Separate from the containers, so that nesting does not use stack for all of this.
    private mutating func write(_ scalar: Scalar, level: Int) throws(XMLPropertyListError) {
        switch scalar {
        case .null: throw error(.nullNotRepresentable)
        case .bool(let isTrue): writeLine(isTrue ? "<true/>" : "<false/>", level: level)
        case .integer(let number): writeLine("<integer>\(number)</integer>", level: level)
        case .real(let number): writeLine("<real>\(number.xmlText)</real>", level: level)
        case .string(let string): try writeText(string, in: "string", level: level)
        case .data(let bytes): try writeData(bytes, level: level)
        case .uid(let number): try writeDictionary(["CF$UID": .integer(Int128(number))], level: level)
        case .date(let seconds):
            guard let date = CalendarDate(secondsSinceReferenceDate: seconds) else {
                throw error(.dateNotRepresentable)
            }
            writeLine("<date>\(date.text())Z</date>", level: level)
        }
    }

    private mutating func countNode(level: Int) throws(XMLPropertyListError) {
        guard level < limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        nodeCount += 1
        guard nodeCount <= limits.nodeCount else { throw error(.tooManyValues(limit: limits.nodeCount)) }
        try checkSize()
    }

    /// Checks that `byteCount` more bytes are within the limit, before memory is allocated for them.
    private func checkSize(adding byteCount: Int = 0) throws(XMLPropertyListError) {
        guard output.count + byteCount <= limits.byteCount else { throw error(.tooLarge(limit: limits.byteCount)) }
    }

    private func error(_ kind: XMLPropertyListError.Kind) -> XMLPropertyListError {
        XMLPropertyListError(kind: kind, line: nil, key: key)
    }
}

// MARK: - Containers

extension XMLPropertyListWriter {
    private mutating func writeArray(_ elements: [PropertyList], level: Int) throws(XMLPropertyListError) {
        guard !elements.isEmpty else { return writeLine("<array/>", level: level) }
        writeLine("<array>", level: level)
        for element in elements {
            try write(element, level: level + 1)
        }
        writeLine("</array>", level: level)
    }

    private mutating func writeDictionary(
        _ entries: CanonicalDictionary<String, PropertyList>,
        level: Int
    ) throws(XMLPropertyListError) {
        guard !entries.isEmpty else { return writeLine("<dict/>", level: level) }
        writeLine("<dict>", level: level)
        let outerKey = key
        for entry in entries {
            key = entry.key
            try writeText(entry.key, in: "key", level: level + 1)
            try write(entry.value, level: level + 1)
        }
        key = outerKey
        writeLine("</dict>", level: level)
    }
}

// MARK: - Lines

extension XMLPropertyListWriter {
    private mutating func writeLine(_ text: String, level: Int) {
        writeLine(Array(text.utf8), level: level)
    }

    private mutating func writeLine(_ text: [UInt8], level: Int) {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: level))
        output.append(contentsOf: text)
        output.append(UInt8(ascii: "\n"))
    }

    private mutating func writeText(
        _ text: String,
        in element: String,
        level: Int
    ) throws(XMLPropertyListError) {
        try checkSize(adding: text.utf8.count)
        guard text.unicodeScalars.allSatisfy(\.isXMLCharacter) else { throw error(.forbiddenCharacter) }
        var line = Array("<\(element)>".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): line.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): line.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): line.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\r"): line.append(contentsOf: "&#13;".utf8)
            default: line.append(byte)
            }
        }
        line.append(contentsOf: "</\(element)>".utf8)
        writeLine(line, level: level)
    }

    private mutating func writeData(_ bytes: [UInt8], level: Int) throws(XMLPropertyListError) {
        try checkSize(adding: bytes.count)
        writeLine("<data>", level: level)
        // Lines fit in 76 columns, counting a tab as eight, as long as that leaves room for 16 characters.
        let characterCount = max(16, 76 - 8 * level)
        let byteCount = characterCount / 4 * 3
        for start in stride(from: 0, to: bytes.count, by: byteCount) {
            var line: [UInt8] = []
            line.reserveCapacity(characterCount)
            Base64.append(bytes.span.extracting(start..<min(start + byteCount, bytes.count)), to: &line)
            writeLine(line, level: level)
        }
        writeLine("</data>", level: level)
    }
}

extension CalendarDate {
    /// Makes the date `seconds` after 2001-01-01 00:00:00, rounded down to whole seconds as Apple's writer does.
    ///
    /// Returns `nil` outside the years 1 to 9999, or if `seconds` is not finite.
    fileprivate init?(secondsSinceReferenceDate seconds: Double) {
        guard abs(seconds) < 0x1p40 else { return nil }
        self.init(secondsSince1970: Int(seconds.rounded(.down)) + Self.referenceDate)
        guard (1...9999).contains(year) else { return nil }
    }
}
