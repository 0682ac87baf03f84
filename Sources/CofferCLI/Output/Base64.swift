/// Base64 without intermediate strings, for secrets.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Writes `bytes` in base64.
    package static func write(_ bytes: Span<UInt8>, to output: Output) throws {
        try forEachLetter(of: bytes) { letter in try output.write(letter) }
        for _ in 0..<(3 - bytes.count % 3) % 3 { try output.write("=") }
    }

    /// The six bits of a letter of either alphabet (standard or URL-safe); nil if it is not one.
    static func bits(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// Calls `body` with each letter for `bytes`, without padding.
    private static func forEachLetter<Failure: Error>(
        of bytes: Span<UInt8>,
        _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0...count { try body(letters[group >> (18 - 6 * index) & 63]) }
        }
    }
}
