/// Why a text is not valid base64.
public enum Base64Error: Error, Equatable, Sendable {
    /// A character that is not in the alphabet, white space or padding.
    case unexpectedCharacter
    /// The number of characters, not counting white space, is not a multiple of four.
    case incomplete
    /// An `=` anywhere but in the last one or two positions.
    case misplacedPadding
    /// The leftover bits before padding are not zero, so the same bytes would have two texts.
    case nonZeroPaddingBits
}

extension Base64Error: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .unexpectedCharacter: "invalid character"
        case .incomplete: "the number of characters is not a multiple of four"
        case .misplacedPadding: "\"=\" is allowed only at the end"
        case .nonZeroPaddingBits: "the bits before the padding are not zero"
        }
    }
}

/// Base64 of RFC 4648, section 4: padded, with exactly one text for given bytes, not counting white space.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Returns the text of `bytes`, on one line.
    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
            let byteCount = min(3, bytes.endIndex - start)
            var bits: UInt32 = 0
            for place in 0..<3 {
                bits = bits << 8 | (place < byteCount ? UInt32(bytes[start + place]) : 0)
            }
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place)) & 0x3F
                text.append(place <= byteCount ? alphabet[digit] : padding)
            }
        }
        return text
    }

    /// A base64 error and the index of the invalid byte in the text.
    struct Fault: Error, Equatable {
        var error: Base64Error
        var index: Int
    }

    /// Returns the bytes of `text`, which may contain white space anywhere.
    static func decode(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var place = 0
        var paddingCount = 0
        for (index, character) in text.enumerated() where !character.isXMLWhiteSpace {
            guard let digit = digit(of: character) else { throw Fault(error: .unexpectedCharacter, index: index) }
            paddingCount += character == padding ? 1 : 0
            // Padding takes the third and fourth position of a group, and nothing follows it.
            guard paddingCount == 0 || (character == padding && place >= 2) else {
                throw Fault(error: .misplacedPadding, index: index)
            }
            bits = bits << 6 | digit
            place += 1
            guard place == 4 else { continue }
            guard bits & (1 << UInt32(8 * paddingCount) - 1) == 0 else {
                throw Fault(error: .nonZeroPaddingBits, index: index)
            }
            for byte in 0..<3 - paddingCount {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * byte)))
            }
            (bits, place) = (0, 0)
        }
        guard place == 0 else { throw Fault(error: .incomplete, index: max(0, text.count - 1)) }
        return bytes
    }

    /// Returns the six bits that `character` stands for; padding stands for zeros.
    private static func digit(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        case padding: 0
        default: nil
        }
    }
}
