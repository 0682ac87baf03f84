internal import Coffer
internal import CommandSystem
internal import KeyedArchive
internal import VaultCrypto
internal import VaultFiles

extension Run {
    /// All that a program has to say to a helper, in memory that is wiped.
    func helperInput(byteCountLimit: Int) throws(CommandError) -> HeldSecret {
        var buffer = SecretBuffer(byteCount: byteCountLimit + 1)
        let byteCount: Int
        do throws(FileError) {
            byteCount = try buffer.withMutableSpan { bytes throws(FileError) in
                try surroundings.input.read(into: &bytes)
            }
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
        guard byteCount <= byteCountLimit else {
            throw CommandError(.tooLarge, "the standard input has more than \(byteCountLimit) bytes")
        }
        return buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) }
    }

    /// What `body` makes of the keychain; nil if nothing was ever stored where nobody has named a vault.
    func withKeychainIfAny<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(CommandError) -> Result? {
        do throws(CommandError) {
            return try vaults.withKeychain(body)
        } catch {
            guard error.code == .noVault, !vaults.isNamed else { throw error }
            return nil
        }
    }
}

extension Keychain {
    /// Whether the secret of an item has these bytes.
    func hasSecret<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ bytes: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        let isSame = try withSecret(of: reference) { (secret) throws(KeychainError) in secret.isSame(as: bytes) }
        return isSame ?? false
    }
}

extension Span<UInt8> {
    /// Whether the other bytes are the same; how long that takes tells nothing of them.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether a byte is in it.
    func contains(_ byte: UInt8) -> Bool { indices.contains { self[$0] == byte } }

    /// The bytes as a text that is no secret.
    var attributeText: AttributeText { AttributeText(bytes: indices.map { self[$0] }) }
}
