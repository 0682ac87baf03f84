internal import VaultCrypto

/// Bytes as text of 64 letters, without a string that holds them.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Writes the text of `bytes`.
    package static func write(_ bytes: Span<UInt8>, to output: Output) throws(CommandError) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0..<4 {
                let letter = letters[group >> (18 - 6 * index) & 63]
                try output.write(index <= count ? letter : UInt8(ascii: "="))
            }
        }
    }
}
