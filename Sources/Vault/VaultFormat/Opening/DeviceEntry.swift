internal import CofferBasics
package import VaultCrypto

/// Type 7: a machine that takes part in a vault.
///
/// Its root is derived from its device key, section 3.2.
package struct DeviceEntry: Equatable, Sendable {
    static let type: UInt16 = 7

    package var id: DeviceID
    package var created: Time
    package var commitment: [UInt8]

    var body: [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: created.microseconds)
        bytes.append(littleEndian: UInt64(0))
        return bytes + commitment
    }

    /// The entry of a device, and its root.
    package static func made(
        for id: DeviceID,
        created: Time,
        deviceKey: Key,
        vault: VaultID
    ) throws(CipherError) -> (entry: DeviceEntry, root: Key) {
        let (root, commitment) = try rootAndCommitment(of: id, deviceKey, vault)
        return (DeviceEntry(id: id, created: created, commitment: commitment), root)
    }

    /// The device root, or nil if the entry was not made with `deviceKey`.
    func root(deviceKey: Key, vault: VaultID) throws(CipherError) -> Key? {
        let (root, expected) = try Self.rootAndCommitment(of: id, deviceKey, vault)
        return areEqual(expected.span, commitment.span) ? root : nil
    }

    /// The root of a device in a vault, and what its entry commits to.
    static func rootAndCommitment(
        of id: DeviceID,
        _ deviceKey: Key,
        _ vault: VaultID
    ) throws(CipherError) -> (key: Key, commitment: [UInt8]) {
        try deviceKey.keyAndCommitment(.device, vault.bytes + id.bytes)
    }

    private init(id: DeviceID, created: Time, commitment: [UInt8]) {
        self.id = id
        self.created = created
        self.commitment = commitment
    }

    init(body reader: inout ByteReader) throws(Fault) {
        id = try reader.readIdentifier()
        created = Time(microseconds: try reader.read())
        try reader.readZeros(8)
        commitment = try reader.readBytes(32)
    }
}

/// Type 5: a slot that opens with an X25519 secret key.
package struct RecipientSlot: Equatable, Sendable {
    static let type: UInt16 = 5

    package var id: SlotID
    package var created: Time
    package var epoch: UInt32
    package var publicKey: [UInt8]
    package var commitment: [UInt8]
    package var sealedRoot: [UInt8]
    /// The signature by the team key, so that a recipient who pins that key cannot be given somebody else's vault.
    package var signature: [UInt8]

    /// The fields that the commitment covers.
    var fields: [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: created.microseconds)
        bytes.append(littleEndian: epoch)
        bytes.append(littleEndian: UInt32(0))
        return bytes + publicKey
    }

    var body: [UInt8] { fields + commitment + sealedRoot + signature }

    /// A slot before the root is sealed into it.
    init(id: SlotID, created: Time, epoch: UInt32, publicKey: [UInt8]) {
        self.id = id
        self.created = created
        self.epoch = epoch
        self.publicKey = publicKey
        commitment = []
        sealedRoot = []
        signature = []
    }

    init(body reader: inout ByteReader) throws(Fault) {
        id = try reader.readIdentifier()
        created = Time(microseconds: try reader.read())
        epoch = try reader.read()
        try reader.readZeros(4)
        publicKey = try reader.readBytes(32)
        commitment = try reader.readBytes(32)
        sealedRoot = try reader.readBytes(80)
        signature = try reader.readBytes(64)
    }
}

/// Type 19: the name of an access group, which opens with its match key.
package struct GroupNameEntry: Equatable, Sendable {
    static let type: UInt16 = 19

    package var group: GroupEpoch
    /// The tag under the group root, so that the match key alone does not allow renaming the group.
    package var tag: [UInt8]
    package var box: [UInt8]

    var body: [UInt8] { group.bytes + [0, 0, 0, 0] + tag + box }

    init(body reader: inout ByteReader) throws(Fault) {
        let groupStart = reader.offset
        group = try GroupEpoch(from: &reader)
        try reader.readZeros(4)
        guard group.group != .none else { throw Fault(.badValue, at: groupStart) }
        tag = try reader.readBytes(32)
        let start = reader.offset
        let boxByteCount = reader.remainingByteCount
        guard boxByteCount >= Padding.unit, boxByteCount.isMultiple(of: Padding.unit) else {
            throw Fault(.badLength, at: start)
        }
        try Limit.groupName.check(
            boxByteCount,
            atMost: Box.byteCount(contentByteCount: Limits.groupNameByteCount),
            at: start
        )
        box = try reader.readBytes(boxByteCount)
    }

    /// Seals `name` under the group's match key, and tags it under the group root.
    package init(
        name: [UInt8],
        group: GroupEpoch,
        matchKey: Key,
        groupRoot: GroupRoot,
        cipher: Cipher
    ) throws(CipherError) {
        precondition((1...Limits.groupNameByteCount).contains(name.count), "a group name has 1 to 1,024 bytes")
        self.group = group
        tag = groupRoot.tag(of: name, group, vault: cipher.vault)
        box = Box.sealed(
            name.span,
            key: try matchKey.derived(.groupName),
            associatedData: Self.associatedData(group, cipher.vault),
            cipher: cipher
        )
    }

    /// The name, in UTF-8.
    package func name(matchKey: Key, vault: VaultID) throws -> [UInt8] {
        let key = try matchKey.derived(.groupName)
        let associatedData = Self.associatedData(group, vault)
        let name = try Box.opened(box.span, key: key, associatedData: associatedData)
        try Limit.groupName.check(name.count, atMost: Limits.groupNameByteCount)
        guard !name.isEmpty, String(validating: name, as: UTF8.self) != nil else { throw Fault(.badValue) }
        return name
    }

    /// Whether the tag for `name` was made with the group root, by the owner of the vault.
    package func isAuthentic(name: [UInt8], groupRoot: GroupRoot, vault: VaultID) -> Bool {
        areEqual(groupRoot.tag(of: name, group, vault: vault).span, tag.span)
    }

    private static func associatedData(_ group: GroupEpoch, _ vault: VaultID) -> [UInt8] {
        Label.groupName.bytes + vault.bytes + group.bytes
    }
}
