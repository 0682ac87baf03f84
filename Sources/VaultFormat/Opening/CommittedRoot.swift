internal import CofferBasics
internal import VaultCrypto

/// An entry that wraps a root secret and commits to the wrapping key: slots and devices, sections 3.1 and 3.2.
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
    /// The root, or nil if the entry was not made with `seed`.
    func opened(seed: Key, vault: VaultID) throws(Fault) -> Key? {
        let (key, expected) = try halves(seed: seed, vault: vault)
        // Compare the commitment first: a ciphertext that opens under two keys would let an attacker test guesses.
        guard areEqual(expected.span, commitment.span) else { return nil }
        let root = try translating(
            Fault.cipher,
            key.unwrap(wrappedRoot.span, associatedData: context(vault) + commitment)
        )
        guard let root else { throw .notAuthentic }
        return root
    }

    /// A copy of the entry that holds `root`.
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
