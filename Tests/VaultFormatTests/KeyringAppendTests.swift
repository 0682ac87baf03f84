import CofferBasics
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
        _ fault: Fault,
        appending entry: KeybagEntry,
        to ring: Keyring,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var changed = ring
        #expect(throws: fault, sourceLocation: sourceLocation) { try changed.append(entry) }
        #expect(View(changed) == View(ring), sourceLocation: sourceLocation)
        // The entry is not remembered either: a second attempt fails for the same reason.
        #expect(throws: fault, sourceLocation: sourceLocation) { try changed.append(entry) }
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

    @Test(arguments: [17, 18] as [UInt16])
    func `a wrap of a different key than the known one is rejected`(type: UInt16) throws {
        let all = try GroupSample(.always, maker: maker, sample: sample)
        let first = try #require(all.entries.first { $0.type == type })
        let ring = try keyring([first])
        let wrapping = try WrappingKey(try #require(sample.deviceRoots[sample.device]), cipher: sample.cipher)
        let entry = try #require(all.entries.last { $0.type == type })
        let other = try entry.holding(try sample.cipher.random.key(), under: wrapping)
        expect(.disagrees, appending: other, to: ring)
    }

    @Test func `a data key of a group without a match key is rejected`() throws {
        let added = try GroupSample(.whenUnlocked, maker: maker, sample: sample)
        expect(.missing, appending: added.dataEntry, to: try keyring())
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
        let broken = try #require(added.entries.last { $0.type == type }).withBrokenWrap
        let ring = try keyring(type == 17 ? [] : added.classEntries + (type == 20 ? added.groupEntries : []))
        expect(.notAuthentic, appending: broken, to: ring)
    }

    @Test func `a second wrap of a known key must open too`() throws {
        let added = try GroupSample(.always, name: "added", maker: maker, sample: sample)
        for type in [17, 18] as [UInt16] {
            let wraps = added.entries.filter { $0.type == type }
            #expect(wraps.count == 2)
            expect(.notAuthentic, appending: wraps[1].withBrokenWrap, to: try keyring([wraps[0]]))
        }
    }

    @Test func `a group with the name of another one is rejected`() throws {
        let added = try GroupSample(.whenUnlocked, name: "group", maker: maker, sample: sample)
        let matchEntries = added.groupEntries.filter { $0.type == 18 }
        let name = try #require(added.groupEntries.first { $0.type == 19 })
        var ring = try keyring()
        for entry in matchEntries { try ring.append(entry) }
        expect(.duplicate, appending: name, to: ring)
    }

    /// [VF-29]: these keys exist only while a passphrase does, even if they come from the log.
    @Test(arguments: [true, false])
    func `keys of class 12 need a slot with a passphrase`(hasPassphrase: Bool) throws {
        let added = try GroupSample(.whenPasscodeSetThisDeviceOnly, name: "added", maker: maker, sample: sample)
        var ring = try keyring(hasPassphrase ? [try sample.passphraseSlot()] : [])
        for entry in added.groupEntries { try ring.append(entry) }
        guard hasPassphrase else {
            for entry in added.classEntries + [added.dataEntry] { expect(.disagrees, appending: entry, to: ring) }
            return
        }
        for entry in added.classEntries + [added.dataEntry] { try ring.append(entry) }
        #expect(ring.presence(of: added.handle) == .readable)
    }

    @Test func `the log cannot add more entries than a keybag may have`() throws {
        var entries: [KeybagEntry] = []
        let device = try DeviceEntry.entry(
            .none,
            created: Time(microseconds: 0),
            root: sample.userRoot,
            deviceKey: sample.userRoot,
            cipher: sample.cipher
        )
        for number in 0..<4096 - 2 - group.entries.count {
            var device = device
            device.id = DeviceID(littleEndian(UInt128(number)).span)
            entries.append(.device(device))
        }
        let ring = try keyring(entries)
        expect(.limitExceeded(.keybagEntries, value: 4097), appending: .device(device), to: ring)
    }

    /// A device that was absent when a group was made gets its wraps later, after everything that they open.
    @Test func `a wrap opens entries that came before it`() throws {
        let always = try GroupSample(.always, name: "always", maker: maker, sample: sample)
        let (_, structure) = try maker.structureKey()
        let keybag = Keybag(entries: structure + always.entries)
        var owner = try sample.keyring(.ownerOnOtherDevice)
        try owner.open(keybag)
        let wraps = try owner.missingWraps(in: keybag, of: [sample.otherDevice])
        #expect(wraps.map(\.type) == [16, 18, 17])

        var device = try sample.keyring(.otherDeviceAlone)
        try device.open(keybag)
        #expect(device.dataKeys.isEmpty)
        for wrap in wraps { try device.append(wrap) }
        #expect(Set(device.dataKeys.keys) == [always.handle])
        #expect(device.groupNames[always.group] == Array("always".utf8))
        #expect(try owner.missingWraps(in: Keybag(entries: keybag.entries + wraps), of: [sample.otherDevice]).isEmpty)
    }
}

extension KeybagEntry {
    /// The entry with another key.
    fileprivate func holding(_ key: Key, under wrapping: WrappingKey) throws -> KeybagEntry {
        switch self {
        case .classKey(let entry): .classKey(entry.holding(key, under: wrapping))
        case .matchKey(let entry): .matchKey(entry.holding(key, under: wrapping))
        default: self
        }
    }
}
