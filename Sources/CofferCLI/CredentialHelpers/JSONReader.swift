package import CofferBasics

/// An error in JSON input.
package enum JSONFailure: Error, Equatable {
    /// Invalid text at an offset, with a description.
    case unexpected(offset: Int, String)
    /// Objects and arrays are nested too deeply.
    case tooDeep(offset: Int)
    /// An object has a key twice.
    case duplicate(offset: Int)
    /// The value of a key is not a string.
    case notText(key: String)

    /// The error in words, without any part of the input, which may be secret.
    package var description: String {
        switch self {
        case .unexpected(let offset, let what): "invalid JSON at byte \(offset): \(what)"
        case .tooDeep(let offset): "invalid JSON at byte \(offset): nested too deeply"
        case .duplicate(let offset): "invalid JSON at byte \(offset): duplicate key"
        case .notText(let key): "invalid JSON: \(key) is not a string"
        }
    }
}

/// Reads a JSON object whose values may be secrets, without copying them into Swift strings.
package struct JSONReader: ~Copyable {
    /// How deeply objects and arrays may be nested.
    static let depthLimit = 64

    /// A key, and what is left of its path in the object being read.
    private typealias Wanted = (key: String, path: ArraySlice<Substring>)

    /// The keys whose values need not be strings.
    private let literals: [String]
    private var offset = 0
    /// The ranges of the wanted values; those of strings are without quotes.
    private var ranges: [String: Range<Int>] = [:]

    private init(literals: [String]) {
        self.literals = literals
    }

    /// Finds the string values of `keys` in an object; keys that are missing or null are left out.
    ///
    /// - Parameters:
    ///   - keys: The keys; `a.b` is the key `b` of the object that is the value of `a`.
    ///   - literals: Those of them whose values can be anything, and are returned as they are written.
    ///   - bytes: The object, with nothing after it.
    /// - Returns: The strings by key.
    /// - Throws: `JSONFailure` if the JSON is invalid.
    package static func texts(
        of keys: [String],
        literals: [String] = [],
        in bytes: Span<UInt8>
    ) throws(JSONFailure) -> [String: HeldSecret] {
        guard bytes.isText else { throw .unexpected(offset: 0, "not UTF-8") }
        var reader = JSONReader(literals: literals)
        reader.skipBlanks(bytes)
        guard reader.peek(bytes) == UInt8(ascii: "{") else { throw reader.unexpected("expected an object") }
        try reader.object(bytes, depth: 1, wanted: keys.map { ($0, $0.split(separator: ".")[...]) })
        reader.skipBlanks(bytes)
        guard reader.offset == bytes.count else { throw reader.unexpected("expected the end of the input") }
        var texts: [String: HeldSecret] = [:]
        for (key, range) in reader.ranges { texts[key] = decoded(bytes.extracting(range)) }
        return texts
    }

    // MARK: - Values

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONFailure) {
        switch peek(bytes) {
        case UInt8(ascii: "{"): try object(bytes, depth: depth + 1, wanted: [])
        case UInt8(ascii: "["): try array(bytes, depth: depth + 1)
        case UInt8(ascii: "\""): _ = try text(bytes)
        case UInt8(ascii: "t"): try word("true", bytes)
        case UInt8(ascii: "f"): try word("false", bytes)
        case UInt8(ascii: "n"): try word("null", bytes)
        default: try number(bytes)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int, wanted: [Wanted]) throws(JSONFailure) {
        guard depth <= Self.depthLimit else { throw .tooDeep(offset: offset) }
        offset += 1
        skipBlanks(bytes)
        guard !take("}", bytes) else { return }
        // Keys are not secret.
        var keys: Set<[UInt8]> = []
        repeat {
            skipBlanks(bytes)
            let start = offset
            guard peek(bytes) == UInt8(ascii: "\"") else { throw unexpected("expected a key") }
            let key = Self.decoded(bytes.extracting(try text(bytes)))
            let name = key.bytes.withSpan { key in key.indices.map { key[$0] } }
            guard keys.insert(name).inserted else { throw .duplicate(offset: start) }
            skipBlanks(bytes)
            guard take(":", bytes) else { throw unexpected("expected a colon after the key") }
            skipBlanks(bytes)
            let matching = wanted.filter { $0.path.first.map { name.elementsEqual($0.utf8) } ?? false }
            if let key = matching.first(where: { $0.path.count == 1 })?.key {
                try member(key, bytes, depth: depth)
            } else if !matching.isEmpty, peek(bytes) == UInt8(ascii: "{") {
                try object(bytes, depth: depth + 1, wanted: matching.map { ($0.key, $0.path.dropFirst()) })
            } else {
                try value(bytes, depth: depth)
            }
            skipBlanks(bytes)
        } while take(",", bytes)
        guard take("}", bytes) else { throw unexpected("expected a comma or the end of the object") }
    }

    private mutating func member(_ key: String, _ bytes: Span<UInt8>, depth: Int) throws(JSONFailure) {
        let start = offset
        switch peek(bytes) {
        case UInt8(ascii: "\""): ranges[key] = try text(bytes)
        case UInt8(ascii: "n"): try word("null", bytes)
        default:
            try value(bytes, depth: depth)
            guard literals.contains(key) else { throw .notText(key: key) }
            ranges[key] = start..<offset
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONFailure) {
        guard depth <= Self.depthLimit else { throw .tooDeep(offset: offset) }
        offset += 1
        skipBlanks(bytes)
        guard !take("]", bytes) else { return }
        repeat {
            skipBlanks(bytes)
            try value(bytes, depth: depth)
            skipBlanks(bytes)
        } while take(",", bytes)
        guard take("]", bytes) else { throw unexpected("expected a comma or the end of the array") }
    }

    private mutating func word(_ word: String, _ bytes: Span<UInt8>) throws(JSONFailure) {
        for byte in word.utf8 {
            guard peek(bytes) == byte else { throw unexpected("expected a value") }
            offset += 1
        }
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONFailure) {
        _ = take("-", bytes)
        if !take("0", bytes) { try digits(bytes) }
        if take(".", bytes) { try digits(bytes) }
        guard take("e", bytes) || take("E", bytes) else { return }
        _ = take("+", bytes) || take("-", bytes)
        try digits(bytes)
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONFailure) {
        let start = offset
        while let byte = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset > start else { throw unexpected("expected a value") }
    }

    // MARK: - Texts

    /// The range of a valid string, without quotes.
    private mutating func text(_ bytes: Span<UInt8>) throws(JSONFailure) -> Range<Int> {
        offset += 1
        let start = offset
        while let byte = peek(bytes) {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return start..<(offset - 1)
            case UInt8(ascii: "\\"): try escape(bytes)
            case ..<0x20: throw unexpected("unescaped control character")
            default: offset += 1
            }
        }
        throw unexpected("unterminated string")
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONFailure) {
        let start = offset
        offset += 1
        guard let letter = peek(bytes) else { throw unexpected("unterminated string") }
        offset += 1
        guard letter == UInt8(ascii: "u") else {
            guard Self.escaped(letter) != nil else { throw .unexpected(offset: start, "invalid escape sequence") }
            return
        }
        let unit = try unit(bytes)
        switch unit {
        case 0xD800...0xDBFF:
            guard take("\\", bytes), take("u", bytes), (0xDC00...0xDFFF).contains(try self.unit(bytes)) else {
                throw .unexpected(offset: start, "incomplete surrogate pair")
            }
        case 0xDC00...0xDFFF: throw .unexpected(offset: start, "incomplete surrogate pair")
        default: break
        }
    }

    private mutating func unit(_ bytes: Span<UInt8>) throws(JSONFailure) -> UInt32 {
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

    /// The bytes of a string whose escapes are valid.
    private static func decoded(_ text: Span<UInt8>) -> HeldSecret {
        let result = SecretBuilder()
        var index = 0
        func unit(at index: Int) -> UInt32 {
            (index..<min(index + 4, text.count)).reduce(0) { $0 << 4 | UInt32(text[$1].hexadecimalValue ?? 0) }
        }
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                result.append(text[index])
                index += 1
                continue
            }
            guard text[index + 1] == UInt8(ascii: "u") else {
                result.append(escaped(text[index + 1]) ?? text[index + 1])
                index += 2
                continue
            }
            var code = unit(at: index + 2)
            index += 6
            if (0xD800...0xDBFF).contains(code) {
                code = 0x10000 + ((code & 0x3FF) << 10 | unit(at: index + 2) & 0x3FF)
                index += 6
            }
            guard let scalar = Unicode.Scalar(code) else { continue }
            result.append(String(scalar).utf8)
        }
        return result.held
    }

    // MARK: - Bytes

    private func peek(_ bytes: Span<UInt8>) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ character: Character, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == character.asciiValue else { return false }
        offset += 1
        return true
    }

    private mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while let byte = peek(bytes), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private func unexpected(_ what: String) -> JSONFailure { .unexpected(offset: offset, what) }
}
