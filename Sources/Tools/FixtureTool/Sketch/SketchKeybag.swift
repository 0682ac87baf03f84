/// The keybag of section 3.
struct SketchKeybag {
    var entries: [SketchEntry] = []
    /// Replaces the number of entries.
    var count: UInt32?
    var reserved = zeros(4)
    /// Bytes after the last entry, before the zeros.
    var end: [UInt8] = []

    var bytes: [UInt8] {
        let bytes = u32(count ?? UInt32(entries.count)) + reserved + entries.flatMap(\.bytes) + end
        return Mutation.applied(to: bytes.filledToUnit)
    }

    mutating func append(_ entry: SketchEntry) { entries.append(entry) }

    /// Replaces the first entry of the same type.
    mutating func replace(with entry: SketchEntry) {
        guard let index = entries.firstIndex(where: { $0.type == entry.type }) else {
            preconditionFailure("there is no entry of type \(entry.type) to replace")
        }
        entries[index] = entry
    }

    mutating func remove(type: UInt16) { entries.removeAll { $0.type == type } }

    /// Changes the first entry of `type`.
    mutating func change(_ type: UInt16, _ edit: (inout SketchEntry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.type == type }) else {
            preconditionFailure("there is no entry of type \(type) to change")
        }
        edit(&entries[index])
    }
}

/// An entry of the keybag.
struct SketchEntry {
    var type: UInt16
    var flags: UInt16 = 0
    /// Replaces the length of the body.
    var length: UInt32?
    var body: [UInt8]

    var bytes: [UInt8] { u16(type) + u16(flags) + u32(length ?? UInt32(body.count)) + body }

    /// Returns an entry of a type that no version defines.
    static func unknown(isCritical: Bool = false) -> SketchEntry {
        SketchEntry(type: 99, flags: isCritical ? 1 : 0, body: Array("from the future".utf8))
    }
}

// The team of a vault, which signs headers, recipient slots, grants and settings.

extension VaultSketch {
    var teamSecret: [UInt8] { randomness.bytes(32, "team secret") }

    /// Returns an entry of type 21: the team secret under UR.
    func teamKeyEntry(_ edit: SketchWrap.Edit = { _ in }) -> SketchEntry {
        let fields = Primitives.signingPublicKey(teamSecret)
        return sealed(SketchWrap(type: 21, key: teamSecret, fields: fields, wrappingKey: userRoot), edit)
    }

    /// Returns an entry of type 5: a slot for the holder of the key `recipient secret`, section 3.1.
    func recipientEntry(
        epoch: UInt32 = 1,
        reserved: [UInt8] = zeros(4),
        committedKey: [UInt8]? = nil,
        box: (inout [UInt8]) -> Void = { _ in },
        signedWith secret: [UInt8]? = nil
    ) -> SketchEntry {
        let publicKey = Primitives.publicKey(randomness.bytes(32, "recipient secret"))
        let fields = randomness.bytes(16, "recipient slot id") + u64(1_700_000_000_000_000) + u32(epoch) + reserved
        var body = fields + publicKey
        body += H(32, committedKey ?? userRoot, "commit", id + u16(5) + body)
        var sealed = Primitives.sealedBox(publicKey, userRoot, ephemeral: randomness.bytes(32, "recipient ephemeral"))
        box(&sealed)
        body += sealed
        let signature = Primitives.signature(secret ?? teamSecret, label("slot") + id + u16(5) + body)
        return SketchEntry(type: 5, body: body + signature)
    }

    /// The credential that opens the slot of `recipientEntry`.
    var recipientCredential: HolderCredential {
        HolderCredential(
            vault: id,
            team: Primitives.signingPublicKey(teamSecret),
            grant: randomness.bytes(16, "recipient slot id"),
            secret: randomness.bytes(32, "recipient secret")
        )
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
