import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// A keyring without roots, with keys that another process has opened.
@Suite("Keyring of held keys") struct HeldKeyringTests {
    private let sample: KeySample

    init() throws {
        sample = try KeySample()
    }

    /// Held keys with the class key and the match key of `group`.
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

    /// A group, its class key, and a keybag with the entries of both.
    private func group(_ protection: ProtectionClass) throws -> (GroupSample, Key, Keybag) {
        let group = try GroupSample(protection, maker: sample.maker(), sample: sample)
        return (group, group.classKey, Keybag(entries: [try sample.passphraseSlot()] + group.entries))
    }

    @Test(arguments: ProtectionClass.allCases)
    func `held keys open the items of their class`(protection: ProtectionClass) throws {
        let (group, classKey, keybag) = try group(protection)
        var ring = try ring(try held(group, classKey: classKey, protection: protection, devices: [sample.device]))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.groupNames == [group.group: Array("group".utf8)])
        #expect(ring.isUnlocked == (protection == .whenUnlocked))
        #expect(!ring.isOwner)
    }

    @Test func `a key that is not the vault's opens nothing and causes no error`() throws {
        let (group, _, keybag) = try group(.whenUnlocked)
        var keys = try held(group, classKey: try sample.cipher.random.key(), protection: .whenUnlocked)
        keys.matchKeys[group.group] = try sample.cipher.random.key()
        var ring = try ring(keys)
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .locked)
        #expect(ring.matchKeys.isEmpty && ring.groupNames.isEmpty)
        #expect(!ring.isUnlocked)
    }

    @Test func `a key under the wrong name opens nothing`() throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring = try ring(try held(group, classKey: classKey, protection: .afterFirstUnlock))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .locked)
    }

    @Test func `items of a held device are present, even while the vault is locked`() throws {
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

    @Test func `items of a device that is not held are absent`() throws {
        let protection = ProtectionClass.whenUnlockedThisDeviceOnly
        let (group, classKey, keybag) = try group(protection)
        var ring = try ring(try held(group, classKey: classKey, protection: protection))
        try ring.open(keybag)
        #expect(ring.presence(of: group.handle) == .otherDevice)
    }

    @Test func `a vault is not unlocked if a data key that locking releases is missing`() throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        let (_, _, other) = try sample.maker().dataKey(group.group, .whenUnlockedThisDeviceOnly, owner: sample.device)
        let more = Keybag(entries: keybag.entries + [other])
        var here = try ring(try held(group, classKey: classKey, protection: .whenUnlocked, devices: [sample.device]))
        try here.open(more)
        #expect(!here.isUnlocked)
        var elsewhere = try ring(try held(group, classKey: classKey, protection: .whenUnlocked))
        try elsewhere.open(more)
        #expect(elsewhere.isUnlocked)
    }

    // MARK: - Entries that a compaction may fold in

    @Test(arguments: [false, true])
    func `an entry from the log opens only with the key that wraps it, not with the key in it`(
        isOwner: Bool
    ) throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring =
            try isOwner ? sample.keyring(.owner) : ring(held(group, classKey: classKey, protection: .whenUnlocked))
        try ring.open(Keybag(entries: keybag.slots.map(KeybagEntry.slot)))
        for entry in group.entries { try ring.append(entry) }
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.opens(group.dataEntry) == isOwner)
        #expect(group.groupEntries.contains(where: ring.opens) == isOwner)
    }

    @Test(arguments: [false, true])
    func `a data key opens only if the keybag has its group`(hasGroup: Bool) throws {
        let (group, classKey, keybag) = try group(.whenUnlocked)
        var ring = try ring(held(group, classKey: classKey, protection: .whenUnlocked))
        let inside = hasGroup ? group.groupEntries : []
        try ring.open(Keybag(entries: keybag.slots.map(KeybagEntry.slot) + inside))
        for entry in group.entries where !inside.contains(entry) { try ring.append(entry) }
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.opens(group.dataEntry) == hasGroup)
    }

    // MARK: - New data keys

    /// Another process could have left a key that it knows, so that it can read what is sealed under it.
    @Test func `a held key makes data keys only after it has opened one of its class`() throws {
        let (group, classKey, keybag) = try group(.afterFirstUnlock)
        let purpose = DataKeyPurpose(group: group.group, protection: .afterFirstUnlock, owner: .none)
        for isProven in [true, false] {
            var ring = try ring(held(group, classKey: classKey, protection: .afterFirstUnlock))
            try ring.open(Keybag(entries: isProven ? keybag.entries : keybag.entries.filter { $0.type != 20 }))
            guard isProven else {
                #expect(throws: KeyMakingError.locked) { try ring.makeDataKey(for: purpose) }
                continue
            }
            let entry = try ring.makeDataKey(for: purpose)
            try ring.append(.dataKey(entry))
            #expect(ring.presence(of: entry.handle) == .readable)
        }
    }

    @Test(arguments: ProtectionClass.allCases)
    func `after locking, data keys can be made for the classes that stay open`(protection: ProtectionClass) throws {
        let group = try GroupSample(.whenUnlocked, maker: sample.maker(), sample: sample)
        var ring = try sample.keyring(.owner)
        try ring.open(Keybag(entries: [try sample.passphraseSlot()] + group.entries))
        ring.lock(structureKey: (try sample.cipher.random.key(), 1))
        let owner = protection.isBoundToDevice ? sample.device : .none
        let purpose = DataKeyPurpose(group: group.group, protection: protection, owner: owner)
        guard !protection.isReleasedWhenLocked else {
            #expect(throws: KeyMakingError.locked) { try ring.makeDataKey(for: purpose) }
            return
        }
        let entry = try ring.makeDataKey(for: purpose)
        var owned = try sample.keyring(.owner)
        try owned.open(Keybag(entries: [try sample.passphraseSlot()] + group.entries + [.dataKey(entry)]))
        #expect(owned.presence(of: entry.handle) == .readable)
    }
}
