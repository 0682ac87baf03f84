internal import VaultCrypto

/// Bytes as text of 64 letters, without a string that holds them.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let addressLetters = Array(letters.dropLast(2) + "-_".utf8)

    /// Writes the text of `bytes`.
    package static func write(_ bytes: Span<UInt8>, to output: Output) throws(CommandError) {
        try forEachLetter(of: bytes) { letter throws(CommandError) in try output.write(letter) }
        for _ in 0..<(3 - bytes.count % 3) % 3 { try output.write("=") }
    }

    /// The letter for six bits; those for addresses are other ones.
    static func letter(_ bits: Int, isForAddresses: Bool = false) -> UInt8 {
        (isForAddresses ? addressLetters : letters)[bits]
    }

    /// Gives `body` the letters of `bytes`, without the signs that fill them up.
    static func forEachLetter<Failure: Error>(
        of bytes: Span<UInt8>,
        isForAddresses: Bool = false,
        _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0...count { try body(letter(group >> (18 - 6 * index) & 63, isForAddresses: isForAddresses)) }
        }
    }
}
