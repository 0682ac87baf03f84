internal import CofferBasics
package import VaultCrypto

/// Section 3.3: a key wrapped under another key, with a commitment to it.
package struct KeyWrap: Equatable, Sendable {
    static let byteCount = 104

    /// 32 bytes that commit to the key.
    package var commitment: [UInt8]
    /// Nonce, key and tag.
    package var sealed: [UInt8]

    init(from reader: inout ByteReader) throws(Fault) {
        commitment = try reader.readBytes(32)
        sealed = try reader.readBytes(72)
    }

    private init() {
        commitment = []
        sealed = []
    }

    /// The empty wrap of an entry that does not hold a key yet.
    package static let none = KeyWrap()

    var bytes: [UInt8] { commitment + sealed }
}

/// A keybag entry that holds one wrapped key.
package protocol WrappedKeyEntry: Sendable {
    /// The number of the entry's type.
    static var type: UInt16 { get }
    /// The bytes before the commitment.
    var fields: [UInt8] { get }
    /// The bytes that identify the key, the same in all wraps of it.
    var identity: [UInt8] { get }
    var wrap: KeyWrap { get set }
}

extension WrappedKeyEntry {
    var body: [UInt8] { fields + wrap.bytes }

    /// The commitment to `key` in this entry.
    package func commitment(to key: Key, vault: VaultID) -> [UInt8] {
        key.hash(32, .commitment, vault.bytes + typeBytes + identity)
    }

    /// A copy of the entry that holds `key`.
    package func holding(_ key: Key, under wrappingKey: WrappingKey) -> Self {
        var entry = self
        let cipher = wrappingKey.cipher
        entry.wrap.commitment = commitment(to: key, vault: cipher.vault)
        let associatedData = entry.associatedData(vault: cipher.vault)
        entry.wrap.sealed = wrappingKey.key.wrap(key, associatedData: associatedData, random: cipher.random)
        return entry
    }

    /// The key in the entry.
    package func opened(under wrappingKey: WrappingKey) throws -> Key {
        let vault = wrappingKey.cipher.vault
        let key = try wrappingKey.key.unwrap(wrap.sealed.span, associatedData: associatedData(vault: vault))
        guard let key else { throw Fault(.notAuthentic) }
        let expected = commitment(to: key, vault: vault)
        guard areEqual(expected.span, wrap.commitment.span) else { throw Fault(.commitmentDiffers) }
        return key
    }

    private var typeBytes: [UInt8] { [UInt8(Self.type & 0xFF), UInt8(Self.type >> 8)] }

    private func associatedData(vault: VaultID) -> [UInt8] {
        vault.bytes + typeBytes + fields + wrap.commitment
    }
}

/// A key for wrapping other keys, derived from a root or a class key.
package struct WrappingKey: Sendable {
    let key: Key
    let cipher: Cipher

    /// The wrapping key derived from `key`.
    package init(_ key: Key, cipher: Cipher) throws(CipherError) {
        self.key = try key.derived(.wrap, cipher.vault.bytes)
        self.cipher = cipher
    }
}
