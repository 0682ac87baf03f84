import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Which keys open with which roots: the table of classes in section 3.3.
@Suite("Keyring") struct KeyringTests {
    private let sample: KeySample

    init() throws {
        sample = try KeySample()
    }

    /// Whether a holder can read an item of a class, which belongs to the first device or to none.
    private static func expectation(
        _ protection: ProtectionClass,
        _ holder: Holder
    ) -> Keyring.Presence {
        switch protection {
        case .whenUnlocked, .afterFirstUnlock: holder.hasUserRoot ? .readable : .locked
        case .always: .readable
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
            switch holder {
            case .owner: .readable
            case .deviceAlone: .locked
            case .ownerElsewhere, .ownerOnOtherDevice, .otherDeviceAlone: .otherDevice
            }
        case .alwaysThisDeviceOnly: holder == .owner || holder == .deviceAlone ? .readable : .otherDevice
        }
    }

    @Test(arguments: ProtectionClass.allCases, Holder.allCases)
    func `each class opens with the roots that it needs`(protection: ProtectionClass, holder: Holder) throws {
        let maker = try sample.maker()
        let group = try GroupSample(protection, maker: maker, sample: sample)
        let (_, structure) = try maker.structureKey()
        let keybag = Keybag(entries: [try sample.passphraseSlot()] + structure + group.entries)
        var ring = try sample.keyring(holder)
        try ring.open(try Keybag(parsing: keybag.encoded, fileOffset: 256))
        let expected = Self.expectation(protection, holder)
        #expect(ring.presence(of: group.handle) == expected)
        let key = ring.dataKeys[group.handle].map(\.bytes)
        #expect(key == (expected == .readable ? group.dataKey.bytes : nil))
    }

    @Test(arguments: [Holder.owner, .ownerElsewhere, .deviceAlone, .otherDeviceAlone])
    func `match keys and names open for the owner and for each device`(holder: Holder) throws {
        let group = try GroupSample(.whenUnlocked, name: "türen", maker: sample.maker(), sample: sample)
        var ring = try sample.keyring(holder)
        try ring.open(Keybag(entries: group.entries))
        #expect(ring.matchKeys[group.group].map(\.bytes) == group.matchKey.bytes)
        #expect(ring.groupNames == [group.group: Array("türen".utf8)])
    }

    @Test func `without any root nothing opens and nothing fails`() throws {
        let group = try GroupSample(.whenUnlocked, maker: sample.maker(), sample: sample)
        var ring = try Keyring(roots: .init(user: nil, devices: [:]), cipher: sample.cipher)
        try ring.open(Keybag(entries: group.entries))
        #expect(ring.matchKeys.isEmpty && ring.dataKeys.isEmpty && ring.groupNames.isEmpty)
        #expect(ring.presence(of: group.handle) == .locked)
        #expect(!ring.isOwner)
    }

    @Test(arguments: Holder.allCases) func `every holder gets the same structure key`(holder: Holder) throws {
        let (key, entries) = try sample.maker(epoch: 7).structureKey()
        let found = try sample.keyring(holder, epoch: 7).structureKey(in: Keybag(entries: entries))
        let (foundKey, epoch) = try #require(found, "nothing opened")
        #expect(foundKey.bytes == key.bytes)
        #expect(epoch == 7)
    }

    @Test func `a structure key that no root here opens is nil`() throws {
        let (_, entries) = try sample.maker(devices: [sample.otherDevice]).structureKey()
        let found = try sample.keyring(.deviceAlone).structureKey(in: Keybag(entries: entries))
        #expect(found == nil)
    }

    @Test func `a data key without its class key is locked, and one without an entry is destroyed`() throws {
        let group = try GroupSample(.whenUnlocked, maker: sample.maker(), sample: sample)
        var ring = try sample.keyring(.deviceAlone)
        try ring.open(Keybag(entries: group.entries))
        #expect(ring.presence(of: group.handle) == .locked)
        #expect(ring.presence(of: .none) == .destroyed)
    }

    @Test func `the order of the entries does not matter`() throws {
        let group = try GroupSample(.always, maker: sample.maker(), sample: sample)
        var ring = try sample.keyring(.owner)
        let (_, structure) = try sample.maker().structureKey()
        try ring.open(Keybag(entries: (structure + group.entries).reversed()))
        #expect(ring.presence(of: group.handle) == .readable)
        #expect(ring.groupNames.count == 1)
    }

    // MARK: - Previous roots

    @Test(arguments: [ProtectionClass.whenUnlocked, .whenUnlockedThisDeviceOnly], [true, false])
    func `class keys of an earlier epoch open as long as their user root is kept`(
        protection: ProtectionClass,
        isKept: Bool
    ) throws {
        let earlierRoot = try sample.cipher.random.key()
        let earlier = try sample.maker(userRoot: earlierRoot, epoch: 1)
        let group = try GroupSample(protection, maker: earlier, sample: sample)
        let wrapping = try WrappingKey(sample.userRoot, cipher: sample.cipher)
        let root = PreviousRootEntry(epoch: 1)
            .holding(earlierRoot, under: wrapping)
        // The name of the group would have a tag under the current root; here the device's match key is enough.
        let entries = group.entries.filter { $0.type != 19 }
        var ring = try sample.keyring(.owner, epoch: 2)
        try ring.open(Keybag(entries: entries + (isKept ? [.previousRoot(root)] : [])))
        #expect(ring.presence(of: group.handle) == (isKept ? .readable : .locked))
    }

    // MARK: - Entries that must not open

    @Test(arguments: [16, 17, 18, 20] as [UInt16])
    func `a wrap that its own root does not open is an error, even if another one opens`(type: UInt16) throws {
        let maker = try sample.maker(devices: [sample.device])
        let group = try GroupSample(.always, maker: maker, sample: sample)
        let (_, structure) = try maker.structureKey()
        var entries = structure + group.entries
        let index = try #require(entries.lastIndex { $0.type == type })
        entries[index] = entries[index].withBrokenWrap
        var ring = try sample.keyring(.owner)
        #expect(throws: Fault(.notAuthentic)) { try ring.open(Keybag(entries: entries)) }
    }

    @Test func `a forged group name is rejected if the user root is available`() throws {
        let group = try GroupSample(.whenUnlocked, maker: sample.maker(), sample: sample)
        let name = try GroupNameEntry(
            name: Array("other".utf8),
            group: group.group,
            matchKey: group.matchKey,
            groupRoot: GroupRoot(userRoot: sample.cipher.random.key(), epoch: 1, vault: .sample),
            cipher: sample.cipher
        )
        let keybag = Keybag(entries: group.groupEntries.filter { $0.type == 18 } + [.groupName(name)])
        var owner = try sample.keyring(.owner)
        #expect(throws: Fault(.notAuthentic)) { try owner.open(keybag) }
        var device = try sample.keyring(.deviceAlone)
        try device.open(keybag)
        #expect(device.groupNames[group.group] == Array("other".utf8))
    }
}

extension KeybagEntry {
    /// The entry with a changed byte in its sealed part.
    var withBrokenWrap: KeybagEntry {
        func broken<Entry: WrappedKeyEntry>(_ entry: Entry) -> Entry {
            var entry = entry
            entry.wrap.sealed[30] ^= 1
            return entry
        }
        return switch self {
        case .structureKey(let entry): .structureKey(broken(entry))
        case .alwaysKey(let entry): .alwaysKey(broken(entry))
        case .matchKey(let entry): .matchKey(broken(entry))
        case .dataKey(let entry): .dataKey(broken(entry))
        default: self
        }
    }
}
