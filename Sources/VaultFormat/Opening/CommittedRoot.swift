internal import CofferBasics
internal import VaultCrypto

/// A root secret under a key that is known by a commitment: slots and devices, sections 3.1 and 3.2.
protocol CommittedRoot {
    /// The number of the entry's type.
    var typeNumber: UInt16 { get }
    var label: Label { get }
    /// The bytes before the commitment.
    var fields: [UInt8] { get }
    var commitment: [UInt8] { get set }
    /// Nonce, root and tag.
    var wrappedRoot: [UInt8] { get set }
}

extension CommittedRoot {
    /// The root, or nil if `seed` is not the seed that the entry was made with.
    func opened(seed: Key, vault: VaultID) throws(Fault) -> Key? {
        let (key, expected) = try halves(seed: seed, vault: vault)
        // The commitment comes first: a ciphertext that opens under two keys would tell guesses apart.
        guard areEqual(expected.span, commitment.span) else { return nil }
        let root = try translating(
            Fault.cipher,
            key.unwrap(wrappedRoot.span, associatedData: context(vault) + commitment)
        )
        guard let root else { throw .notAuthentic }
        return root
    }

    /// The entry with `root` in it.
    func holding(_ root: Key, seed: Key, cipher: Cipher) throws(Fault) -> Self {
        var entry = self
        let (key, commitment) = try halves(seed: seed, vault: cipher.vault)
        entry.commitment = commitment
        entry.wrappedRoot = key.wrap(root, associatedData: context(cipher.vault) + commitment, random: cipher.random)
        return entry
    }

    private func halves(
        seed: Key,
        vault: VaultID
    ) throws(Fault) -> (key: Key, commitment: [UInt8]) {
        try translating(Fault.cipher, seed.keyAndCommitment(label, context(vault)))
    }

    private func context(_ vault: VaultID) -> [UInt8] {
        vault.bytes + [UInt8(typeNumber & 0xFF), UInt8(typeNumber >> 8)] + fields
    }
}

extension Slot: CommittedRoot {
    var typeNumber: UInt16 { kind.rawValue }
    var label: Label { .slot }
}

extension DeviceEntry: CommittedRoot {
    var typeNumber: UInt16 { Self.type }
    var label: Label { .device }
}
