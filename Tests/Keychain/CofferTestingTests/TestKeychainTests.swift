import Coffer
import CofferTesting
import Foundation
import Security
import Testing
import VaultStore

@Suite("The keychain of a test") struct TestKeychainTests {
    private let login = GenericPassword(service: "api", account: "kim")

    @Test func `a test keychain stores, finds, updates and deletes items`() throws {
        let keychain = try TestKeychain().keychain
        let stored = try keychain.add(login, secret: "one")
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(login, secret: "two") }
        try keychain.save(login, secret: "three")
        #expect(try keychain.secretText(of: stored.reference) == "three")
        #expect(try keychain.find(["class": "genp", "acct": "kim", "r_Data": true]) == .data(Array("three".utf8)))
        try keychain.delete(stored.reference)
        #expect(try keychain.count(GenericPassword.self) == 0)
    }

    @Test func `a test keychain keeps past revisions, like any vault`() throws {
        let keychain = try TestKeychain().keychain
        let stored = try keychain.add(login, secret: "one")
        try keychain.setSecret("two", of: stored.reference)
        try keychain.undo(stored.reference)
        #expect(try keychain.secretText(of: stored.reference) == "one")
    }

    @Test func `a failed transaction changes nothing`() throws {
        let keychain = try TestKeychain().keychain
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.transaction { transaction throws(KeychainError) in
                try transaction.add(login)
                try transaction.add(login)
            }
        }
        #expect(try keychain.count(GenericPassword.self) == 0)
    }

    @Test func `a vault in memory can be compacted`() throws {
        let keychain = try TestKeychain().keychain
        let stored = try keychain.add(login, secret: "one")
        try keychain.openedStore()?.compact()
        #expect(try keychain.secretText(of: stored.reference) == "one")
        try keychain.setSecret("two", of: stored.reference)
        #expect(try keychain.secretText(of: stored.reference) == "two")
    }

    @Test func `no file is created`() throws {
        let keychain = try TestKeychain().keychain
        try keychain.add(login, secret: "one")
        let path = try #require(try keychain.openedStore()).path
        #expect(!FileManager.default.fileExists(atPath: path))
        let parent = URL(filePath: path).deletingLastPathComponent().path
        #expect(parent != "/" && !FileManager.default.fileExists(atPath: parent))
    }

    // MARK: - Locking

    @Test(arguments: [false, true])
    func `protected items are locked and unlocked`(hasPassphrase: Bool) throws {
        let test = try TestKeychain(hasPassphrase: hasPassphrase)
        var open = GenericPassword(service: "api", account: "lee")
        open.accessibility = .afterFirstUnlock
        let (closed, stays) = (try test.keychain.add(login, secret: "one"), try test.keychain.add(open, secret: "two"))
        test.lock()
        #expect(!test.keychain.isUnlocked)
        #expect(throws: KeychainError.locked) { try test.keychain.secretText(of: closed.reference) }
        #expect(try test.keychain.secretText(of: stays.reference) == "two")
        try test.unlock()
        #expect(test.keychain.isUnlocked)
        #expect(try test.keychain.secretText(of: closed.reference) == "one")
    }

    @Test func `items that require a passphrase are refused without one`() throws {
        var item = login
        item.accessibility = .whenPasscodeSetThisDeviceOnly
        #expect(throws: KeychainError.noPassphrase) { try TestKeychain().keychain.add(item) }
        let keychain = try TestKeychain(hasPassphrase: true).keychain
        try keychain.add(item, secret: "one")
        #expect(try keychain.count(GenericPassword.self) == 1)
    }

    // MARK: - Groups

    @Test func `without declared groups, any group can be named and none is required`() throws {
        let keychain = try TestKeychain().keychain
        #expect(try keychain.add(login).accessGroup == "test")
        try keychain.add(["class": "genp", "agrp": "TEAM.com.example.shared"])
        #expect(try keychain.count(GenericPassword.self, where: .group("TEAM.com.example.shared")) == 1)
    }

    @Test func `declared groups work like entitlements`() throws {
        let groups = AccessGroups(declared: ["TEAM.com.example.mail", "TEAM.com.example.shared"])
        let test = try TestKeychain(groups: groups)
        try Keychain.withDefault(test.keychain) {
            #expect(SecItem.add("kim", "one") == errSecSuccess)
            #expect(SecItem.add("kim", "two", [kSecAttrAccessGroup: "TEAM.com.example.shared"]) == errSecSuccess)
            let other = SecItem.add("kim", "three", [kSecAttrAccessGroup: "TEAM.com.example.other"])
            #expect(other == errSecMissingEntitlement)
            let found = try test.keychain.items(GenericPassword.self)
            #expect(found.map(\.accessGroup) == ["TEAM.com.example.mail", "TEAM.com.example.shared"])
        }
    }
}
