internal import CofferBasics
package import VaultCrypto

extension RecipientSlot {
    private static var typeBytes: [UInt8] { [UInt8(type & 0xFF), UInt8(type >> 8)] }

    /// A slot that seals `userRoot` to `publicKey`, signed with the Ed25519 seed `teamSecret`.
    package init(
        sealing userRoot: Key,
        epoch: UInt32,
        id: SlotID,
        created: Time,
        publicKey: [UInt8],
        teamSecret: Key,
        cipher: Cipher
    ) throws(CipherError) {
        self.init(id: id, created: created, epoch: epoch, publicKey: publicKey)
        commitment = commitment(to: userRoot, vault: cipher.vault)
        sealedRoot = try userRoot.withBytes { bytes throws(CipherError) in
            try SealedBox.sealed(bytes, to: publicKey, random: cipher.random)
        }
        signature = teamSecret.signature(of: signedText(vault: cipher.vault).span)
    }

    /// The user root, for the recipient with this X25519 secret.
    func opened(secret: Key, vault: VaultID) throws -> Key {
        var box = SecretBuffer(copying: sealedRoot.span)
        let root = try box.withMutableSpan { box in
            guard SealedBox.open(&box, secret: secret) else { throw Fault(.notAuthentic) }
            return try Key(copying: box.span.extracting(SealedBox.extraByteCount...))
        }
        guard areEqual(commitment(to: root, vault: vault).span, commitment.span) else {
            throw Fault(.commitmentDiffers)
        }
        return root
    }

    /// Whether the owner of the vault made the slot, for `userRoot`.
    ///
    /// Someone who has only the structure key could add a slot of their own; it must not receive a new root.
    func isAuthentic(userRoot: Key, teamKey: [UInt8], vault: VaultID) -> Bool {
        let expected = commitment(to: userRoot, vault: vault)
        return areEqual(expected.span, commitment.span) && isSigned(by: teamKey, vault: vault)
    }

    /// Whether the team with this Ed25519 public key made the slot.
    func isSigned(by teamKey: [UInt8], vault: VaultID) -> Bool {
        Ed25519.verify(signature: signature.span, of: signedText(vault: vault).span, publicKey: teamKey)
    }

    private func commitment(to userRoot: Key, vault: VaultID) -> [UInt8] {
        userRoot.hash(32, .commitment, vault.bytes + Self.typeBytes + fields)
    }

    private func signedText(vault: VaultID) -> [UInt8] {
        Label.slot.bytes + vault.bytes + Self.typeBytes + fields + commitment + sealedRoot
    }
}
