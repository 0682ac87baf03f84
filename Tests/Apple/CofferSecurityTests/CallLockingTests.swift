import Coffer
import Foundation
import Security
import TestSupport
import Testing
import VaultFormat

/// Locked items, which are never treated as missing (`Spec/keychain-behavior.md`, sections 3 to 5).
@Suite("Calls: locked items", .ownKeychain) struct CallLockingTests {
    private static let closed = ["ak", "aku"]
    private static let open = ["ck", "dk", "cku", "dku"]
    private static let returns = [
        kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecUseDataProtectionKeychain,
    ].map(String.init)

    /// Adds an item of each protection class that needs no passphrase, named after it, then locks the vault.
    private func fillAndLock() throws {
        for name in Self.closed + Self.open { #expect(Call.add(item(name)) == 0) }
        try CallSample.lock()
    }

    private func item(_ protection: String) -> [CFString: Any] {
        .genp(protection, [kSecAttrAccessible: protection, kSecAttrLabel: "L", kSecValueData: Data(protection)])
    }

    @Test(arguments: closed)
    func `an addition to a locked protection class: errSecInteractionNotAllowed`(name: String) throws {
        try fillAndLock()
        #expect(Call.add(item(name).with([kSecAttrAccount: "new"])) == -25308)
        #expect(Call.add(item(name)) == -25308)
        #expect(Call.add(item("ck").with([kSecAttrAccount: name])) == -25299)
    }

    @Test(arguments: closed, returns)
    func `a query for a locked item, in any form: errSecInteractionNotAllowed`(name: String, key: String) throws {
        try fillAndLock()
        var result: CFTypeRef? = "old" as NSString
        for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
            let query = [CFString: Any].genp(name, [key as CFString: true, kSecMatchLimit: limit])
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == -25308)
            #expect(result as? String == "old")
        }
    }

    @Test(arguments: closed)
    func `an update of a locked item: errSecInteractionNotAllowed`(name: String) throws {
        try fillAndLock()
        #expect(Call.update(.genp(name), [kSecAttrLabel: "M"]) == -25308)
        #expect(Call.update(.genp(), [kSecAttrLabel: "M"]) == -25308)
        try CallSample.unlock()
        #expect(Call.find(.genp([kSecAttrLabel: "M"])) == -25300)
    }

    @Test(arguments: closed) func `a locked item can be deleted`(name: String) throws {
        try fillAndLock()
        #expect(Call.delete(.genp(name)) == 0)
        #expect(Call.find(.genp(name)) == -25300)
        try CallSample.unlock()
        #expect(try Call.count(.genp()) == 5)
    }

    @Test func `all items of a class can be deleted while some are locked`() throws {
        try fillAndLock()
        #expect(Call.delete(.genp()) == 0)
        #expect(Call.find(.genp()) == -25300)
    }

    @Test(arguments: open) func `items of other protection classes work as usual`(name: String) throws {
        try fillAndLock()
        #expect(try Call.text(.genp(name)) == name)
        #expect(try Call.attributes(.genp(name))["labl"] as? String == "L")
        #expect(Call.update(.genp(name), [kSecAttrLabel: "M"]) == 0)
        #expect(Call.add(item(name).with([kSecAttrAccount: "new"])) == 0)
        #expect(Call.add(item(name)) == -25299)
    }

    @Test func `a query that no item can match, locked or not: errSecItemNotFound`() throws {
        try fillAndLock()
        #expect(Call.find(.genp("zoe")) == -25300)
        #expect(Call.find(.inet()) == -25300)
        #expect(Call.find(.genp("ak", [kSecAttrAccessible: "ck"])) == -25300)
        #expect(Call.find(.genp("ak", [kSecAttrSynchronizable: true])) == -25300)
        #expect(Call.find(.genp([kSecAttrAccessGroup: "elsewhere"])) == -25300)
        #expect(Call.update(.genp("zoe")) == -25300)
        #expect(Call.delete(.genp("zoe")) == -25300)
    }

    @Test func `one locked item makes a whole list fail, unless the limit is reached before it`() throws {
        #expect(Call.add(item("ck")) == 0)
        #expect(Call.add(item("ak")) == 0)
        try CallSample.lock()
        #expect(Call.find(.genp([kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true])) == -25308)
        #expect(Call.find(.genp([kSecMatchLimit: 2])) == -25308)
        #expect(try Call.text(.genp()) == "ck")
    }

    @Test func `a condition on locked attributes: errSecInteractionNotAllowed`() throws {
        #expect(Call.add(item("ak").with([kSecAttrSynchronizable: true])) == 0)
        try fillAndLock()
        #expect(Call.find(.genp([kSecAttrLabel: "nobody's"])) == -25308)
        #expect(Call.delete(.genp([kSecAttrLabel: "L"])) == -25308)
        #expect(Call.delete(.genp([kSecAttrSynchronizable: "other"])) == -25308)
    }

    // While the item was locked, a deletion once checked the reference alone, and deleted an item that the other
    // attributes exclude.
    @Test func `a locked item is deleted by its reference if all attributes next to it are known to match`() throws {
        for name in Self.closed { #expect(Call.add(item(name)) == 0) }
        let references = try Self.closed.map { name -> [CFString: Any] in
            [kSecValuePersistentRef: try Call.reference(.genp(name))]
        }
        try CallSample.lock()
        #expect(Call.delete(references[0].with([kSecAttrAccount: "lee"])) == -25300)
        #expect(Call.delete(references[0].with([kSecAttrLabel: "L"])) == -25308)
        #expect([Call.find(.genp("ak")), Call.find(.genp("aku"))] == [-25308, -25308])
        #expect(Call.delete(references[0].with([kSecAttrAccount: "ak"])) == 0)
        #expect(Call.delete(references[1]) == 0)
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `a reference to a locked item: errSecInteractionNotAllowed`() throws {
        #expect(Call.add(item("ak")) == 0)
        let reference = try Call.reference(.genp())
        try CallSample.lock()
        #expect(Call.find([kSecValuePersistentRef: reference]) == -25308)
    }

    @Test func `an update to a locked protection class: errSecInteractionNotAllowed`() throws {
        try fillAndLock()
        #expect(Call.update(.genp("ck"), [kSecAttrAccessible: "ak"]) == -25308)
        #expect(try Call.attributes(.genp("ck"))["pdmn"] as? String == "ck")
    }

    @Test func `locked items are available again after unlocking`() throws {
        try fillAndLock()
        try CallSample.unlock()
        #expect(try Call.texts(kSecAttrAccount, .genp()) == Self.closed + Self.open)
    }

    // MARK: - With a passphrase

    /// Creates a vault with a passphrase, at low cost.
    private func withPassphrase(_ operation: (Vault, VaultOptions) throws -> Void) throws {
        let directory = try TemporaryDirectory.current
        let locations = VaultLocations(vault: nil, deviceKey: directory.appending(path: "key").path, anchors: nil)
        var options = VaultOptions(locations: locations)
        options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
        let protection = VaultProtection(passphrase: Passphrase("open sesame"))
        let path = directory.appending(path: "passphrase.coffer").path
        try operation(try Vault.create(at: path, protection: protection, options: options), options)
    }

    private func using(_ vault: Vault, _ operation: () throws -> Void) throws {
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.app"))
        try Keychain.withDefault(keychain, operation: operation)
    }

    @Test func `before the first unlock only items that are always accessible can be read`() throws {
        try withPassphrase { (vault, options) throws in
            try using(vault) { () throws in for name in Self.closed + Self.open { #expect(Call.add(item(name)) == 0) } }
            let later = try Vault.open(at: vault.path, with: .withoutVariables, options: options)
            try using(later) { () throws in
                for name in ["ak", "aku", "ck", "cku"] { #expect(Call.find(.genp(name)) == -25308, "\(name)") }
                for name in ["dk", "dku"] { #expect(try Call.text(.genp(name)) == name) }
            }
        }
    }

    @Test func `with a passphrase, items can require one`() throws {
        try withPassphrase { (vault, _) throws in
            try using(vault) { () throws in
                #expect(Call.add(.genp([kSecAttrAccessible: "akpu", kSecValueData: Data("x")])) == 0)
                #expect(try Call.text(.genp([kSecAttrAccessible: "akpu"])) == "x")
                vault.lock()
                #expect(Call.find(.genp()) == -25308)
            }
        }
    }

    @Test func `without a passphrase, items cannot require one: errSecNotAvailable`() {
        #expect(Call.add(.genp([kSecAttrAccessible: "akpu"])) == -25291)
        #expect(Call.find(.genp([kSecAttrAccessible: "akpu"])) == -25300)
        #expect(Call.find(.genp()) == -25300)
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [kSecAttrAccessible: "akpu"]) == -25291)
    }
}
