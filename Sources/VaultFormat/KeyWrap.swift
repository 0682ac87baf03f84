/// Section 3.3: one key under another, with a commitment to it.
package struct KeyWrap: Equatable, Sendable {
    static let byteCount = 104

    /// 32 bytes that no other key has.
    package var commitment: [UInt8]
    /// Nonce, key and tag.
    package var sealed: [UInt8]

    init(from reader: inout ByteReader) throws(LocatedFault) {
        commitment = try reader.readBytes(32)
        sealed = try reader.readBytes(72)
    }

    private init() {
        commitment = []
        sealed = []
    }

    /// What an entry has until a key is put into it.
    package static let none = KeyWrap()

    var bytes: [UInt8] { commitment + sealed }
}

/// A keybag entry that holds one wrapped key.
package protocol WrappedKeyEntry: Sendable {
    /// The number of the entry's type.
    static var type: UInt16 { get }
    /// The bytes before the commitment.
    var fields: [UInt8] { get }
    /// What all wraps of the same key have in common.
    var identity: [UInt8] { get }
    var wrap: KeyWrap { get set }
}

extension WrappedKeyEntry {
    var body: [UInt8] { fields + wrap.bytes }

    /// The commitment to `key` in this entry.
    package func commitment<Suite: CipherSuite>(to key: Suite.Key, vault: VaultID, suite: Suite) -> [UInt8] {
        suite.hash(32, key: key, label: .commitment, vault.bytes + typeBytes + identity)
    }

    /// The entry with `key` in it.
    package func holding<Suite: CipherSuite>(
        _ key: Suite.Key,
        under wrappingKey: WrappingKey<Suite>,
        vault: VaultID,
        suite: Suite
    ) -> Self {
        var entry = self
        entry.wrap.commitment = commitment(to: key, vault: vault, suite: suite)
        entry.wrap.sealed = suite.wrap(
            key,
            under: wrappingKey.key,
            associatedData: entry.associatedData(vault: vault)
        )
        return entry
    }

    /// The key in the entry.
    package func opened<Suite: CipherSuite>(
        under wrappingKey: WrappingKey<Suite>,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> Suite.Key {
        let key = try translating(Fault.cipher) { () throws(CipherError) in
            try suite.unwrap(
                wrap.sealed.span,
                under: wrappingKey.key,
                associatedData: associatedData(vault: vault)
            )
        }
        guard let key else { throw .notAuthentic }
        let expected = commitment(to: key, vault: vault, suite: suite)
        guard suite.areEqual(expected.span, wrap.commitment.span) else { throw .commitmentDiffers }
        return key
    }

    private var typeBytes: [UInt8] { [UInt8(Self.type & 0xFF), UInt8(Self.type >> 8)] }

    private func associatedData(vault: VaultID) -> [UInt8] {
        vault.bytes + typeBytes + fields + wrap.commitment
    }
}

/// The key that wraps keys under a root or a class key.
package struct WrappingKey<Suite: CipherSuite>: Sendable {
    let key: Suite.Key

    /// The wrapping key of `key`.
    package init(_ key: Suite.Key, vault: VaultID, suite: Suite) throws(CipherError) {
        self.key = try suite.derivedKey(from: key, label: .wrap, input: vault.bytes)
    }

    /// The wrapping key of a user root and a device root together.
    package init(
        user: Suite.Key,
        device: Suite.Key,
        id: DeviceID,
        vault: VaultID,
        suite: Suite
    ) throws(CipherError) {
        let input = vault.bytes + id.bytes
        let both = try suite.derivedKey(from: user, label: .bothRoots, input: input.span, appending: device)
        try self.init(both, vault: vault, suite: suite)
    }
}
