import CofferBasics
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// What a process can do without a root, with only the keys that another process has left.
@Suite("A store opened by held keys", .temporaryDirectory) struct HeldStoreTests {
    @Test(arguments: ProtectionClass.allCases) func `items are read, changed, added and deleted`(
        protection: ProtectionClass
    ) throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        #expect(store.isUnlocked)
        let item = try #require(try store.item("kim", "\(protection)"))
        #expect(try store.text(of: item) == "sesame")
        try store.update(item, "kim", "\(protection)", secret: "open")
        try store.transaction { transaction in
            try transaction.addLogin(protection, account: "zoe")
        }
        let owner = sample.vault.store
        #expect(try owner.password("kim", "\(protection)") == "open")
        let other = try #require(try owner.item("zoe", "\(protection)"))
        #expect(try owner.text(of: other) == "sesame")
        try store.delete(other)
        #expect(try owner.item("zoe", "\(protection)") == nil)
    }

    @Test func `a data key is created for an existing group and protection class`() throws {
        let sample = try HeldSample(protections: [.whenUnlocked])
        let group = Array("com.example.other".utf8)
        _ = try sample.vault.store.transaction { transaction in
            try transaction.addLogin("kim", "mail", "sesame", group: group, protection: .always)
        }
        let store = try sample.opened(sample.keys())
        _ = try store.transaction { transaction in
            try transaction.addLogin("zoe", "mail", "open", group: group)
        }
        let item = try #require(try sample.vault.store.item("zoe", "mail", group: group))
        #expect(try sample.vault.store.text(of: item) == "open")
    }

    private let newGroup = Array("new".utf8)

    private func addToNewGroup(_ store: VaultStore) throws {
        try store.transaction { transaction in
            _ = try transaction.addLogin("kim", "mail", "sesame", group: newGroup)
        }
    }

    @Test(arguments: [ProtectionClass.whenUnlocked, .always]) func `a group is created, and is open to all others`(
        ofItemBefore protection: ProtectionClass
    ) throws {
        let sample = try HeldSample(protections: [protection])
        let (keys, device) = (try sample.keys(), DeviceSample.device)
        let other = try sample.opened(keys)
        let store = try sample.opened(keys, devices: [device])
        try addToNewGroup(store)
        for store in [store, other, sample.vault.store, try sample.opened(keys)] {
            let item = try #require(try store.item("kim", "mail", group: newGroup))
            #expect(try store.text(of: item) == "sesame")
        }
        let alone = try sample.vault.opened(by: .deviceAlone)
        let item = try #require(try alone.item("kim", "mail", group: newGroup))
        #expect(throws: StoreError.locked(item.name)) { try alone.text(of: item) }
        #expect(try sample.vault.store.verify().isIntact)
    }

    @Test func `no group is created by a device alone, nor after locking, nor with a key that is not proven`() throws {
        let sample = try HeldSample()
        #expect(throws: StoreError.keys(.locked)) { try addToNewGroup(sample.vault.opened(by: .deviceAlone)) }
        var keys = try sample.keys()
        let store = try sample.opened(keys)
        store.lock()
        #expect(throws: StoreError.keys(.locked)) { try addToNewGroup(store) }
        keys.classKeys[ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: 1)] =
            try sample.vault.environment.random.key()
        #expect(throws: StoreError.keys(.locked)) { try addToNewGroup(sample.opened(keys)) }
        #expect(try sample.vault.store.read { vault in vault.itemCount } == 7)
    }

    @Test(arguments: [ProtectionClass.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly])
    func `a new protection class is not created, even with the device key`(protection: ProtectionClass) throws {
        let sample = try HeldSample(protections: [.whenUnlocked])
        let store = try sample.opened(sample.keys(), devices: [DeviceSample.device])
        #expect(throws: StoreError.keys(.ownerNeeded)) {
            try store.transaction { transaction in try transaction.addLogin(protection) }
        }
    }

    @Test func `only the owner changes settings`() throws {
        let sample = try HeldSample()
        let change: (VaultStore) throws -> Void = { store in
            try store.transaction { transaction in
                try transaction.change(Settings(revision: 1, values: [:]))
            }
        }
        let store = try sample.opened(sample.keys())
        #expect(throws: StoreError.keys(.ownerNeeded)) { try change(store) }
        try change(sample.vault.store)
    }

    @Test func `nothing of the past is dropped before an owner has decided what is kept`() throws {
        let sample = try HeldSample(protections: [.whenUnlocked])
        var options = StoreOptions()
        (options.dueCompaction, options.logByteCountLimit) = (.never, 0)
        let (path, environment, roots) = (sample.vault.path, sample.vault.environment, sample.roots(try sample.keys()))
        let store = try VaultStore.open(at: path, environment: environment, options: options) { _ in roots }
        let generation = { try store.read { vault in vault.header.generation } }
        #expect(try store.compactionReason() != nil)
        store.compactIfDue()
        #expect(try generation() == 1)
        try sample.vault.store.writeHistorySettings()
        #expect(try store.compactionReason() != nil)
        store.compactIfDue()
        #expect(try generation() == 2)
    }

    // MARK: - Locking

    @Test(arguments: ProtectionClass.allCases) func `locking releases the keys that must not be available`(
        protection: ProtectionClass
    ) throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        let item = try #require(try store.item("kim", "\(protection)"))
        #expect(try store.text(of: item) == "sesame")
        store.lock()
        #expect(!store.isUnlocked)
        #expect(try store.heldKeys() == nil)
        if protection.isReleasedWhenLocked {
            #expect(throws: StoreError.locked(item.name)) { try store.text(of: item) }
        } else {
            #expect(try store.text(of: item) == "sesame")
        }
    }

    @Test(arguments: [false, true]) func `locked items of the device exist, even without its key`(
        isReplaced: Bool
    ) throws {
        let sample = try HeldSample(protections: [.whenUnlockedThisDeviceOnly])
        let store = try sample.opened(sample.keys())
        store.lock()
        if isReplaced { try sample.vault.store.compact() }
        #expect(try store.presences() == ["whenUnlockedThisDeviceOnly locked"])
        #expect(throws: StoreError.keys(.locked)) {
            try store.transaction { transaction in
                try transaction.addLogin(.whenUnlockedThisDeviceOnly, account: "zoe")
            }
        }
    }

    @Test func `a locked store can be unlocked with held keys`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let store = sample.vault.store
        store.lock()
        #expect(!store.isUnlocked)
        try store.unlock { _ in sample.roots(keys) }
        #expect(store.isUnlocked)
        #expect(try store.password("kim", "whenUnlocked") == "sesame")
    }

    // MARK: - Held keys

    @Test func `the held keys include no root`() throws {
        let sample = try HeldSample()
        let roots = sample.vault.roots
        let bytes = try sample.keys().withBytes { [UInt8](copying: $0) }
        let user = try #require(roots.user).key
        for root in [user] + roots.devices.values {
            let rootBytes = root.withBytes { [UInt8](copying: $0) }
            #expect(bytes.indices.allSatisfy { !bytes[$0...].starts(with: rootBytes) })
        }
    }

    @Test func `keys can be passed from one process to the next`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let left = try #require(try sample.opened(keys, devices: [DeviceSample.device]).heldKeys())
        let bytes = keys.withBytes { [UInt8](copying: $0) }
        #expect(left.withBytes { [UInt8](copying: $0) } == bytes)
    }

    @Test func `a locked vault has no keys to pass on`() throws {
        let sample = try HeldSample()
        let device = try sample.vault.opened(by: .deviceAlone)
        #expect(!device.isUnlocked)
        #expect(try device.heldKeys() == nil)
    }

    @Test func `keys saved before there was an item to protect open it too`() throws {
        let sample = try HeldSample(protections: [.always])
        let store = try sample.opened(sample.keys())
        #expect(store.isUnlocked)
        #expect(try store.password("kim", "always") == "sesame")
        _ = try sample.vault.store.transaction { transaction in
            try transaction.addLogin(.whenUnlocked)
        }
        #expect(try store.presences() == ["always always sesame", "whenUnlocked whenUnlocked sesame"])
    }

    // MARK: - Compaction

    @Test func `keys stay valid when the vault is compacted`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let store = try sample.opened(keys)
        try sample.vault.store.compact()
        #expect(try store.password("kim", "whenUnlocked") == "sesame")
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
    }

    @Test func `a compaction with only held keys loses nothing for the owner`() throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        _ = try store.transaction { transaction in
            try transaction.addLogin(.whenUnlocked, account: "zoe")
        }
        try store.compact()
        #expect(try sample.vault.store.presences().count == 8)
        #expect(try sample.vault.store.password("zoe", "whenUnlocked") == "sesame")
        #expect(try store.password("zoe", "whenUnlocked") == "sesame")
    }

    /// A locked store without a device key could never compact.
    ///
    /// It put data keys into the keybag of the new file, but left the match keys of their groups, which it could not
    /// verify, in the log. No reader accepts such a keybag, so the new file was discarded each time.
    @Test func `a locked store without a device key can compact`() throws {
        let sample = try HeldSample()
        let store = try sample.vault.opened(by: .ownerElsewhere)
        store.lock()
        try store.compact()
        #expect(try sample.vault.store.presences().count == 7)
        #expect(try sample.vault.store.password("kim", "whenUnlocked") == "sesame")
    }

    // MARK: - Keys that do not match the vault

    @Test(arguments: [false, true]) func `an outdated structure key opens no vault`(isOfSameEpoch: Bool) throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        if isOfSameEpoch {
            keys.structureKey.key = try sample.vault.environment.random.key()
        } else {
            keys.structureKey.epoch += 1
        }
        #expect(throws: StoreError.vault(.noMatch, path: sample.vault.path)) { try sample.opened(keys) }
    }

    @Test func `an outdated class key opens nothing, and the rest can be read`() throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        let name = ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: 1)
        keys.classKeys[name] = try sample.vault.environment.random.key()
        let store = try sample.opened(keys)
        #expect(!store.isUnlocked)
        let item = try #require(try store.item("kim", "whenUnlocked"))
        #expect(throws: StoreError.locked(item.name)) { try store.text(of: item) }
        #expect(try store.password("kim", "afterFirstUnlock") == "sesame")
    }

    @Test func `an outdated match key is made again from the group root, and else closes its group`() throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        for group in keys.matchKeys.keys { keys.matchKeys[group] = try sample.vault.environment.random.key() }
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
        keys.classKeys[ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: 1)] = nil
        let store = try sample.opened(keys)
        #expect(try store.item("kim", "whenUnlocked") == nil)
        #expect(try store.read { vault in vault.keyring.hasClosedGroups })
    }
}
