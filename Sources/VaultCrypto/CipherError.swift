/// Why a primitive could not do what it was asked.
package enum CipherError: Error, Equatable {
    /// The library could not be started.
    case libraryUnavailable
    /// The memory that a key or Argon2id needs was not to be had.
    case outOfMemory(neededByteCount: Int)
    /// Nothing can be sealed to this public key.
    case unusablePublicKey
}

extension CipherError: CustomStringConvertible {
    /// What was not to be had, in a few words.
    package var description: String {
        switch self {
        case .libraryUnavailable: "the library of ciphers could not be started"
        case .outOfMemory(let byteCount): "\(byteCount) bytes of memory were not to be had"
        case .unusablePublicKey: "nothing can be sealed to this public key"
        }
    }
}
