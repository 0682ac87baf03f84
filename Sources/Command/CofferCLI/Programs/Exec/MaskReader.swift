internal import CofferBasics

/// A common form in which programs write bytes.
enum MaskForm: CaseIterable {
    case plain
    /// As in URLs: `%F6`.
    case percentSigns
    /// As in JSON, Python and shells: `\u00f6`, `\n`, `\xf6`, `\366`, `\$`.
    case backslashes
    case base64
    case hexadecimal

    /// Searches for secrets in this form.
    func searches(for secrets: [MaskedSecret]) -> MaskSearches {
        switch self {
        case .plain, .percentSigns, .backslashes: MaskSearches(secrets.map { MaskSearch($0.text) })
        case .base64:
            MaskSearches(
                secrets.flatMap(\.packed).map { MaskSearch($0, symbolsPerUnit: 3, leastSymbolCountAtLineEnd: 6) }
            )
        case .hexadecimal:
            MaskSearches(
                secrets.flatMap(\.packed).map { MaskSearch($0, symbolsPerUnit: 2, leastSymbolCountAtLineEnd: 4) }
            )
        }
    }
}

/// Reads a stream of bytes in one form and looks for secrets.
struct MaskReader {
    private let form: MaskForm
    private var searches: MaskSearches
    /// The offset of the escape being read, or of the first half of a surrogate pair.
    private var escapeStart = 0
    /// How many bytes of the escape have been read; 0 outside escapes.
    private var escapeByteCount = 0
    /// Whether it is a percent escape.
    private var isPercentEscape = false
    /// How many digits the escape has: 2 or 4 hexadecimal, or 3 octal.
    private var digitCount = 0
    private var value: UInt32 = 0
    /// The first half of a surrogate pair, or 0.
    private var highSurrogate: UInt32 = 0
    /// Whether only spaces and tabs followed the last line end.
    private var isIndentation = false
    private var isDigitBefore = false

    init(_ form: MaskForm, for secrets: [MaskedSecret]) {
        self.form = form
        searches = form.searches(for: secrets)
    }

    /// Takes the next byte; returns the range to hide if it completes a secret.
    mutating func take(_ byte: UInt8, at offset: Int) -> Range<Int>? {
        searches.begin()
        switch form {
        case .plain: takeUnescaped(byte, from: offset, to: offset)
        case .percentSigns: takePercent(byte, at: offset)
        case .backslashes: takeBackslash(byte, at: offset)
        // In JSON and URLs, base64 letters can be escaped themselves.
        case .base64 where escapeByteCount > 0 ? isPercentEscape : byte == UInt8(ascii: "%"):
            takePercent(byte, at: offset)
        case .base64: takeBackslash(byte, at: offset)
        case .hexadecimal: takeHexadecimal(byte, at: offset)
        }
        return searches.found
    }

    /// Discards any partial match.
    mutating func end() {
        searches.stop()
        (escapeByteCount, highSurrogate) = (0, 0)
    }

    /// The start of the bytes that may still turn out to belong to a secret, if there are any.
    func heldStart(at offset: Int) -> Int? {
        let held = searches.heldStart(at: offset)
        guard escapeByteCount > 0 || highSurrogate > 0 else { return held }
        return min(held ?? unitStart, unitStart)
    }

    /// The first byte of an escape to hide; the character that introduces it reveals nothing about the secret.
    private var unitStart: Int { form == .hexadecimal ? escapeStart : escapeStart + 1 }

    private mutating func beginEscape(at offset: Int, isPercent: Bool = false) {
        escapeByteCount = 1
        isPercentEscape = isPercent
        (digitCount, value) = (0, 0)
        if highSurrogate == 0 { escapeStart = offset }
    }

    /// Drops an invalid escape.
    private mutating func dropEscape() {
        (escapeByteCount, highSurrogate) = (0, 0)
        searches.stop()
    }

    private mutating func takePercent(_ byte: UInt8, at offset: Int) {
        if escapeByteCount > 0 {
            if let digit = byte.hexadecimalValue {
                value = value << 4 | UInt32(digit)
                escapeByteCount += 1
                guard escapeByteCount == 3 else { return }
                escapeByteCount = 0
                return takeUnescaped(UInt8(value), from: unitStart, to: offset)
            }
            dropEscape()
        }
        if byte == UInt8(ascii: "%") { return beginEscape(at: offset, isPercent: true) }
        takeUnescaped(byte, from: offset, to: offset)
    }

    private mutating func takeBackslash(_ byte: UInt8, at offset: Int) {
        let backslash = UInt8(ascii: "\\")
        if highSurrogate > 0 {
            // The other half must follow immediately.
            let isExpected: Bool =
                switch escapeByteCount {
                case 0: byte == backslash
                case 1: byte == UInt8(ascii: "u")
                default: true
                }
            if !isExpected {
                let isEscape = escapeByteCount > 0
                dropEscape()
                if isEscape { beginEscape(at: offset - 1) }
            }
        }
        switch escapeByteCount {
        case 0 where byte == backslash: beginEscape(at: offset)
        case 0: takeUnescaped(byte, from: offset, to: offset)
        case 1: takeEscaped(byte, at: offset)
        default:
            let isOctal = digitCount == 3
            guard let digit = byte.hexadecimalValue, !isOctal || digit < 8 else {
                dropEscape()
                return takeBackslash(byte, at: offset)
            }
            value = value << (isOctal ? 3 : 4) | UInt32(digit)
            escapeByteCount += 1
            if escapeByteCount == digitCount + 2 { endEscape(at: offset) }
        }
    }

    /// Takes the byte after a backslash.
    private mutating func takeEscaped(_ byte: UInt8, at offset: Int) {
        let meaning: UInt8
        switch byte {
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            digitCount = byte == UInt8(ascii: "u") ? 4 : 2
            escapeByteCount = 2
            return
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            digitCount = 3
            value = UInt32(byte - UInt8(ascii: "0"))
            // Counted as if a letter preceded the first digit.
            escapeByteCount = 3
            return
        case UInt8(ascii: "a"): meaning = 7
        case UInt8(ascii: "b"): meaning = 8
        case UInt8(ascii: "t"): meaning = 9
        case UInt8(ascii: "n"): meaning = 10
        case UInt8(ascii: "v"): meaning = 11
        case UInt8(ascii: "f"): meaning = 12
        case UInt8(ascii: "r"): meaning = 13
        case UInt8(ascii: "e"), UInt8(ascii: "E"): meaning = 27
        // Shells put a backslash before each character that is special to them.
        case 0x20..<0x7F where !byte.isLetterOrDigit: meaning = byte
        default:
            dropEscape()
            return takeBackslash(byte, at: offset)
        }
        escapeByteCount = 0
        takeUnescaped(meaning, from: unitStart, to: offset)
    }

    /// Takes the bytes that the complete escape stands for.
    private mutating func endEscape(at offset: Int) {
        escapeByteCount = 0
        guard digitCount == 4 else { return takeUnescaped(UInt8(value), from: unitStart, to: offset) }
        if highSurrogate == 0, 0xD800...0xDBFF ~= value {
            highSurrogate = value
            return
        }
        if highSurrogate > 0, 0xDC00...0xDFFF ~= value {
            value = 0x10000 + ((highSurrogate - 0xD800) << 10 | (value & 0x3FF))
        }
        highSurrogate = 0
        guard let scalar = Unicode.Scalar(value) else { return searches.stop() }
        for byte in scalar.utf8 { takeUnescaped(byte, from: unitStart, to: offset) }
    }

    /// Takes a byte of text or base64 that extends from `start` to `offset`.
    private mutating func takeUnescaped(_ byte: UInt8, from start: Int, to offset: Int) {
        guard form == .base64 else { return searches.take(byte.replacingPlus, from: start, to: offset) }
        if let bits = Base64.bits(ofEither: byte) {
            isIndentation = false
            return searches.take(bits, from: start, to: offset)
        }
        let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        guard isLineEnd || isIndentation && byte.isBlankInLine else {
            isIndentation = false
            return searches.stop()
        }
        isIndentation = true
        searches.pass(isLineEnd: isLineEnd, at: offset)
    }

    private mutating func takeHexadecimal(_ byte: UInt8, at offset: Int) {
        if escapeByteCount > 0 {
            escapeByteCount = 0
            // The zero of a prefix `0x`.
            if byte | 0x20 == UInt8(ascii: "x") { return searches.pass(isLineEnd: false, at: offset) }
            searches.take(0, from: escapeStart, to: offset - 1)
        }
        let digit = byte.hexadecimalValue
        defer { isDigitBefore = digit != nil }
        if let digit {
            if digit == 0, !isDigitBefore { return beginEscape(at: offset) }
            return searches.take(digit, from: offset, to: offset)
        }
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): searches.pass(isLineEnd: true, at: offset)
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","):
            searches.pass(isLineEnd: false, at: offset)
        default: searches.stop()
        }
    }
}
