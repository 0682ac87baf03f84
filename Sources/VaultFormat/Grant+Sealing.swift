internal import KeyedArchive

extension Grant {
    /// Seals `payload` to the X25519 public key `recipient`, and signs with the Ed25519 seed `teamSecret`.
    package init<Suite: CipherSuite>(
        sealing payload: GrantPayload<Suite>,
        id: GrantID,
        creationTime: Int64,
        recipient: [UInt8],
        vault: VaultID,
        teamSecret: Suite.Key,
        suite: Suite
    ) throws(GrantError) {
        try payload.validate()
        var grant = try suite.withSecretBytes(
            capacity: payload.byteCount,
            writtenBy: { payload.write(to: &$0, suite: suite) },
            { bytes throws(GrantError) in
                let sealedPayload: [UInt8]
                do throws(CipherError) {
                    sealedPayload = try suite.sealedBox(bytes, to: recipient)
                } catch {
                    throw .cipher(error)
                }
                var grant = Grant(
                    id: id,
                    creationTime: creationTime,
                    recipient: recipient,
                    commitment: [],
                    sealedPayload: sealedPayload,
                    signature: []
                )
                grant.commitment = grant.commitment(
                    to: bytes,
                    key: payload.structureKey,
                    vault: vault,
                    suite: suite
                )
                return grant
            }
        )
        grant.signature = suite.signature(of: grant.signedText(vault: vault).span, by: teamSecret)
        self = grant
    }

    /// The keys in the grant, for the holder of `credential`.
    ///
    /// The signature is verified first, with the team key and vault id that the credential pins, then the box is
    /// opened, then the commitment compared, and only then the payload is read. The caller compares each key with the
    /// commitment of its entry in the keybag.
    package func opened<Suite: CipherSuite>(
        with credential: CredentialFile<Suite>,
        suite: Suite
    ) throws(GrantError) -> GrantPayload<Suite> {
        guard id == credential.grant else { throw .otherGrant }
        let text = signedText(vault: credential.vault)
        guard suite.verify(signature: signature.span, of: text.span, publicKey: credential.team) else {
            throw .wrongSignature
        }
        return try suite.withSecretBytes(byteCount: sealedPayload.count) { box throws(GrantError) in
            for index in sealedPayload.indices { box[index] = sealedPayload[index] }
            guard suite.openSealedBox(&box, secret: credential.secret) else { throw .otherRecipient }
            let payload = box.span.extracting(Suite.sealedBoxExtraByteCount...)
            try verifyCommitment(of: payload, vault: credential.vault, suite: suite)
            return try GrantPayloadReader.payload(in: payload, suite: suite)
        }
    }

    private func verifyCommitment<Suite: CipherSuite>(
        of payload: Span<UInt8>,
        vault: VaultID,
        suite: Suite
    ) throws(GrantError) {
        let structureKey: Suite.Key
        do throws(CipherError) {
            structureKey = try suite.key(copying: payload.extracting(..<GrantPayloadSize.key))
        } catch {
            throw .cipher(error)
        }
        let expected = commitment(to: payload, key: structureKey, vault: vault, suite: suite)
        guard suite.areEqual(expected.span, commitment.span) else { throw .wrongCommitment }
    }

    /// `H(32, Ks, "coffer1.grant", vault id || head || payload)`.
    private func commitment<Suite: CipherSuite>(
        to payload: Span<UInt8>,
        key: Suite.Key,
        vault: VaultID,
        suite: Suite
    ) -> [UInt8] {
        let head = vault.bytes + head
        return suite.withSecretBytes(
            capacity: head.count + payload.count,
            writtenBy: { text in
                text.append(copying: head.span)
                text.append(copying: payload)
            },
            { suite.hash(32, key: key, label: .grant, $0) }
        )
    }

    /// What the signature is of, in `vault`.
    private func signedText(vault: VaultID) -> [UInt8] {
        Label.grant.bytes + vault.bytes + signedBytes
    }
}
