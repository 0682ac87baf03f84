internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

/// A code of 36 characters that opens a vault, to be written down and kept in a safe place.
///
/// ```swift
/// let code = try RecoveryCode()
/// code.withText { text in
///     print(text.count)  // 44: nine groups of four, joined by hyphens
/// }
/// ```
public struct RecoveryCode: Sendable {
    private let code: RecoverySecret

    /// Creates a random code.
    public init() throws(VaultError) {
        code = try VaultError.converting { try RecoverySecret(random: SystemRandom()) }
    }

    /// Reads a code as a person types it.
    ///
    /// Spaces, hyphens and case do not matter; `O` is read as zero, `I` and `L` as one.
    ///
    /// - Throws: ``VaultError`` if the text is not a valid code; the description gives the position of the invalid
    ///   character.
    public init(_ text: borrowing some SecretSource & ~Copyable & ~Escapable) throws(VaultError) {
        do {
            code = try text.withSecretBytes { bytes in try RecoverySecret(parsing: bytes) }
        } catch {
            throw VaultError(error)
        }
    }

    /// Lends `body` the text of the code in ASCII, and wipes it afterwards.
    public func withText<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try code.withText(body)
    }

    /// The key that opens the slot of the code.
    func seed() throws -> Key { try code.seed() }
}
