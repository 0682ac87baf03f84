import Foundation
import Security
import Testing

@Suite("How items are changed", .isolatedKeychain) struct KeychainChangingIdiomTests {
    @Test func `by what they are and what changes`() {
        #expect(KeychainCalls.update("kim", "new") == errSecItemNotFound)
        #expect(KeychainCalls.addWithTextKeys("kim", "old") == errSecSuccess)
        #expect(KeychainCalls.addWithTextKeys("lee", "old") == errSecSuccess)
        #expect(KeychainCalls.update("kim", "new") == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "new")
        #expect(KeychainCalls.text("lee") == "old")
    }

    @Test func `after a look whether they are there`() {
        #expect(KeychainCalls.addOrUpdate("kim", Data("first".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "first")
        #expect(KeychainCalls.addOrUpdate("kim", Data("second".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "second")
        #expect(KeychainCalls.accounts() == ["kim"])
    }

    @Test func `by a new item in place of the old one`() {
        #expect(KeychainCalls.deleteThenAdd("kim", Data("first".utf8)) == errSecSuccess)
        // The data are no condition: what is deleted has other ones.
        #expect(KeychainCalls.deleteThenAdd("kim", Data("second".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "second")
        #expect(KeychainCalls.accounts() == ["kim"])
    }

    @Test func `by functions that can be replaced`() {
        var calls = ReplaceableCalls()
        let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"]
        var found: CFTypeRef?
        #expect(calls.add(item as CFDictionary, nil) == errSecSuccess)
        #expect(calls.copyMatching(item as CFDictionary, &found) == errSecSuccess)
        #expect(calls.update(item as CFDictionary, [kSecAttrAccount: "lee"] as CFDictionary) == errSecSuccess)
        #expect(calls.delete(item as CFDictionary) == errSecItemNotFound)
        #expect(KeychainCalls.accounts() == ["lee"])
        calls.delete = { _ in errSecNotAvailable }
        #expect(calls.delete(item as CFDictionary) == errSecNotAvailable)
    }
}

@Suite("How items are deleted", .isolatedKeychain) struct KeychainDeletingIdiomTests {
    @Test func `whether they are there or not`() {
        #expect(KeychainCalls.delete("kim"))
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.delete("kim"))
        #expect(!KeychainCalls.exists("kim"))
        #expect(KeychainCalls.delete("kim"))
    }

    @Test func `all that match, without a limit`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        let other: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim", kSecAttrService: "another",
        ]
        #expect(SecItemAdd(other as CFDictionary, nil) == errSecSuccess)
        #expect(KeychainCalls.accounts() == ["kim", "kim"])
        #expect(KeychainCalls.delete("kim"))
        #expect(KeychainCalls.accounts() == [])
    }

    @Test func `class by class`() {
        #expect(KeychainCalls.deleteEverything() == Array(repeating: errSecItemNotFound, count: 5))
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.addInternetPassword("kim", "secret") == errSecSuccess)
        let status = KeychainCalls.deleteEverything()
        #expect(status.prefix(2) == [errSecSuccess, errSecSuccess])
        #expect(status.dropFirst(2).allSatisfy { $0 == errSecItemNotFound })
        #expect(KeychainCalls.accounts() == [])
    }

    @Test func `a condition that is nil is refused, as without it more would be deleted`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.addWithTextKeys("lee", "secret") == errSecSuccess)
        #expect(KeychainCalls.deleteWithOptionalValues(nil) == errSecParam)
        #expect(Set(KeychainCalls.accounts()) == ["kim", "lee"])
        #expect(KeychainCalls.deleteWithOptionalValues("kim") == errSecSuccess)
        #expect(KeychainCalls.accounts() == ["lee"])
    }
}
