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
