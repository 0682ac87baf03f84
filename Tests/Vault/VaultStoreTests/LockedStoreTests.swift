import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Locking a store", .temporaryDirectory) struct LockedStoreTests {
    @Test(arguments: [false, true], [ProtectionClass.whenUnlocked, .afterFirstUnlock, .always])
    func `items read before locking are closed if their protection requires it`(
        isCompacted: Bool,
        protection: ProtectionClass
    ) throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        let store = sample.store
        _ = try store.transaction { transaction in
            try transaction.addLogin("kim", "mail", "sesame", protection: protection)
        }
        if isCompacted { try store.compact() }
        let item = try #require(try store.item("kim", "mail"))
        #expect(try store.attributes(of: item)["acct"]?.string == "kim")
        #expect(try store.text(of: item) == "sesame")
        store.lock()
        #expect(!store.isUnlocked)
        if protection == .whenUnlocked {
            #expect(throws: StoreError.locked(item.name)) { try store.attributes(of: item) }
            #expect(throws: StoreError.locked(item.name)) { try store.text(of: item) }
            #expect(try store.item("kim", "mail")?.presence == .locked)
        } else {
            #expect(try store.attributes(of: item)["acct"]?.string == "kim")
            #expect(try store.text(of: item) == "sesame")
        }
        let roots = sample.roots
        try store.unlock { _ in roots }
        #expect(try store.text(of: item) == "sesame")
        #expect(store.isUnlocked)
    }

    @Test func `a failed unlock leaves the store unchanged`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.add("kim", "mail", "sesame")
        let item = try #require(try sample.store.item("kim", "mail"))
        sample.store.lock()
        let nothing = Keyring.Roots(user: nil, devices: [:])
        #expect(throws: StoreError.vault(.noMatch, path: sample.path)) { try sample.store.unlock { _ in nothing } }
        #expect(throws: StoreError.locked(item.name)) { try sample.store.text(of: item) }
        #expect(try sample.store.item("kim", "mail") == sample.store.item("kim", "mail"))
    }
}
