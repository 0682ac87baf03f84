/// Checks a JSON document and notes where its values are.
struct JSONParser: ~Copyable {
    private var offset: Int
    private(set) var nodes: [JSONTree.Node] = []

    init(offset: Int) {
        self.offset = offset
    }

    /// Reads the whole document.
    mutating func parse(_ bytes: Span<UInt8>) throws(TextError) {
        // Files of programs have some 20 bytes for each node; more than that grows in steps.
        nodes.reserveCapacity(min(bytes.count / 20 + 1, JSONTree.nodeCountLimit))
        skipBlanks(bytes)
        try value(bytes, depth: 0)
        skipBlanks(bytes)
        guard offset == bytes.count else { throw unexpected("expected the end of the file") }
    }

    // MARK: - Values

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(TextError) {
        switch peek(bytes) {
        case UInt8(ascii: "{"): try object(bytes, depth: depth + 1)
        case UInt8(ascii: "["): try array(bytes, depth: depth + 1)
        case UInt8(ascii: "\""): try text(bytes, as: .string)
        case UInt8(ascii: "t"): try word("true", as: .bool, bytes)
        case UInt8(ascii: "f"): try word("false", as: .bool, bytes)
        case UInt8(ascii: "n"): try word("null", as: .null, bytes)
        default: try number(bytes)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(TextError) {
        let index = try begin(.object, depth: depth)
        defer { end(index) }
        skipBlanks(bytes)
        guard !take("}", bytes) else { return }
        repeat {
            skipBlanks(bytes)
            guard peek(bytes) == UInt8(ascii: "\"") else { throw unexpected("expected a key") }
            try text(bytes, as: .key)
            skipBlanks(bytes)
            guard take(":", bytes) else { throw unexpected("expected a colon after the key") }
            skipBlanks(bytes)
            try value(bytes, depth: depth)
            skipBlanks(bytes)
        } while take(",", bytes)
        guard take("}", bytes) else { throw unexpected("expected a comma or the end of the object") }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(TextError) {
        let index = try begin(.array, depth: depth)
        defer { end(index) }
        skipBlanks(bytes)
        guard !take("]", bytes) else { return }
        repeat {
            skipBlanks(bytes)
            try value(bytes, depth: depth)
            skipBlanks(bytes)
        } while take(",", bytes)
        guard take("]", bytes) else { throw unexpected("expected a comma or the end of the array") }
    }

    private mutating func word(_ word: StaticString, as kind: JSONNode.Kind, _ bytes: Span<UInt8>)
        throws(TextError)
    {
        let start = offset
        let isWord = word.withUTF8Buffer { unsafe bytes.has($0, at: start) }
        guard isWord else { throw unexpected("expected a value") }
        offset += word.utf8CodeUnitCount
        try note(kind, from: start, to: offset)
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(TextError) {
        let start = offset
        take("-", bytes)
        if !take("0", bytes) { try digits(bytes) }
        if take(".", bytes) { try digits(bytes) }
        if take("e", bytes) || take("E", bytes) {
            if !take("+", bytes) { take("-", bytes) }
            try digits(bytes)
        }
        try note(.number, from: start, to: offset)
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(TextError) {
        let start = offset
        while let byte = peek(bytes), byte.isDigit { offset += 1 }
        guard offset > start else { throw unexpected("expected a value") }
    }

    // MARK: - Strings

    private mutating func text(_ bytes: Span<UInt8>, as kind: JSONNode.Kind) throws(TextError) {
        offset += 1
        let start = offset
        var hasEscapes = false
        while let byte = peek(bytes) {
            switch byte {
            case UInt8(ascii: "\""):
                try note(kind, from: start, to: offset, hasEscapes: hasEscapes)
                offset += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape(bytes)
            case ..<0x20: throw unexpected("control character in a string")
            default: offset += 1
            }
        }
        throw unexpected("unterminated string")
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(TextError) {
        let start = offset
        offset += 1
        guard let letter = peek(bytes) else { throw unexpected("unterminated string") }
        offset += 1
        guard letter == UInt8(ascii: "u") else {
            guard Self.escaped(letter) != nil else { throw .invalid("byte \(start): invalid escape sequence") }
            return
        }
        switch try unit(bytes) {
        case 0xD800...0xDBFF:
            guard take("\\", bytes), take("u", bytes) else { break }
            guard case 0xDC00...0xDFFF = try unit(bytes) else { break }
            return
        case 0xDC00...0xDFFF: break
        default: return
        }
        throw .invalid("byte \(start): incomplete surrogate pair")
    }

    private mutating func unit(_ bytes: Span<UInt8>) throws(TextError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek(bytes)?.hexadecimalValue else {
                throw unexpected("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }

    private static func escaped(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Writes a string whose escape sequences were checked; it never becomes longer.
    static func decode(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        func unit(at index: Int) -> UInt32 {
            (index..<index + 4).reduce(0) { $0 << 4 | UInt32(text[$1].hexadecimalValue ?? 0) }
        }
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                output.append(text[index])
                index += 1
                continue
            }
            guard text[index + 1] == UInt8(ascii: "u") else {
                output.append(escaped(text[index + 1]) ?? text[index + 1])
                index += 2
                continue
            }
            var code = unit(at: index + 2)
            index += 6
            if (0xD800...0xDBFF).contains(code) {
                code = 0x10000 + ((code & 0x3FF) << 10 | unit(at: index + 2) & 0x3FF)
                index += 6
            }
            for byte in Unicode.Scalar(code).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter {
                output.append(byte)
            }
        }
    }

    // MARK: - Nodes and bytes

    private mutating func begin(_ kind: JSONNode.Kind, depth: Int) throws(TextError) -> Int {
        guard depth <= JSONTree.depthLimit else {
            throw .tooLarge("byte \(offset): more than \(JSONTree.depthLimit) levels")
        }
        try note(kind, from: offset, to: offset)
        offset += 1
        return nodes.count - 1
    }

    private mutating func end(_ index: Int) {
        nodes[index].end = UInt32(offset)
        nodes[index].next = UInt32(nodes.count)
    }

    private mutating func note(_ kind: JSONNode.Kind, from start: Int, to end: Int, hasEscapes: Bool = false)
        throws(TextError)
    {
        guard nodes.count < JSONTree.nodeCountLimit else {
            throw .tooLarge("byte \(start): more than \(JSONTree.nodeCountLimit) values")
        }
        nodes.append(
            JSONTree.Node(
                start: UInt32(start),
                end: UInt32(end),
                next: UInt32(nodes.count + 1),
                kind: kind,
                hasEscapes: hasEscapes
            )
        )
    }

    private func peek(_ bytes: Span<UInt8>) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    @discardableResult
    private mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while let byte = peek(bytes), byte.isBlank { offset += 1 }
    }

    private func unexpected(_ what: String) -> TextError { .invalid("byte \(offset): \(what)") }
}
