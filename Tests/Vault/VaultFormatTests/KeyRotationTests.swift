import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Key rotation") struct KeyRotationTests {
    private let sample: KeySample
    private let recipientSecret: Key
    private let newRoot: Key

    init() throws {
        sample = try KeySample()
        recipientSecret = try sample.cipher.random.key()
        newRoot = try sample.cipher.random.key()
    }

    /// The keybag of a vault with a passphrase, and `others`.
    private func keybag(_ others: [KeybagEntry] = [], devices: [DeviceID]? = nil) throws -> Keybag {
        let maker = try sample.maker(devices: devices)
        let group = try GroupSample(.whenUnlocked, maker: maker, sample: sample)
        let (_, structure) = try maker.structureKey()
        return Keybag(entries: [try sample.passphraseSlot()] + structure + group.entries + others)
    }

    private func teamKey() throws -> (seed: Key, entry: KeybagEntry, publicKey: [UInt8]) {
        let entry = try sample.maker().teamKey()
        let keyring = try sample.keyring(.owner)
        let seed = try #require(try keyring.teamSecret(in: Keybag(entries: [entry])))
        return (seed, entry, seed.signingPublicKey)
    }

    private func recipient(_ root: Key, teamSecret: Key, id: UInt8 = 5) throws -> RecipientSlot {
        try RecipientSlot(
            sealing: root,
            epoch: 1,
            id: SlotID([UInt8](repeating: id, count: 16).span),
            created: Time(microseconds: 7),
            publicKey: recipientSecret.publicKey,
            teamSecret: teamSecret,
            cipher: sample.cipher
        )
    }

    private func order(_ change: (inout RotationRequest) -> Void = { _ in }) throws -> RotationRequest {
        let maker = SlotMaker(
            userRoot: newRoot,
            epoch: 2,
            created: Time(microseconds: 0),
            limits: .weak,
            cipher: sample.cipher
        )
        let slot = try maker.passphraseSlot([2].span, parameters: Argon2Parameters(operations: 1, memoryKiB: 8))
        var order = RotationRequest(
            userRoot: newRoot,
            epoch: 2,
            entries: [.slot(slot)],
            newDeviceRoots: [:]
        )
        change(&order)
        return order
    }

    private func rotated(
        _ keybag: Keybag,
        by holder: Holder = .owner,
        _ order: RotationRequest
    ) throws -> KeyChange {
        var keyring = try sample.keyring(holder)
        try keyring.open(keybag)
        return try keyring.rotated(keybag, records: [], order)
    }

    private func root(in slot: RecipientSlot) throws -> Key {
        var box = slot.sealedRoot
        var span = box.mutableSpan
        guard SealedBox.open(&span, secret: recipientSecret) else { throw KeyChangeObstacle.noSlotLeft }
        return try Key(copying: span.span.extracting(48..<80))
    }

    private func areEqual(_ one: Key, _ other: Key) -> Bool { one.bytes == other.bytes }

    @Test func `a recipient gets the new root, signed by the team`() throws {
        let team = try teamKey()
        let slot = try recipient(sample.userRoot, teamSecret: team.seed)
        #expect(areEqual(try root(in: slot), sample.userRoot))
        let change = try rotated(try keybag([team.entry, .recipient(slot)]), order())
        let renewed = try #require(change.keybag.recipients.first)
        #expect((renewed.id, renewed.created, renewed.publicKey) == (slot.id, slot.created, slot.publicKey))
        #expect(renewed.epoch == 2)
        #expect(areEqual(try root(in: renewed), newRoot))
        let signed = Label.slot.bytes + VaultID.sample.bytes + [5, 0]
        let body = KeybagEntry.recipient(renewed).encoded.dropFirst(8).prefix(176)
        let text = signed + body
        let isSigned = Ed25519.verify(
            signature: renewed.signature.span,
            of: text.span,
            publicKey: team.publicKey
        )
        #expect(isSigned)
        #expect(change.omittedRecipients.isEmpty)
    }

    /// Someone with only the structure key can add a slot, but cannot make its commitment to the root or its signature.
    @Test(arguments: [false, true]) func `a forged recipient slot does not get the new root`(hasRoot: Bool) throws {
        let team = try teamKey()
        let secret = hasRoot ? try sample.cipher.random.key() : team.seed
        let forged = try recipient(hasRoot ? sample.userRoot : newRoot, teamSecret: secret)
        let change = try rotated(try keybag([team.entry, .recipient(forged)]), order())
        #expect(change.keybag.recipients.isEmpty)
        #expect(change.omittedRecipients == [forged.id])
    }

    @Test func `a removed recipient does not get the new root, and an unknown one cannot be removed`() throws {
        let team = try teamKey()
        let slots = try [
            recipient(sample.userRoot, teamSecret: team.seed), recipient(sample.userRoot, teamSecret: team.seed, id: 6),
        ]
        let keybag = try keybag([team.entry] + slots.map { .recipient($0) })
        let change = try rotated(keybag, order { $0.removedRecipients = [slots[0].id] })
        #expect(change.keybag.recipients.map(\.id) == [slots[1].id])
        #expect(change.omittedRecipients.isEmpty)
        let other = SlotID([UInt8](repeating: 9, count: 16).span)
        #expect(throws: KeyChangeObstacle.slotIsUnknown(other)) {
            try rotated(keybag, order { $0.removedRecipients = [other] })
        }
    }

    @Test func `an unknown grant cannot be revoked`() throws {
        let unknown = GrantID([UInt8](repeating: 9, count: 16).span)
        #expect(throws: KeyChangeObstacle.grantIsUnknown(unknown)) {
            try rotated(try keybag([]), order { $0.revokedGrants = [unknown] })
        }
    }

    @Test func `entries of unknown type are kept`() throws {
        let unknown = KeybagEntry.unknown(type: 99, body: [1, 2, 3])
        #expect(try rotated(try keybag([unknown]), order()).keybag.entries.contains(unknown))
    }

    /// A keybag with a slot and a grant of unknown kinds.
    private func keybagWithUnknownWays() throws -> Keybag {
        let head = [UInt8](repeating: 8, count: 24)
        let ways: [KeybagEntry] = [
            .unknown(type: 8, body: head + littleEndian(UInt32(1)) + [9]), .unknown(type: 33, body: head + [9]),
        ]
        let bytes = try keybag(ways).encoded
        let parsed = try Keybag(parsing: bytes, fileOffset: 0)
        #expect(parsed.encoded == bytes && parsed.unknownWays.map(\.kind) == [.slot, .grant])
        return parsed
    }

    @Test func `slots and grants of unknown kinds are left out and named`() throws {
        let change = try rotated(keybagWithUnknownWays(), order())
        #expect(change.omittedWays.map(\.type) == [8, 33])
        #expect(change.keybag.unknownWays.isEmpty)
    }

    @Test func `slots of unknown kinds stay with the root, and grants go with their keys`() throws {
        let old = try keybagWithUnknownWays()
        let change = try rotated(
            old,
            order { order in
                (order.userRoot, order.rootEpoch, order.groups) = (sample.userRoot, 1, [])
                order.entries = old.entries.filter { if case .slot = $0 { true } else { false } }
            }
        )
        #expect(change.omittedWays.map(\.type) == [33])
        #expect(change.keybag.unknownWays.map(\.type) == [8])
    }

    @Test func `a rotation requires the user root`() throws {
        let keybag = try keybag()
        #expect(throws: KeyChangeObstacle.ownerNeeded) { try rotated(keybag, by: .deviceAlone, order()) }
    }

    @Test func `a rotation is refused if the match key of a group is missing`() throws {
        // No user root is that old.
        let (group, _, entries) = try sample.maker(devices: [], epoch: 0).group(named: Array("closed".utf8))
        let keybag = try keybag(entries)
        #expect(throws: KeyChangeObstacle.groupIsClosed(group.group)) { try rotated(keybag, order()) }
    }

    @Test func `a rotation is refused if a data key is locked`() throws {
        let stale = try GroupSample(.afterFirstUnlock, name: "locked", maker: sample.maker(), sample: sample)
        // The user root of its class key is missing.
        let (_, _, locked) = try sample.maker(epoch: 0).dataKey(stale.group, .afterFirstUnlock)
        let keybag = try keybag(stale.groupEntries + [locked])
        #expect(throws: KeyChangeObstacle.locked(stale.group.group, .afterFirstUnlock)) { try rotated(keybag, order()) }
    }

    @Test func `items of an absent device stay, with the root that they need`() throws {
        let theirs = try GroupSample(
            .whenUnlockedThisDeviceOnly,
            owner: sample.otherDevice,
            name: "theirs",
            maker: try sample.maker(),
            sample: sample
        )
        let old = try keybag(theirs.entries)
        let change = try rotated(old, order())
        let kept = change.keybag.entries.filter { old.entries.contains($0) }
        #expect(Set(kept.map(\.type)) == [20])
        #expect(kept.count == 1)
        let roots = change.keybag.entries.filter { $0.type == 22 }
        #expect(roots.count == 1)
        guard case .stays? = change.dataKeys[theirs.handle] else {
            Issue.record("the fate is \(String(describing: change.dataKeys[theirs.handle]))")
            return
        }
        var back = try Keyring(
            roots: .init(user: (newRoot, 2), devices: sample.deviceRoots.filter { $0.key == sample.otherDevice }),
            cipher: sample.cipher
        )
        try back.open(change.keybag)
        #expect(areEqual(try #require(back.dataKeys[theirs.handle]), theirs.dataKey))
        #expect(back.group(named: Array("theirs".utf8))?.epoch == 2)
        #expect(back.staleDataKeys.map(\.handle) == [theirs.handle])
        let settled = try back.changeForReturningDevices(change.keybag, records: [])
        #expect(settled.keybag.entries.count { $0.type == 22 } == 0)
    }
}
