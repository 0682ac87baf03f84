import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Key records of the log, section 8.6: a record that breaks a rule changes nothing.
@Suite("Keyring, key records") struct KeyringAppendTests {
    private let sample: KeySample
    private let group: GroupSample
    private let maker: KeyMaker

    init() throws {
        sample = try KeySample()
        maker = try sample.maker(devices: [sample.device])
        group = try GroupSample(.whenUnlocked, maker: maker, sample: sample)
    }

    /// A keyring that has opened the group and `entries`.
    private func keyring(_ entries: [KeybagEntry] = []) throws -> Keyring {
        var ring = try sample.keyring(.owner)
        let (_, structure) = try maker.structureKey()
        try ring.open(Keybag(entries: structure + group.entries + entries))
        return ring
    }

    /// The observable state of a keyring.
    private struct View: Equatable {
        var matchKeys: Set<GroupEpoch>
        var dataKeys: Set<KeyHandle>
        var entries: [KeyHandle: DataKeyEntry]
        var names: [GroupEpoch: [UInt8]]

        init(_ ring: Keyring) {
            matchKeys = Set(ring.matchKeys.keys)
            dataKeys = Set(ring.dataKeys.keys)
            entries = ring.dataKeyEntries
            names = ring.groupNames
        }
    }

    private func expect(
        _ fault: Fault.Reason,
        appending entry: KeybagEntry,
        to ring: Keyring,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var changed = ring
        #expect(throws: Fault(fault), sourceLocation: sourceLocation) { try changed.append(entry) }
        #expect(View(changed) == View(ring), sourceLocation: sourceLocation)
        // The entry is not remembered either: a second attempt fails for the same reason.
        #expect(throws: Fault(fault), sourceLocation: sourceLocation) { try changed.append(entry) }
    }

    @Test func `a group from the log opens with its data keys`() throws {
        var ring = try keyring()
        let added = try GroupSample(.afterFirstUnlock, name: "added", maker: maker, sample: sample)
        for entry in added.entries { try ring.append(entry) }
        #expect(ring.presence(of: added.handle) == .readable)
        #expect(ring.groupNames[added.group] == Array("added".utf8))
    }

    @Test func `an entry that exists already is a duplicate`() throws {
        let ring = try keyring()
        for entry in group.entries { expect(.duplicate, appending: entry, to: ring) }
    }

    /// Entries for the second device, of a key that is not the vault's.
    @Test(arguments: [17, 18] as [UInt16])
    func `a wrap of a different key than the derived one is rejected`(type: UInt16) throws {
        let wrapping = try WrappingKey(try #require(sample.deviceRoots[sample.otherDevice]), cipher: sample.cipher)
        let entry = try #require(try wraps(for: sample.otherDevice).first { $0.type == type })
        let other = try entry.holding(try sample.cipher.random.key(), under: wrapping)
        // The first device has an entry of the same key, the second keyring has none and derives the key.
        expect(.disagrees, appending: other, to: try keyring())
        var alone = try sample.keyring(.owner)
        let (_, structure) = try sample.maker(devices: []).structureKey()
        try alone.open(
            Keybag(entries: [try sample.passphraseSlot()] + structure + group.groupEntries.filter { $0.type == 19 })
        )
        expect(.commitmentDiffers, appending: other, to: alone)
        #expect(throws: Never.self) { try alone.append(entry) }
    }

    /// The entries with which `device` opens the vault alone.
    private func wraps(for device: DeviceID) throws -> [KeybagEntry] {
        let maker = try sample.maker(devices: [device])
        let again = try GroupSample(.whenUnlocked, maker: maker, sample: sample)
        return try maker.structureKey().entries + again.groupEntries.filter { $0.type == 18 }
    }

    @Test func `a data key or match key of a group without a name is rejected`() throws {
        let added = try GroupSample(.whenUnlocked, name: "added", maker: maker, sample: sample)
        expect(.missing, appending: added.dataEntry, to: try keyring())
        expect(.missing, appending: try #require(added.entries.first { $0.type == 18 }), to: try keyring())
    }

    @Test func `a data key of another epoch of a group is rejected`() throws {
        guard case .dataKey(var entry) = group.dataEntry else { return }
        entry.handle = KeyHandle(countingBytes(from: 1, count: 8).span)
        entry.group.epoch += 1
        expect(.missing, appending: .dataKey(entry), to: try keyring())
    }

    @Test(arguments: [17, 18, 20] as [UInt16])
    func `a key that does not open with its wrapping key changes nothing`(type: UInt16) throws {
        let added = try GroupSample(.always, name: "added", maker: maker, sample: sample)
        let name = try #require(added.groupEntries.first { $0.type == 19 })
        let entries = try maker.structureKey().entries + added.entries
        let broken = try #require(entries.last { $0.type == type }).withBrokenWrap
        var ring = try sample.keyring(.owner)
        let (_, structure) = try sample.maker(devices: []).structureKey()
        try ring.open(Keybag(entries: [try sample.passphraseSlot()] + structure + [name]))
        expect(.notAuthentic, appending: broken, to: ring)
    }

    @Test func `a group with the name of another one is rejected`() throws {
        let id = GroupID(countingBytes(from: 1, count: 8).span)
        let other = GroupEpoch(group: id, epoch: 1)
        let name = try GroupNameEntry(
            name: Array("group".utf8),
            group: other,
            matchKey: try #require(try sample.keyring(.owner).derivedMatchKey(of: other)),
            groupRoot: GroupRoot(userRoot: sample.userRoot, epoch: 1, vault: .sample),
            cipher: sample.cipher
        )
        expect(.duplicate, appending: .groupName(name), to: try keyring())
    }

    /// [VF-29]: these keys exist only while a passphrase does, even if they come from the log.
    @Test(arguments: [true, false])
    func `keys of class 12 need a slot with a passphrase`(hasPassphrase: Bool) throws {
        let added = try GroupSample(.whenPasscodeSetThisDeviceOnly, name: "added", maker: maker, sample: sample)
        var ring = try keyring(hasPassphrase ? [try sample.passphraseSlot()] : [])
        for entry in added.groupEntries { try ring.append(entry) }
        guard hasPassphrase else {
            expect(.disagrees, appending: added.dataEntry, to: ring)
            return
        }
        try ring.append(added.dataEntry)
        #expect(ring.presence(of: added.handle) == .readable)
    }

    @Test func `the log cannot add more entries than a keybag may have`() throws {
        var entries: [KeybagEntry] = []
        let device = try DeviceEntry.made(
            for: .none,
            created: Time(microseconds: 0),
            deviceKey: sample.userRoot,
            vault: .sample
        ).entry
        for number in 0..<8192 - 3 - group.entries.count {
            var device = device
            device.id = DeviceID(littleEndian(UInt128(number)).span)
            entries.append(.device(device))
        }
        let ring = try keyring(entries)
        expect(.limitExceeded(.keybagEntries, value: 8193), appending: .device(device), to: ring)
    }

    /// A device that was absent when a group was made gets its wraps later, after everything that they open.
    @Test func `a wrap opens entries that came before it`() throws {
        let always = try GroupSample(.always, name: "always", maker: maker, sample: sample)
        let (_, structure) = try maker.structureKey()
        let keybag = Keybag(entries: structure + always.entries)
        var owner = try sample.keyring(.ownerOnOtherDevice)
        try owner.open(keybag)
        let wraps = try owner.missingWraps(in: keybag, of: [sample.otherDevice])
        #expect(wraps.map(\.type) == [16, 17, 18])

        var device = try sample.keyring(.otherDeviceAlone)
        try device.open(keybag)
        #expect(device.dataKeys.isEmpty)
        for wrap in wraps { try device.append(wrap) }
        #expect(try device.openWaitingEntries().isEmpty)
        #expect(Set(device.dataKeys.keys) == [always.handle])
        #expect(device.groupNames[always.group] == Array("always".utf8))
        #expect(try owner.missingWraps(in: Keybag(entries: keybag.entries + wraps), of: [sample.otherDevice]).isEmpty)
    }
}

extension KeybagEntry {
    /// The entry with another key.
    fileprivate func holding(_ key: Key, under wrapping: WrappingKey) throws -> KeybagEntry {
        switch self {
        case .alwaysKey(let entry): .alwaysKey(entry.holding(key, under: wrapping))
        case .matchKey(let entry): .matchKey(entry.holding(key, under: wrapping))
        default: self
        }
    }
}
