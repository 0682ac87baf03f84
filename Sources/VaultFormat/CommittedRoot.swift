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
    func opened<Suite: CipherSuite>(seed: Suite.Key, vault: VaultID, suite: Suite) throws(Fault) -> Suite.Key? {
        let (key, expected) = try halves(seed: seed, vault: vault, suite: suite)
        // The commitment comes first: a ciphertext that opens under two keys would tell guesses apart.
        guard suite.areEqual(expected.span, commitment.span) else { return nil }
        let root = try translating(Fault.cipher) { () throws(CipherError) in
            try suite.unwrap(wrappedRoot.span, under: key, associatedData: context(vault) + commitment)
        }
        guard let root else { throw .notAuthentic }
        return root
    }

    /// The entry with `root` in it.
    func holding<Suite: CipherSuite>(
        _ root: Suite.Key,
        seed: Suite.Key,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> Self {
        var entry = self
        let (key, commitment) = try halves(seed: seed, vault: vault, suite: suite)
        entry.commitment = commitment
        entry.wrappedRoot = suite.wrap(root, under: key, associatedData: context(vault) + commitment)
        return entry
    }

    private func halves<Suite: CipherSuite>(
        seed: Suite.Key,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> (key: Suite.Key, commitment: [UInt8]) {
        try translating(Fault.cipher) { () throws(CipherError) in
            try suite.keyAndCommitment(seed: seed, label: label, input: context(vault))
        }
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
