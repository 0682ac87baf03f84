extension RecipientSlot {
    private static var typeBytes: [UInt8] { [UInt8(type & 0xFF), UInt8(type >> 8)] }

    /// A slot that gives `userRoot` to who has the secret half of `publicKey`, signed with the Ed25519 seed `teamSecret`.
    package init<Suite: CipherSuite>(
        sealing userRoot: Suite.Key,
        epoch: UInt32,
        id: SlotID,
        created: Time,
        publicKey: [UInt8],
        vault: VaultID,
        teamSecret: Suite.Key,
        suite: Suite
    ) throws(CipherError) {
        self.init(id: id, created: created, epoch: epoch, publicKey: publicKey)
        commitment = commitment(to: userRoot, vault: vault, suite: suite)
        sealedRoot = try suite.withBytes(of: userRoot) { bytes throws(CipherError) in
            try suite.sealedBox(bytes, to: publicKey)
        }
        signature = suite.signature(of: signedText(vault: vault).span, by: teamSecret)
    }

    /// Whether the owner of the vault made the slot, for `userRoot`.
    ///
    /// Who only has the structure key could put a slot of his own there, and must not be given a new root for it.
    func isAuthentic<Suite: CipherSuite>(
        userRoot: Suite.Key,
        teamKey: [UInt8],
        vault: VaultID,
        suite: Suite
    ) -> Bool {
        let expected = commitment(to: userRoot, vault: vault, suite: suite)
        return suite.areEqual(expected.span, commitment.span)
            && suite.verify(signature: signature.span, of: signedText(vault: vault).span, publicKey: teamKey)
    }

    private func commitment<Suite: CipherSuite>(to userRoot: Suite.Key, vault: VaultID, suite: Suite) -> [UInt8] {
        suite.hash(32, key: userRoot, label: .commitment, vault.bytes + Self.typeBytes + fields)
    }

    private func signedText(vault: VaultID) -> [UInt8] {
        Label.slot.bytes + vault.bytes + Self.typeBytes + fields + commitment + sealedRoot
    }
}
