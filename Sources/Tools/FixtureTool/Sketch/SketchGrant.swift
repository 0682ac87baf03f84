/// A grant, section 3.5, in which everything can be made wrong.
struct SketchGrant {
    /// A group of the payload, with some of its data keys.
    struct Group {
        var group: SketchGroup
        var keys: [SketchDataKey]
    }

    var groups: [Group] = []
    /// Minutes since 1970; 0 for never.
    var expiry: UInt32 = 0
    /// Changes the payload before it is padded.
    var content: (inout [UInt8]) -> Void = { _ in }
    /// The bytes after the content.
    var padding: [UInt8]?
    /// The name in the note for owners, and the ids of the groups for all who have the structure key.
    var noteName = Array("server".utf8)
    var groupIDs: [UInt8]?
    var note: SketchBox.Edit = { _ in }
    var groupsBox: SketchBox.Edit = { _ in }
    /// Changes the note, and the box of the groups, after it is sealed.
    var sealedNote: (inout [UInt8]) -> Void = { _ in }
    var sealedGroups: (inout [UInt8]) -> Void = { _ in }
    /// Changes the key that the commitment is to.
    var committedKey: [UInt8]?
    var signedWith: [UInt8]?
    /// Changes the bytes before the signature.
    var body: (inout [UInt8]) -> Void = { _ in }

    init(_ keys: [SketchDataKey] = []) {
        for key in keys {
            if let index = groups.firstIndex(where: { $0.group.id == key.group.id }) {
                groups[index].keys.append(key)
            } else {
                groups.append(Group(group: key.group, keys: [key]))
            }
        }
    }

    private func payload(_ vault: VaultSketch) -> [UInt8] {
        var bytes = vault.structureKey + u32(vault.epoch) + u32(groups.count)
        for entry in groups {
            bytes += entry.group.id + u32(entry.group.epoch) + u32(entry.group.name.utf8.count)
            bytes += Array(entry.group.name.utf8) + entry.group.matchKey + u32(entry.keys.count)
            for key in entry.keys {
                bytes += key.handle + [key.protection.rawValue, 0, 0, 0] + (key.owner?.id ?? zeros(16)) + key.key
            }
        }
        content(&bytes)
        return bytes + (padding ?? zeros(pad(bytes.count) - bytes.count))
    }

    private func sealedNote(_ vault: VaultSketch, _ head: [UInt8]) -> [UInt8] {
        let key = H(32, vault.userRoot, "note", vault.id)
        var bytes = SketchBox(key, label("note") + vault.id + head, noteName, note).sealed(vault.randomness)
        sealedNote(&bytes)
        return bytes
    }

    private func sealedGroups(_ vault: VaultSketch, _ head: [UInt8]) -> [UInt8] {
        let ids = groupIDs ?? groups.flatMap(\.group.id)
        let key = H(32, vault.structureKey, "granted", vault.id)
        var bytes = SketchBox(key, label("granted") + vault.id + head, ids, groupsBox).sealed(vault.randomness)
        sealedGroups(&bytes)
        return bytes
    }

    /// Returns the entry of type 32.
    func entry(in vault: VaultSketch) -> SketchEntry {
        let publicKey = Primitives.publicKey(vault.randomness.bytes(32, "holder secret"))
        let payload = payload(vault)
        let ephemeral = vault.randomness.bytes(32, "grant ephemeral")
        let sealed = Primitives.sealedBox(publicKey, payload, ephemeral: ephemeral)
        let head = vault.randomness.bytes(16, "grant id") + u64(1_700_000_000_000_000) + publicKey
        var body = head + H(32, committedKey ?? vault.structureKey, "grant", vault.id + head + payload)
        let groups = sealedGroups(vault, head)
        body += u32(sealed.count) + u32(expiry) + u32(groups.count) + sealed + groups + sealedNote(vault, head)
        self.body(&body)
        let signature = Primitives.signature(signedWith ?? vault.teamSecret, label("grant") + vault.id + body)
        return SketchEntry(type: 32, body: body + signature)
    }
}

/// The secret of the holder of a grant, and what it pins.
struct HolderCredential {
    var vault: [UInt8]
    var team: [UInt8]
    var grant: [UInt8]
    var secret: [UInt8]

    typealias Edit = (inout HolderCredential) -> Void

    /// The form in which a vector gives the credential to the reader.
    var unlock: String { "\(vault.hex) \(team.hex) \(grant.hex) \(secret.hex)" }
}

extension VaultSketch {
    /// Returns the entry of a grant of `keys`.
    func grantEntry(_ keys: [SketchDataKey] = [], _ edit: (inout SketchGrant) -> Void = { _ in }) -> SketchEntry {
        var grant = SketchGrant(keys)
        edit(&grant)
        return grant.entry(in: self)
    }

    /// The credential that opens the grant.
    var credential: HolderCredential {
        HolderCredential(
            vault: id,
            team: Primitives.signingPublicKey(teamSecret),
            grant: randomness.bytes(16, "grant id"),
            secret: randomness.bytes(32, "holder secret")
        )
    }
}
