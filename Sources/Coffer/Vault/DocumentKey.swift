internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// A key for what a program keeps in files of its own, beside its vault: in guarded memory, wiped when it is released.
package struct DocumentKey: Sendable {
    /// How many bytes a key has.
    package static let byteCount = 32

    private let key: Key
    private let random: SystemRandom

    /// The key with these bytes, which the caller wipes.
    ///
    /// - Throws: That there is no memory for it, or that the library of ciphers does not start.
    package init(_ bytes: Span<UInt8>) throws(VaultError) {
        key = try translating(VaultError.ofCipher, Key(copying: bytes))
        random = try translating(VaultError.ofCipher, SystemRandom())
    }

    /// The bytes of a new key, which the caller wipes.
    package static func newBytes() throws(VaultError) -> [UInt8] {
        try translating(VaultError.ofCipher, SystemRandom()).bytes(byteCount)
    }

    /// A box with `content`, padded, that opens with this key and for `associatedData` only.
    package func sealed(_ content: Span<UInt8>, for associatedData: [UInt8]) -> [UInt8] {
        // A document belongs to no vault.
        let cipher = Cipher(vault: .none, random: random)
        return Box.sealed(content, key: key, associatedData: associatedData, cipher: cipher)
    }

    /// What a box holds; nil if it was not sealed with this key for `associatedData`, or has changed since.
    package func opened(_ box: Span<UInt8>, for associatedData: [UInt8]) -> [UInt8]? {
        try? Box.opened(box, key: key, associatedData: associatedData)
    }
}
