/// The letters of base64, one by one: for secrets, of which no copies may be left.
package enum Base64Letters {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The six bits of a letter; nil if it is not one.
    package static func bits(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Calls `body` with each letter for `bytes`, and with the padding.
    package static func forEach<Failure: Error>(
        of bytes: Span<UInt8>,
        _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        let letters = letters
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0..<4 {
                try body(index <= count ? letters[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
    }
}
