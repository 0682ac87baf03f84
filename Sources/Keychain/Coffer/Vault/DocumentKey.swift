internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// A key for a program's own files, kept in guarded memory that is wiped when it is released.
package struct DocumentKey: Sendable {
    /// The number of bytes in a key.
    package static let byteCount = 32

    private let key: Key
    private let random: SystemRandom

    /// Creates the key with these bytes, which the caller wipes.
    ///
    /// - Throws: ``VaultError`` if there is no memory for it, or the cryptography library cannot be started.
    package init(_ bytes: Span<UInt8>) throws(VaultError) {
        do {
            key = try Key(copying: bytes)
            random = try SystemRandom()
        } catch {
            throw VaultError(error)
        }
    }

    /// Returns the bytes of a new key, which the caller wipes.
    package static func newBytes() throws -> [UInt8] { try SystemRandom().bytes(byteCount) }

    /// Returns a box with `content`, padded, that opens only with this key and for `associatedData`.
    package func sealed(_ content: Span<UInt8>, for associatedData: [UInt8]) -> [UInt8] {
        // A document does not belong to a vault.
        let cipher = Cipher(vault: .none, random: random)
        return Box.sealed(content, key: key, associatedData: associatedData, cipher: cipher)
    }

    /// Returns the content of a box; nil if it was not sealed with this key for `associatedData`, or was changed since.
    package func opened(_ box: Span<UInt8>, for associatedData: [UInt8]) -> [UInt8]? {
        try? Box.opened(box, key: key, associatedData: associatedData)
    }
}
