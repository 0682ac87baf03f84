internal import CofferBasics

/// Why a cryptographic operation failed.
package enum CipherError: Error, Equatable {
    /// libsodium could not be started.
    case libraryUnavailable
    /// The memory for a key or for Argon2id could not be allocated.
    case outOfMemory(neededByteCount: Int)
    /// Nothing can be sealed to this public key.
    case unusablePublicKey
}

extension CipherError: CustomStringConvertible {
    /// What failed, in a few words.
    package var description: String {
        switch self {
        case .libraryUnavailable: "the cryptography library could not be started"
        case .outOfMemory(let byteCount): "not enough memory: \(byteCount.grouped) bytes could not be allocated"
        case .unusablePublicKey: "invalid public key: nothing can be sealed to it"
        }
    }
}
