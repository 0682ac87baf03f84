internal import CofferBasics
package import VaultCrypto

/// Section 12.3: 20 random bytes that open a vault, and that a person keeps on paper.
///
/// The bytes are kept in guarded memory. Their text is passed on as bytes that are wiped afterwards, never as a string.
package struct RecoverySecret: Sendable {
    /// The number of characters in a code.
    package static var characterCount: Int { 36 }
    private static var groupCharacterCount: Int { 4 }
    private static var secretByteCount: Int { 20 }
    private static var checkByteCount: Int { 3 }
    private static var keyByteCount: Int { 32 }

    /// A key whose first 20 bytes are the code.
    private let secret: Key

    /// A new random code.
    package init(random: some RandomSource) throws(CipherError) {
        secret = try random.key()
    }

    /// Reads a code as a person writes it.
    ///
    /// Spaces, tabs, `-` and case are ignored; `O` is read as 0, `I` and `L` as 1.
    package init(parsing text: Span<UInt8>) throws(RecoveryCodeError) {
        // The key begins with the 180 bits of the code and its check.
        var bytes = SecretBuffer(byteCount: Self.keyByteCount)
        secret = try bytes.withMutableSpan { bytes throws(RecoveryCodeError) in
            try Self.read(text, into: &bytes)
            let check = Self.check(of: bytes.span)
            for index in check.indices where bytes[Self.secretByteCount + index] != check[index] { throw .wrongCheck }
            do throws(CipherError) {
                return try Key(copying: bytes.span)
            } catch {
                throw .cipher(error)
            }
        }
    }

    /// The seed of a slot of type 4, section 3.1.
    package func seed() throws(CipherError) -> Key {
        try secret.withBytes { bytes throws(CipherError) in
            let code = bytes.extracting(..<Self.secretByteCount)
            return try Label.recoveryCode.key(code)
        }
    }

    /// Calls `body` with the text of the code: nine groups of four ASCII characters, joined by `-`.
    ///
    /// The text is wiped when `body` returns; `body` must leave no copy except the one that a person keeps.
    package func withText<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withTemporarySecret(
            capacity: Self.characterCount + Self.characterCount / Self.groupCharacterCount - 1,
            writtenBy: { text in secret.withBytes { write($0, to: &text) } },
            body
        )
    }

    private func write(_ secret: Span<UInt8>, to text: inout OutputSpan<UInt8>) {
        let check = Self.check(of: secret)
        for number in 0..<Self.characterCount {
            if number > 0, number.isMultiple(of: Self.groupCharacterCount) { text.append(UInt8(ascii: "-")) }
            var symbol: UInt8 = 0
            for bit in 5 * number..<5 * number + 5 {
                let index = bit / 8
                let byte = index < Self.secretByteCount ? secret[index] : check[index - Self.secretByteCount]
                symbol = symbol << 1 | byte >> (7 - UInt8(bit % 8)) & 1
            }
            text.append(RecoveryAlphabet.character(of: symbol))
        }
    }

    /// Writes the bits of the characters in `text` to the start of `bytes`, which must be zero.
    private static func read(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) throws(RecoveryCodeError) {
        var count = 0
        for index in text.indices where !RecoveryAlphabet.isIgnored(text[index]) {
            count += 1
            guard let symbol = RecoveryAlphabet.symbol(of: text[index]) else { throw .unknownCharacter(number: count) }
            guard count <= characterCount else { continue }
            for position in 0..<5 {
                let bit = 5 * (count - 1) + position
                bytes[bit / 8] |= (symbol >> (4 - UInt8(position)) & 1) << (7 - UInt8(bit % 8))
            }
        }
        guard count == characterCount else { throw .wrongCharacterCount(count) }
    }

    /// The 20 check bits that detect a typing mistake, and 4 zero bits.
    private static func check(of secret: Span<UInt8>) -> [UInt8] {
        let hash = Label.recoveryCheck.hash(16, secret.extracting(..<secretByteCount))
        return [hash[0], hash[1], hash[2] & 0xF0]
    }
}
