import Foundation
import Security
import Testing

@Suite("Finding items", .isolatedKeychain) struct KeychainFindingIdiomTests {
    @Test func `nothing, if nothing is stored`() {
        #expect(KeychainCalls.data("kim") == nil)
        #expect(KeychainCalls.text("kim") == nil)
        #expect(!KeychainCalls.exists("kim"))
        #expect(KeychainCalls.dataAndDates("kim") == nil)
        #expect(KeychainCalls.accounts() == [])
        #expect(KeychainCalls.accountsByAnyKey() == [])
        #expect(KeychainCalls.accountsByEnumerating() == [])
        #expect(KeychainCalls.data(at: Data("genp".utf8) + Data(count: 16)) == nil)
        #expect(KeychainCalls.flags("kim").isSynchronizable == nil)
        #expect(KeychainCalls.accessControl("kim") == nil)
        #expect(KeychainCalls.key(tagged: "kim") == nil)
        #expect(KeychainCalls.withoutPrompt("kim") == errSecItemNotFound)
    }

    @Test func `one item, by its account`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.data("kim") == Data("secret".utf8))
        #expect(KeychainCalls.text("kim") == "secret")
        #expect(KeychainCalls.exists("kim"))
        #expect(KeychainCalls.withoutPrompt("kim") == errSecSuccess)
        #expect(KeychainCalls.data("Kim") == nil)
    }

    @Test func `one item, through a function that passes the result on`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        var result: AnyObject? = "before" as NSString
        #expect(KeychainCalls.forward(["class": "genp", "acct": "lee", "r_Data": true], &result) == errSecItemNotFound)
        #expect(result as? String == "before")
        #expect(KeychainCalls.forward(["class": "genp", "acct": "kim"], &result) == errSecSuccess)
        #expect(result as? String == "before")
        #expect(KeychainCalls.forward(["class": "genp", "acct": "kim", "r_Data": true], &result) == errSecSuccess)
        #expect(result as? Data == Data("secret".utf8))
    }

    @Test func `one item, with its dates`() throws {
        let start = Date()
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        let (secret, creation, modification) = try #require(KeychainCalls.dataAndDates("kim"))
        #expect(secret == "secret")
        #expect(creation == modification)
        #expect(abs(creation.timeIntervalSince(start)) < 600)
        #expect(KeychainCalls.update("kim", "other") == errSecSuccess)
        let (_, former, later) = try #require(KeychainCalls.dataAndDates("kim"))
        #expect(former == creation)
        #expect(later > modification)
    }

    @Test func `several items, in every form`() {
        for account in ["kim", "lee", "max"] {
            #expect(KeychainCalls.addWithConstantKeys(account, "secret") == errSecSuccess)
        }
        let accounts: Set = ["kim", "lee", "max"]
        #expect(Set(KeychainCalls.accounts()) == accounts)
        #expect(Set(KeychainCalls.accountsByAnyKey()) == accounts)
        #expect(Set(KeychainCalls.accountsByEnumerating()) == accounts)
    }

    @Test func `an array, if several are requested and one exists`() {
        #expect(KeychainCalls.addWithConstantKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.accountsByEnumerating() == ["kim"])
    }

    @Test func `synchronizable items, only on request`() {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim", kSecAttrSynchronizable: true,
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(KeychainCalls.accounts() == ["kim"])
        #expect(KeychainCalls.accountsByAnyKey() == [])
        #expect(!KeychainCalls.exists("kim"))
    }

    @Test func `flags, as booleans and as numbers`() {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim", kSecAttrIsInvisible: kCFBooleanTrue as Any,
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let flags = KeychainCalls.flags("kim")
        #expect(flags.isInvisible == true)
        #expect(flags.isSynchronizable == false)
        #expect(flags.asNumber == 0)
    }

    @Test func `in an actor`() async {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        let keychain = KeychainActor()
        #expect(await keychain.data("kim") == Data("secret".utf8))
        #expect(await keychain.data("lee") == nil)
    }
}
