internal import CofferBasics

/// Base64 without intermediate strings, for secrets.
package enum Base64 {
    /// Writes `bytes` in base64.
    package static func write(_ bytes: Span<UInt8>, to output: Output) throws {
        try Base64Letters.forEach(of: bytes) { letter in try output.write(letter) }
    }

    /// The six bits of a letter of either alphabet (standard or URL-safe); nil if it is not one.
    static func bits(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: Base64Letters.bits(of: letter)
        }
    }
}
