package import CofferBasics

/// The vault id that all sealed structures are bound to, and the random source for nonces and new keys.
///
/// The algorithms are those of suite 1 of the specification, section 1.1: XChaCha20-Poly1305, BLAKE2b, Argon2id, X25519
/// and Ed25519, from libsodium. They are methods of ``Key`` and ``Label``, or have a type of their own.
package final class Cipher: Sendable {
    package let vault: VaultID
    package let random: any RandomSource

    package init(vault: VaultID, random: any RandomSource) {
        self.vault = vault
        self.random = random
    }
}

/// The kind of identifier that names a vault.
package enum VaultKind {}

package typealias VaultID = Identifier<VaultKind>

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
