internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

/// A code of 36 characters that opens a vault, for a drawer or a safe.
///
/// ```swift
/// let code = try RecoveryCode()
/// code.withText { text in
///     print(text.count)  // 44: nine groups of four, joined by hyphens
/// }
/// ```
public struct RecoveryCode: Sendable {
    private let code: VaultFormat.RecoveryCode

    /// Makes a new random code.
    public init() throws(VaultError) {
        code = try translating(VaultError.init(recoveryCode:)) { () throws(RecoveryCodeError) in
            let random = try translating(RecoveryCodeError.cipher, SystemRandom())
            return try VaultFormat.RecoveryCode(random: random)
        }
    }

    /// Reads a code as a person has written it.
    ///
    /// Spaces, hyphens and case do not matter; `O` is taken for zero, `I` and `L` for one.
    ///
    /// - Throws: What is wrong with it, by the number of its character, if it is no code at all.
    public init(_ text: Passphrase) throws(VaultError) {
        code = try translating(
            VaultError.init(recoveryCode:),
            text.withBytes { bytes throws(RecoveryCodeError) in try VaultFormat.RecoveryCode(parsing: bytes) }
        )
    }

    /// Lends `body` the text of the code, in ASCII, which is wiped afterwards.
    public func withText<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try code.withText(body)
    }

    /// What opens the slot of the code.
    func seed() throws(VaultError) -> Key {
        try translating(VaultError.ofCipher, code.seed())
    }
}
