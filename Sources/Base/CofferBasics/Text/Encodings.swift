/// Texts that stand for bytes, decoded into wiped memory.
package enum Encodings {
    /// The bytes of base64 text, in the alphabet of RFC 4648, section 4 or 5, with or without padding.
    ///
    /// White space is skipped. Bits that are left over are ignored. Nil if there is any other character, or one too many.
    package static func base64(_ text: Span<UInt8>) -> HeldSecret? {
        decoded(text, bitCount: 6, ignoring: \.isBlank, Base64.bits(ofEither:))
    }

    /// The bytes of base32 text in upper or lower case, with or without padding.
    ///
    /// Blanks and hyphens, by which programs group the letters, are skipped. Bits that are left over are ignored, however
    /// many: authenticators take secrets of any length.
    package static func base32(_ text: Span<UInt8>) -> HeldSecret? {
        decoded(text, bitCount: 5, ignoring: { $0.isBlank || $0 == UInt8(ascii: "-") }) { letter in
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): letter - UInt8(ascii: "2") + 26
            default: nil
            }
        }
    }

    /// The base32 text of bytes: capital letters without padding.
    package static func base32Letters(of bytes: Span<UInt8>) -> HeldSecret {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        return HeldSecret(capacity: (bytes.count * 8 + 4) / 5) { output in
            var (bits, count): (UInt32, UInt32) = (0, 0)
            for index in bytes.indices {
                bits = bits << 8 | UInt32(bytes[index])
                count += 8
                while count >= 5 {
                    count -= 5
                    output.append(alphabet[Int(bits >> count & 31)])
                }
            }
            if count > 0 { output.append(alphabet[Int(bits << (5 - count) & 31)]) }
        }
    }

    /// The bytes of hexadecimal text in upper or lower case; blanks and hyphens are skipped.
    package static func hexadecimal(_ text: Span<UInt8>) -> HeldSecret? {
        decoded(text, bitCount: 4, ignoring: { $0.isBlank || $0 == UInt8(ascii: "-") }, \.hexadecimalValue)
    }

    private static func decoded(
        _ text: Span<UInt8>,
        bitCount: Int,
        ignoring isIgnored: (UInt8) -> Bool,
        _ value: (UInt8) -> UInt8?
    ) -> HeldSecret? {
        var isValid = true
        let secret = HeldSecret(capacity: text.count) { output in
            var (bits, count, isPadding): (UInt32, Int, Bool) = (0, 0, false)
            for index in text.indices where !isIgnored(text[index]) {
                isPadding = isPadding || text[index] == UInt8(ascii: "=") && bitCount != 4
                guard !isPadding else {
                    if text[index] != UInt8(ascii: "=") { isValid = false }
                    continue
                }
                guard let value = value(text[index]) else {
                    isValid = false
                    return
                }
                bits = bits << UInt32(bitCount) | UInt32(value)
                count += bitCount
                guard count >= 8 else { continue }
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
            // More bits than are left over from a byte: half a byte is missing.
            if count >= bitCount, bitCount != 5 { isValid = false }
        }
        return isValid ? secret : nil
    }
}
