import Foundation
import Security
import Testing

@Suite("Updating items", .isolatedKeychain) struct KeychainChangingIdiomTests {
    @Test func `by a query and changes`() {
        #expect(KeychainCalls.update("kim", "new") == errSecItemNotFound)
        #expect(KeychainCalls.addWithTextKeys("kim", "old") == errSecSuccess)
        #expect(KeychainCalls.addWithTextKeys("lee", "old") == errSecSuccess)
        #expect(KeychainCalls.update("kim", "new") == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "new")
        #expect(KeychainCalls.text("lee") == "old")
    }

    @Test func `after checking whether they exist`() {
        #expect(KeychainCalls.addOrUpdate("kim", Data("first".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "first")
        #expect(KeychainCalls.addOrUpdate("kim", Data("second".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "second")
        #expect(KeychainCalls.accounts() == ["kim"])
    }

    @Test func `by deleting and adding again`() {
        #expect(KeychainCalls.deleteThenAdd("kim", Data("first".utf8)) == errSecSuccess)
        // The data is not a condition: the deleted item has different data.
        #expect(KeychainCalls.deleteThenAdd("kim", Data("second".utf8)) == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "second")
        #expect(KeychainCalls.accounts() == ["kim"])
    }

    @Test func `through replaceable functions`() {
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

@Suite("Deleting items", .isolatedKeychain) struct KeychainDeletingIdiomTests {
    @Test func `whether they exist or not`() {
        #expect(KeychainCalls.delete("kim"))
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.delete("kim"))
        #expect(!KeychainCalls.exists("kim"))
        #expect(KeychainCalls.delete("kim"))
    }

    @Test func `all matching items, without a limit`() {
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

    @Test func `a nil condition is refused, since leaving it out would delete more`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.addWithTextKeys("lee", "secret") == errSecSuccess)
        #expect(KeychainCalls.deleteWithOptionalValues(nil) == errSecParam)
        #expect(Set(KeychainCalls.accounts()) == ["kim", "lee"])
        #expect(KeychainCalls.deleteWithOptionalValues("kim") == errSecSuccess)
        #expect(KeychainCalls.accounts() == ["lee"])
    }
}
