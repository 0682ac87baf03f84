import CofferBasics
import Testing
import VaultCrypto
import VaultFormat

/// A keyring without roots, which opens what the keys that another has opened are good for.
@Suite("Keyring of held keys") struct HeldKeyringTests {
    private let sample: KeySample

    init() throws {
        sample = try KeySample()
    }

    /// The keys of a group, by their names.
    private func held(
        _ group: GroupSample,
        classKey: Key,
        protection: ProtectionClass,
        devices: Set<DeviceID> = []
    ) throws -> HeldKeys {
        let owner = protection.isBoundToDevice ? sample.device : .none
        return HeldKeys(
            structureKey: (try sample.cipher.random.key(), 1),
            classKeys: [ClassKeyName(protection: protection, owner: owner, epoch: 1): classKey],
            matchKeys: [group.group: group.matchKey],
            devices: devices
        )
    }

    private func ring(_ held: HeldKeys) throws -> Keyring {
        var roots = Keyring.Roots(user: nil, devices: [:])
        roots.held = held
        return try Keyring(roots: roots, cipher: sample.cipher)
    }

    /// A group, the key of its class, and the entries of both.
    private func group(_ protection: ProtectionClass) throws -> (GroupSample, Key, Keybag) {
        let group = try GroupSample(protection, maker: sample.maker(), sample: sample)
        return (group, group.classKey, Keybag(entries: [try sample.passphraseSlot()] + group.entries))
    }

    @Test(arguments: ProtectionClass.allCases) func `held keys open what they are for`(protection: ProtectionClass)
        throws
    {
        let (group, classKey, keybag) = try group(protection)
        var ring = try ring(try held(group, classKey: classKey, protection: protection, devices: [sample.device]))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.groupNames == [group.group: Array("group".utf8)])
        #expect(ring.isUnlocked == protection.endsWhenLocked)
        #expect(!ring.isOwner)
    }

    @Test func `a key that is not the one of the vault opens nothing, and nothing fails`() throws {
        let (group, _, keybag) = try group(.whenUnlocked)
        var keys = try held(group, classKey: try sample.cipher.random.key(), protection: .whenUnlocked)
        keys.matchKeys[group.group] = try sample.cipher.random.key()
        var ring = try ring(keys)
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .locked)
        #expect(ring.matchKeys.isEmpty && ring.groupNames.isEmpty)
        #expect(!ring.isUnlocked)
    }

    @Test func `a key under the name of another opens nothing`() throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring = try ring(try held(group, classKey: classKey, protection: .afterFirstUnlock))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .locked)
    }

    @Test func `items of a device are here whose key was held, and stay here while the vault is locked`() throws {
        let protection = ProtectionClass.whenUnlockedThisDeviceOnly
        let (group, classKey, keybag) = try group(protection)
        let key = try sample.cipher.random.key()
        var ring = try ring(try held(group, classKey: classKey, protection: protection, devices: [sample.device]))
        try ring.open(keybag)
        ring.lock(structureKey: (key, 1))
        #expect(ring.presence(of: group.handle) == .locked)
        #expect(ring.roots.held?.classKeys.isEmpty == true)
        var later = try Keyring(roots: ring.roots, cipher: sample.cipher)
        try later.open(keybag)
        #expect(later.presence(of: group.handle) == .locked)
    }

    @Test func `items of a device that is not among the held are not here`() throws {
        let protection = ProtectionClass.whenUnlockedThisDeviceOnly
        let (group, classKey, keybag) = try group(protection)
        var ring = try ring(try held(group, classKey: classKey, protection: protection))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .otherDevice)
    }

    @Test func `a vault is not unlocked for who lacks one of the keys that end when it is locked`() throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        let other = try sample.maker().classKey(.whenUnlockedThisDeviceOnly, owner: sample.device)
        let more = Keybag(entries: keybag.entries + other.entries)
        var here = try ring(try held(group, classKey: classKey, protection: .whenUnlocked, devices: [sample.device]))
        try here.open(more)
        #expect(!here.isUnlocked)
        var elsewhere = try ring(try held(group, classKey: classKey, protection: .whenUnlocked))
        try elsewhere.open(more)
        #expect(elsewhere.isUnlocked)
    }

    // MARK: - What a compaction may take for good

    @Test(arguments: [false, true])
    func `what the log brings is told to open by who has opened its wrap, not by who has the key`(
        isOwner: Bool
    ) throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring =
            try isOwner ? sample.keyring(.owner) : ring(held(group, classKey: classKey, protection: .whenUnlocked))
        try ring.open(Keybag(entries: keybag.slots.map(KeybagEntry.slot)))
        for entry in group.entries { try ring.append(entry) }
        #expect(ring.presence(of: group.handle) == .readable)
        for entry in [group.dataEntry] + group.classEntries { #expect(ring.opens(entry) == isOwner) }
        #expect(group.groupEntries.contains(where: ring.opens) == isOwner)
    }

    @Test(arguments: [false, true], [false, true])
    func `a data key is told to open where the keybag has its class and its group`(
        hasClass: Bool,
        hasGroup: Bool
    ) throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring = try ring(held(group, classKey: classKey, protection: .whenUnlocked))
        let inside = (hasClass ? group.classEntries : []) + (hasGroup ? group.groupEntries : [])
        try ring.open(Keybag(entries: keybag.slots.map(KeybagEntry.slot) + inside))
        for entry in group.entries where !inside.contains(entry) { try ring.append(entry) }
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.opens(group.dataEntry) == (hasClass && hasGroup))
    }
}
