/// Base64 (RFC 4648), letter by letter: for secrets, of which no copies may be left.
package enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// The six bits of a letter; nil if it is not one.
    @inlinable package static func bits(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// The six bits of a letter of either alphabet, that of section 4 or that for URLs; nil if it is not one.
    package static func bits(ofEither letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: bits(of: letter)
        }
    }

    /// Calls `body` with each letter for `bytes`, and with the padding.
    package static func forEach<Failure: Error>(
        of bytes: Span<UInt8>,
        _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        let (letters, padding) = (letters, UInt8(ascii: "="))
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = bytes.count - start
            let group =
                Int(bytes[start]) << 16 | (count > 1 ? Int(bytes[start + 1]) << 8 : 0)
                | (count > 2 ? Int(bytes[start + 2]) : 0)
            try body(letters[group >> 18])
            try body(letters[group >> 12 & 63])
            try body(count > 1 ? letters[group >> 6 & 63] : padding)
            try body(count > 2 ? letters[group & 63] : padding)
        }
    }

    /// Appends the letters for `bytes`, and the padding.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        forEach(of: bytes) { text.append($0) }
    }

    /// Why a text is not strictly base64, and the index of the invalid byte.
    package struct Fault: Error, Equatable {
        package enum Kind { case unexpectedCharacter, incomplete, misplacedPadding, nonZeroPaddingBits }
        package let kind: Kind
        package let index: Int

        init(_ kind: Kind, at index: Int) {
            self.kind = kind
            self.index = index
        }
    }

    /// The bytes of padded text, which is the only one for them, not counting white space: it may be anywhere.
    ///
    /// - Parameter text: The text, in the alphabet of section 4.
    /// - Returns: The bytes, which have never moved, since they may be secret.
    /// - Throws: `Fault`; what was decoded until then is wiped.
    package static func decoded(_ text: Span<UInt8>) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, place, paddingCount): (UInt32, Int, Int) = (0, 0, 0)
        var fault: Fault?
        var next = 0
        while next < text.count {
            if place == 0, paddingCount == 0, let group = group(of: text, at: next) {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                next += 4
                continue
            }
            let (index, letter) = (next, text[next])
            next += 1
            if letter.isBlank { continue }
            let isPadding = letter == UInt8(ascii: "=")
            guard let digit = isPadding ? 0 : Self.bits(of: letter) else {
                fault = Fault(.unexpectedCharacter, at: index)
                break
            }
            paddingCount += isPadding ? 1 : 0
            // Padding takes the third and fourth position of a group, and nothing follows it.
            guard paddingCount == 0 || isPadding && place >= 2 else {
                fault = Fault(.misplacedPadding, at: index)
                break
            }
            bits = bits << 6 | UInt32(digit)
            place += 1
            guard place == 4 else { continue }
            guard bits & (1 << UInt32(8 * paddingCount) - 1) == 0 else {
                fault = Fault(.nonZeroPaddingBits, at: index)
                break
            }
            for byte in 0..<3 - paddingCount {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * byte)))
            }
            (bits, place) = (0, 0)
        }
        if fault == nil, place > 0 { fault = Fault(.incomplete, at: text.count - 1) }
        guard let fault else { return bytes }
        bytes.wipe()
        throw fault
    }

    /// The 24 bits of the four bytes at `index` if each is a letter, as nearly all of a text is.
    private static func group(of text: Span<UInt8>, at index: Int) -> UInt32? {
        guard text.count - index >= 4, let first = bits(of: text[index]), let second = bits(of: text[index + 1]),
            let third = bits(of: text[index + 2]), let fourth = bits(of: text[index + 3])
        else { return nil }
        return UInt32(first) << 18 | UInt32(second) << 12 | UInt32(third) << 6 | UInt32(fourth)
    }
}
