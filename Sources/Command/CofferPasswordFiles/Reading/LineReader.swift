package import CofferBasics

/// Reads the lines of a text one by one.
struct LineReader {
    /// The number of the last line that was read, from 1.
    private(set) var number = 0
    /// Where the next line begins.
    private(set) var offset: Int

    init(offset: Int = 0) {
        self.offset = offset
    }

    /// The next line without its end, LF or CRLF; nil after the last one.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard offset < bytes.count else { return nil }
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        let hasReturn = offset > start && offset < bytes.count && bytes[offset - 1] == UInt8(ascii: "\r")
        let end = hasReturn ? offset - 1 : offset
        offset += 1
        number += 1
        return start..<end
    }

    /// The line that `next` would return.
    func peek(_ bytes: Span<UInt8>) -> Range<Int>? {
        var copy = self
        return copy.next(bytes)
    }
}

/// Text in double quotes, in which backslashes escape.
enum BackslashEscapes {
    private static let escapes = [
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
        UInt8(ascii: "t"): UInt8(ascii: "\t"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "$"): UInt8(ascii: "$"),
    ]

    /// The text that `text`, which is without its quotes, stands for.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsUnknown: Whether a backslash before any other character stands for itself; otherwise it is left out.
    /// - Returns: The text without escapes.
    static func decoded(_ text: Span<UInt8>, keepsUnknown: Bool) -> HeldSecret {
        HeldSecret(capacity: text.count) { output in
            var index = 0
            while index < text.count {
                guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                    output.append(text[index])
                    index += 1
                    continue
                }
                if let escaped = escapes[text[index + 1]] {
                    output.append(escaped)
                } else {
                    if keepsUnknown { output.append(text[index]) }
                    output.append(text[index + 1])
                }
                index += 2
            }
        }
    }
}

/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The bytes that encoded text stands for; a `%` without two digits after it stands for itself.
    ///
    /// - Parameters:
    ///   - text: The encoded text.
    ///   - isPlusBlank: Whether a `+` stands for a blank, as it does in the queries of web addresses.
    /// - Returns: The bytes, which may be any.
    package static func decoded(_ text: Span<UInt8>, isPlusBlank: Bool = false) -> HeldSecret {
        HeldSecret(capacity: text.count) { output in
            var index = 0
            while index < text.count {
                if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                    let high = text[index + 1].hexadecimalValue, let low = text[index + 2].hexadecimalValue
                {
                    output.append(high << 4 | low)
                    index += 3
                } else {
                    let isBlank = isPlusBlank && text[index] == UInt8(ascii: "+")
                    output.append(isBlank ? UInt8(ascii: " ") : text[index])
                    index += 1
                }
            }
        }
    }

    /// The text with all but unreserved characters encoded, except those of `allowed`.
    package static func encoded(_ text: String, allowing allowed: String = "") -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Unicode.Scalar(byte)
            let isPlain = byte.isUnreserved || byte < 0x80 && allowed.unicodeScalars.contains(character)
            encoded += isPlain ? String(character) : "%" + [byte].hexDigits.uppercased()
        }
    }
}

extension UInt8 {
    // RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool { isLetterOrDigit || "-._~".utf8.contains(self) }
}
