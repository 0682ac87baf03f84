import CofferBasics
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// What a process can do that has no root, only the keys that another one has left.
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
        try store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin(protection, account: "zoe")
        }
        let owner = sample.vault.store
        #expect(try owner.password("kim", "\(protection)") == "open")
        let other = try #require(try owner.item("zoe", "\(protection)"))
        #expect(try owner.text(of: other) == "sesame")
        try store.delete(other)
        #expect(try owner.item("zoe", "\(protection)") == nil)
    }

    @Test func `a data key is made for a group and a protection that are there`() throws {
        let sample = try HeldSample(protections: [.whenUnlocked])
        let group = Array("com.example.other".utf8)
        _ = try sample.vault.store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin("kim", "mail", "sesame", group: group, protection: .always)
        }
        let store = try sample.opened(sample.keys())
        _ = try store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin("zoe", "mail", "open", group: group)
        }
        let item = try #require(try sample.vault.store.item("zoe", "mail", group: group))
        #expect(try sample.vault.store.text(of: item) == "open")
    }

    @Test func `a group that is not there is not made`() throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        #expect(throws: StoreError.keys(.locked)) {
            try store.transaction { (transaction) throws(StoreError) in
                _ = try transaction.addLogin("kim", "mail", "sesame", group: Array("new".utf8))
            }
        }
        #expect(try sample.vault.store.read { (vault) throws(StoreError) in vault.itemCount } == 7)
    }

    @Test(arguments: [ProtectionClass.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly])
    func `a protection that no item has is not made, with the device key neither`(protection: ProtectionClass) throws {
        let sample = try HeldSample(protections: [.whenUnlocked])
        let store = try sample.opened(sample.keys(), devices: [DeviceSample.device])
        #expect(throws: StoreError.keys(.locked)) {
            try store.transaction { (transaction) throws(StoreError) in try transaction.addLogin(protection) }
        }
    }

    @Test func `settings are changed by the owner alone`() throws {
        let sample = try HeldSample()
        let change: (VaultStore) throws(StoreError) -> Void = { store throws(StoreError) in
            try store.transaction { (transaction) throws(StoreError) in
                try transaction.change(Settings(revision: 1, values: [:]))
            }
        }
        let store = try sample.opened(sample.keys())
        #expect(throws: StoreError.keys(.locked)) { try change(store) }
        try change(sample.vault.store)
    }

    // MARK: - Locking

    @Test(arguments: ProtectionClass.allCases) func `what must not be at hand is let go`(
        protection: ProtectionClass
    ) throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        let item = try #require(try store.item("kim", "\(protection)"))
        #expect(try store.text(of: item) == "sesame")
        store.lock()
        #expect(!store.isUnlocked)
        #expect(try store.heldKeys() == nil)
        if protection.endsWhenLocked {
            #expect(throws: StoreError.locked(item.name)) { try store.text(of: item) }
        } else {
            #expect(try store.text(of: item) == "sesame")
        }
    }

    @Test(arguments: [false, true]) func `locked items of the device are not absent, without its key neither`(
        isReplaced: Bool
    ) throws {
        let sample = try HeldSample(protections: [.whenUnlockedThisDeviceOnly])
        let store = try sample.opened(sample.keys())
        store.lock()
        if isReplaced { try sample.vault.store.compact() }
        #expect(try store.presences() == ["whenUnlockedThisDeviceOnly locked"])
        #expect(throws: StoreError.keys(.locked)) {
            try store.transaction { (transaction) throws(StoreError) in
                try transaction.addLogin(.whenUnlockedThisDeviceOnly, account: "zoe")
            }
        }
    }

    @Test func `a store that was locked opens again by keys that were left`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let store = sample.vault.store
        store.lock()
        #expect(!store.isUnlocked)
        try store.unlock { _ in sample.roots(keys) }
        #expect(store.isUnlocked)
        #expect(try store.password("kim", "whenUnlocked") == "sesame")
    }

    // MARK: - What is left

    @Test func `no root is among the keys`() throws {
        let sample = try HeldSample()
        let roots = sample.vault.roots
        let bytes = try sample.keys().withBytes { [UInt8](copying: $0) }
        let user = try #require(roots.user).key
        for root in [user] + roots.devices.values {
            let rootBytes = root.withBytes { [UInt8](copying: $0) }
            #expect(bytes.indices.allSatisfy { !bytes[$0...].starts(with: rootBytes) })
        }
    }

    @Test func `keys go from one process to the next`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let left = try #require(try sample.opened(keys, devices: [DeviceSample.device]).heldKeys())
        let bytes = keys.withBytes { [UInt8](copying: $0) }
        #expect(left.withBytes { [UInt8](copying: $0) } == bytes)
    }

    @Test func `nothing is left of a vault that is locked`() throws {
        let sample = try HeldSample()
        let device = try sample.vault.opened(by: .deviceAlone)
        #expect(!device.isUnlocked)
        #expect(try device.heldKeys() == nil)
    }

    @Test func `whose keys were left before there was an item to protect has nothing unlocked`() throws {
        let sample = try HeldSample(protections: [.always])
        let store = try sample.opened(sample.keys())
        #expect(!store.isUnlocked)
        #expect(sample.vault.store.isUnlocked)
        #expect(try store.password("kim", "always") == "sesame")
        _ = try sample.vault.store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin(.whenUnlocked)
        }
        #expect(try store.presences() == ["always always sesame", "whenUnlocked locked"])
    }

    // MARK: - Compaction

    @Test func `keys stay good when the vault is compacted`() throws {
        let sample = try HeldSample()
        let keys = try sample.keys()
        let store = try sample.opened(keys)
        try sample.vault.store.compact()
        #expect(try store.password("kim", "whenUnlocked") == "sesame")
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
    }

    @Test func `who has held keys alone compacts, and nothing is lost for the owner`() throws {
        let sample = try HeldSample()
        let store = try sample.opened(sample.keys())
        _ = try store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin(.whenUnlocked, account: "zoe")
        }
        try store.compact()
        #expect(try sample.vault.store.presences().count == 8)
        #expect(try sample.vault.store.password("zoe", "whenUnlocked") == "sesame")
        #expect(try store.password("zoe", "whenUnlocked") == "sesame")
    }

    /// A store that was locked, and had no device key, could never compact.
    ///
    /// It put data keys into the keybag of the new file, and left the match keys of their groups, which it could not
    /// verify, in the log: a keybag that no reader takes, so the new file was thrown away each time.
    @Test func `a locked store without a device key compacts`() throws {
        let sample = try HeldSample()
        let store = try sample.vault.opened(by: .ownerElsewhere)
        store.lock()
        try store.compact()
        #expect(try sample.vault.store.presences().count == 7)
        #expect(try sample.vault.store.password("kim", "whenUnlocked") == "sesame")
    }

    // MARK: - Keys that are not those of the vault

    @Test(arguments: [false, true]) func `a structure key that was renewed opens no vault`(isOfSameEpoch: Bool) throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        if isOfSameEpoch {
            keys.structureKey.key = try sample.vault.environment.random.key()
        } else {
            keys.structureKey.epoch += 1
        }
        #expect(throws: StoreError.vault(.noMatch, path: sample.vault.path)) { try sample.opened(keys) }
    }

    @Test func `a class key that was renewed opens nothing, and the rest is there`() throws {
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

    @Test func `a match key that was renewed closes its group`() throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        for group in keys.matchKeys.keys { keys.matchKeys[group] = try sample.vault.environment.random.key() }
        let store = try sample.opened(keys)
        #expect(try store.item("kim", "whenUnlocked") == nil)
        #expect(try store.read { (vault) throws(StoreError) in vault.keyring.hasClosedGroups })
    }
}
