import CofferBasics
package import VaultCrypto

extension Key {
    /// The key with these 32 bytes.
    package convenience init(_ bytes: [UInt8]) throws(CipherError) { try self.init(copying: bytes.span) }

    /// The 32 bytes.
    package var bytes: [UInt8] { withBytes { [UInt8](copying: $0) } }
}
