internal import CofferBasics
package import VaultCrypto

extension Grant {
    /// Seals `payload` to the recipient in `terms` and signs it with the Ed25519 seed `teamSecret`.
    package init(
        sealing payload: GrantPayload,
        _ terms: GrantTerms,
        userRoot: Key,
        teamSecret: Key,
        cipher: Cipher
    ) throws(GrantError) {
        try payload.validate()
        let note = try translating(GrantError.cipher, terms.note(userRoot: userRoot, cipher: cipher))
        let groups = try translating(
            GrantError.cipher,
            terms.groups(structureKey: payload.structureKey, cipher: cipher)
        )
        var grant = try withTemporarySecret(
            capacity: payload.byteCount,
            writtenBy: { payload.write(to: &$0) },
            { bytes throws(GrantError) in
                let sealedPayload = try translating(
                    GrantError.cipher,
                    SealedBox.sealed(bytes, to: terms.recipient, random: cipher.random)
                )
                var grant = Grant(
                    id: terms.id,
                    created: terms.created,
                    expiry: terms.expiry,
                    recipient: terms.recipient,
                    commitment: [],
                    sealedPayload: sealedPayload,
                    groups: groups,
                    note: note,
                    signature: []
                )
                grant.commitment = grant.commitment(to: bytes, key: payload.structureKey, vault: cipher.vault)
                return grant
            }
        )
        grant.signature = teamSecret.signature(of: grant.signedText(vault: cipher.vault).span)
        self = grant
    }

    /// The keys in the grant, for the holder of `credential`.
    ///
    /// This first verifies the signature with the team key and vault id that the credential pins, then opens the box,
    /// compares the commitment and only then reads the payload. The caller compares each key with the commitment of its
    /// entry in the keybag.
    package func opened(with credential: CredentialFile) throws(GrantError) -> GrantPayload {
        guard id == credential.grant else { throw .otherGrant }
        let text = signedText(vault: credential.vault)
        guard Ed25519.verify(signature: signature.span, of: text.span, publicKey: credential.team) else {
            throw .wrongSignature
        }
        var box = SecretBuffer(copying: sealedPayload.span)
        return try box.withMutableSpan { box throws(GrantError) in
            guard recipient == credential.secret.publicKey, SealedBox.open(&box, secret: credential.secret),
                box.count >= SealedBox.extraByteCount + GrantPayloadSize.key
            else { throw .otherRecipient }
            let payload = box.span.extracting(SealedBox.extraByteCount...)
            try verifyCommitment(of: payload, vault: credential.vault)
            return try GrantPayloadReader.payload(in: payload)
        }
    }

    private func verifyCommitment(of payload: Span<UInt8>, vault: VaultID) throws(GrantError) {
        let structureKey: Key
        do throws(CipherError) {
            structureKey = try Key(copying: payload.extracting(..<GrantPayloadSize.key))
        } catch {
            throw .cipher(error)
        }
        let expected = commitment(to: payload, key: structureKey, vault: vault)
        guard areEqual(expected.span, commitment.span) else { throw .wrongCommitment }
    }

    /// `H(32, Ks, "coffer1.grant", vault id || head || payload)`.
    private func commitment(to payload: Span<UInt8>, key: Key, vault: VaultID) -> [UInt8] {
        let head = vault.bytes + head
        return withTemporarySecret(
            capacity: head.count + payload.count,
            writtenBy: { text in
                text.append(copying: head.span)
                text.append(copying: payload)
            },
            { key.hash(32, .grant, $0) }
        )
    }

    /// The text that is signed, for `vault`.
    private func signedText(vault: VaultID) -> [UInt8] {
        Label.grant.bytes + vault.bytes + signedBytes
    }
}
