package import VaultCrypto

/// Why a text is no recovery code, told apart from a code that opens nothing.
package enum RecoveryCodeError: Error, Equatable, Sendable {
    /// The text has another number of characters than a code, those that part groups not counted.
    case wrongCharacterCount(Int)
    /// A character, counted from 1 without those that part groups, is none of the alphabet.
    case unknownCharacter(number: Int)
    /// The characters do not belong together: at least one is mistaken for another, or two have changed places.
    case wrongCheck
    /// The suite could not keep the code.
    case cipher(CipherError)
}

extension RecoveryCodeError: CustomStringConvertible {
    /// What is wrong and where, in one sentence, without any part of the code.
    package var description: String {
        switch self {
        case .wrongCharacterCount(let count): "a recovery code has 36 characters, and this has \(count)"
        case .unknownCharacter(let number):
            "character \(number), in group \((number - 1) / 4 + 1), does not occur in recovery codes"
        case .wrongCheck: "a character of the recovery code is mistaken"
        case .cipher(let error): "the recovery code could not be kept: \(error)"
        }
    }
}
