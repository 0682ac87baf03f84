package import CofferBasics

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
