// The team of a vault, which signs headers, recipient slots, grants and settings.

extension VaultSketch {
    var teamSecret: [UInt8] { randomness.bytes(32, "team secret") }

    /// Returns an entry of type 21: the team secret under UR.
    func teamKeyEntry(_ edit: SketchWrap.Edit = { _ in }) -> SketchEntry {
        let fields = Primitives.signingPublicKey(teamSecret)
        return sealed(SketchWrap(type: 21, key: teamSecret, fields: fields, wrappingKey: userRoot), edit)
    }

    /// Returns an entry of type 5: a slot for the holder of the key `recipient secret`, section 3.1.
    func recipientEntry(epoch: UInt32 = 1, reserved: [UInt8] = zeros(4)) -> SketchEntry {
        let publicKey = Primitives.publicKey(randomness.bytes(32, "recipient secret"))
        let fields = randomness.bytes(16, "recipient slot id") + u64(1_700_000_000_000_000) + u32(epoch) + reserved
        var body = fields + publicKey
        body += H(32, userRoot, "commit", id + u16(5) + body)
        body += Primitives.sealedBox(publicKey, userRoot, ephemeral: randomness.bytes(32, "recipient ephemeral"))
        return SketchEntry(type: 5, body: body + Primitives.signature(teamSecret, label("slot") + id + u16(5) + body))
    }

    /// Returns an entry of type 32: a grant of no group, section 3.5; `edit` changes the signed bytes.
    func grantEntry(_ edit: (inout [UInt8]) -> Void = { _ in }) -> SketchEntry {
        let publicKey = Primitives.publicKey(randomness.bytes(32, "holder secret"))
        let content = structureKey + u32(epoch) + u32(0)
        let payload = content + zeros(pad(content.count) - content.count)
        let sealed = Primitives.sealedBox(publicKey, payload, ephemeral: randomness.bytes(32, "grant ephemeral"))
        var body = randomness.bytes(16, "grant id") + u64(1_700_000_000_000_000) + publicKey
        body += H(32, structureKey, "grant", id + body + payload) + u32(sealed.count) + zeros(4) + sealed
        edit(&body)
        return SketchEntry(type: 32, body: body + Primitives.signature(teamSecret, label("grant") + id + body))
    }

    /// Returns a settings record, section 8.7.
    func settings(
        revision: UInt64 = 1,
        archive: [UInt8]? = nil,
        archiveByteCount: Int? = nil,
        reserved: [UInt8] = zeros(4),
        signedWith secret: [UInt8]? = nil
    ) -> SketchRecord {
        let archive = archive ?? canonicalArchive(["compression": .scalar(.bool(true)), "historyDays": .int(30)])
        let body = u64(revision) + u32(archiveByteCount ?? archive.count) + reserved + archive
        let signature = Primitives.signature(secret ?? teamSecret, label("settings") + id + body)
        return SketchRecord(kind: 4, body: body + signature)
    }
}
