// swift-format-ignore-file: NeverForceUnwrap
import CofferTesting
import Foundation
import Security
import Testing

/// What `Guides/keychain-traps.md` says, with its code.
@Suite("The guide of traps", .keychain) struct KeychainTrapTests {
    let login: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "kim",
    ]
    private let token = Data("token".utf8)
    private let changes: [CFString: Any]
    private let new: [CFString: Any]

    init() {
        let changes: [CFString: Any] = [kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
        let new = login.merging([kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) { $1 }
        (self.changes, self.new) = (changes, new)
    }

    private func add(_ attributes: [CFString: Any] = [:]) -> OSStatus {
        let item = login.merging([kSecValueData: Data("old".utf8)]) { $1 }
        return SecItemAdd(item.merging(attributes) { $1 } as CFDictionary, nil)
    }

    private func find(_ query: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        return (SecItemCopyMatching(query as CFDictionary, &result), result)
    }

    @Test func `an item of another protection class is not deleted, and is in the way`() {
        #expect(add() == 0)
        #expect(SecItemDelete(new as CFDictionary) == -25300)
        SecItemDelete(new as CFDictionary)
        var status = SecItemAdd(new as CFDictionary, nil)
        #expect(status == -25299)
        for _ in 0..<2 {
            status = SecItemUpdate(login as CFDictionary, changes as CFDictionary)
            if status == errSecItemNotFound { status = SecItemAdd(new as CFDictionary, nil) }
            #expect(status == 0)
            #expect(find(login.merging([kSecReturnData: true]) { $1 }).result as? Data == token)
            #expect(SecItemDelete(new as CFDictionary) == 0)
        }
    }

    @Test(arguments: [kSecAttrGeneric, kSecAttrLabel].map(String.init))
    func `some attributes do not make another item`(name: String) {
        #expect(add([name as CFString: "one"]) == 0)
        #expect(add([name as CFString: "two"]) == -25299)
    }

    private enum Key: Error, Equatable { case made }

    private func makeNewKey() throws -> Never { throw Key.made }

    private func careless() throws {
        if SecItemCopyMatching(login as CFDictionary, nil) != errSecSuccess { try makeNewKey() }
    }

    private func careful() throws {
        switch SecItemCopyMatching(login as CFDictionary, nil) {
        case errSecSuccess: break
        case errSecItemNotFound: try makeNewKey()
        case let other: throw NSError(domain: NSOSStatusErrorDomain, code: Int(other))
        }
    }

    @Test func `a locked item is not missing`() throws {
        let keychain = try TestKeychain.current
        #expect(throws: Key.made) { try careful() }
        #expect(add() == 0)
        try careful()
        keychain.lock()
        #expect(find(login).status == -25308)
        #expect(throws: Key.made) { try careless() }
        #expect(throws: NSError(domain: NSOSStatusErrorDomain, code: -25308)) { try careful() }
        #expect(SecItemDelete(login as CFDictionary) == 0)
    }

    @Test func `an item without data crashes a program that forces it`() async {
        let added = SecItemAdd(login as CFDictionary, nil)
        let found = find(login.merging([kSecReturnData: true]) { $1 })
        #expect((added, found.status) == (0, 0))
        #expect(found.result == nil)
        await #expect(processExitsWith: .failure) {
            let result: CFTypeRef? = nil
            let text = String(data: result as! Data, encoding: .utf8)!
            _ = text
        }
    }

    private func text(_ result: CFTypeRef?) -> String? {
        guard let data = result as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        return text
    }

    @Test func `a key that is not text does not survive as text`() {
        let key = Data([0xFF, 0x00, 0x80])
        #expect(add([kSecValueData: key]) == 0)
        let result = find(login.merging([kSecReturnData: true]) { $1 }).result
        #expect(result as? Data == key)
        #expect(text(result) == nil)
        #expect(Data(String(decoding: key, as: UTF8.self).utf8) != key)
    }

    @Test func `a limit decides between one item and an array`() throws {
        #expect((add(), add([kSecAttrAccount: "lee"])) == (0, 0))
        let mail: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
        let query = mail.merging([kSecReturnData: true]) { $1 }
        #expect(find(query).result is Data)
        #expect(find(query.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }).result as? Data == nil)
        var result: CFTypeRef?
        let all = query.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]) { $1 }
        let status = SecItemCopyMatching(all as CFDictionary, &result)
        let items = status == errSecSuccess ? result as? [[CFString: Any]] : nil
        #expect(items?.map { $0[kSecAttrAccount] as? String } == ["kim", "lee"])
        // Items without data are left out.
        let empty = login.merging([kSecAttrAccount: "max"]) { $1 }
        #expect(SecItemAdd(empty as CFDictionary, nil) == 0)
        #expect((find(query.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }).result as? [Data])?.count == 2)
    }

    @Test func `a whole item as the changes has a class`() {
        #expect(add() == 0)
        SecItemUpdate(login as CFDictionary, new as CFDictionary)
        #expect(SecItemUpdate(login as CFDictionary, new as CFDictionary) == 0)
        #expect(SecItemUpdate(login as CFDictionary, [kSecClass: kSecClassKey] as CFDictionary) == -25303)
        for key in [kSecReturnData, kSecMatchLimit] {
            let value: Any = key == kSecMatchLimit ? kSecMatchLimitAll : true
            let query = login.merging([key: value]) { $1 }
            #expect(SecItemUpdate(query as CFDictionary, changes as CFDictionary) == -50)
        }
    }

    @Test func `a synchronizable item is found on request`() {
        SecItemAdd(login.merging([kSecAttrSynchronizable: true, kSecValueData: token]) { $1 } as CFDictionary, nil)
        var status = SecItemUpdate(login as CFDictionary, changes as CFDictionary)
        #expect(status == -25300)
        status = SecItemCopyMatching(login as CFDictionary, nil)
        #expect(status == -25300)
        #expect(SecItemDelete(login as CFDictionary) == -25300)
        #expect(add() == 0)
        let both = login.merging([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) { $1 }
        let all = both.merging([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]) { $1 }
        #expect((find(all).result as? [Any])?.count == 2)
        #expect(SecItemDelete(both as CFDictionary) == 0)
        #expect(find(both).status == -25300)
    }

    @Test func `a class alone deletes everything in it`() {
        #expect((add(), add([kSecAttrService: "web"])) == (0, 0))
        SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
        #expect(find([kSecClass: kSecClassGenericPassword]).status == -25300)
    }

    @Test func `a duplicate can be updated`() {
        #expect(add() == 0)
        var status = add()
        #expect(status == -25299)
        if status == errSecDuplicateItem { status = SecItemUpdate(login as CFDictionary, changes as CFDictionary) }
        #expect(status == 0)
    }

    @Test func `a passcode class without a passcode is refused`() {
        #expect(add([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]) == -25291)
    }
}
