package import VaultCrypto

/// Why a text is not a recovery code, as opposed to a code that does not open the vault.
///
/// Ask for the code again, and show where the mistake is; only after ``cipher(_:)`` the same text may be accepted.
package enum RecoveryCodeError: Error, Equatable, Sendable {
    /// The text has the wrong number of characters, not counting separators.
    case wrongCharacterCount(Int)
    /// A character, counted from 1 without separators, is not in the alphabet.
    case unknownCharacter(number: Int)
    /// The check bits do not match: a character is wrong, or two are swapped.
    case wrongCheck
    /// The code could not be held in memory.
    case cipher(CipherError)
}

extension RecoveryCodeError: CustomStringConvertible {
    /// What is wrong and where, in one sentence, without any part of the code.
    package var description: String {
        switch self {
        case .wrongCharacterCount(let count): "invalid recovery code: \(count) characters instead of 36"
        case .unknownCharacter(let number):
            "invalid recovery code: character \(number), in group \((number - 1) / 4 + 1), cannot occur in one"
        case .wrongCheck: "invalid recovery code: a character is wrong, or two are swapped"
        case .cipher(let error): "the recovery code could not be held in memory: \(error)"
        }
    }
}
