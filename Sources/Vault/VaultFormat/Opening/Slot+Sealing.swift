internal import CofferBasics
internal import VaultCrypto

// Section 3.1: a slot wraps the user root and commits to the wrapping key.
extension Slot {
    /// The user root, or nil if the slot was not made with `seed`.
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

    /// A copy of the slot that holds `root`.
    func holding(_ root: Key, seed: Key, cipher: Cipher) throws(Fault) -> Slot {
        var slot = self
        let (key, commitment) = try halves(seed: seed, vault: cipher.vault)
        slot.commitment = commitment
        slot.wrappedRoot = key.wrap(root, associatedData: context(cipher.vault) + commitment, random: cipher.random)
        return slot
    }

    private func halves(
        seed: Key,
        vault: VaultID
    ) throws(Fault) -> (key: Key, commitment: [UInt8]) {
        try translating(Fault.cipher, seed.keyAndCommitment(.slot, context(vault)))
    }

    private func context(_ vault: VaultID) -> [UInt8] {
        vault.bytes + [UInt8(kind.rawValue & 0xFF), UInt8(kind.rawValue >> 8)] + fields
    }
}
