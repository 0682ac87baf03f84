// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

/// A wrapper of one item, as the ports of KeychainItemWrapper to Swift are: it keeps what a search returned, and writes
/// that back with its changes.
private final class KeychainItemWrapper {
    private let query: NSMutableDictionary
    private var item: NSMutableDictionary
    private(set) var status = errSecSuccess

    init(identifier: String, accessGroup: String?) {
        query = [kSecClass: kSecClassGenericPassword, kSecAttrGeneric: Data(identifier.utf8)]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        item = query.mutableCopy() as! NSMutableDictionary
        item.removeObject(forKey: kSecClass)

        let search = query.mutableCopy() as! NSMutableDictionary
        search[kSecMatchLimit] = kSecMatchLimitOne
        search[kSecReturnAttributes] = kCFBooleanTrue
        search[kSecReturnData] = kCFBooleanTrue
        var result: AnyObject?
        if SecItemCopyMatching(search as CFDictionary, &result) == noErr, let found = result as? NSDictionary {
            item = found.mutableCopy() as! NSMutableDictionary
        }
    }

    subscript(key: CFString) -> Any? {
        get { item[key] }
        set {
            item[key] = newValue
            let changes = item.mutableCopy() as! NSMutableDictionary
            changes.removeObject(forKey: kSecClass)
            status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
            guard status == errSecItemNotFound else { return }
            changes[kSecClass] = kSecClassGenericPassword
            status = SecItemAdd(changes as CFDictionary, nil)
        }
    }

    func reset() { status = SecItemDelete(query as CFDictionary) }
}

/// What `Guides/port-ios-code.md` says about KeychainItemWrapper.
@Suite("A wrapper of one item", .isolatedKeychain) struct ItemWrapperIdiomTests {
    @Test func `keeps a password from one run of the app to the next`() {
        let wrapper = KeychainItemWrapper(identifier: "Password", accessGroup: nil)
        wrapper[kSecAttrAccount] = "kim"
        wrapper[kSecValueData] = Data("hunter2".utf8)
        #expect(wrapper.status == errSecSuccess)
        let again = KeychainItemWrapper(identifier: "Password", accessGroup: nil)
        #expect(again[kSecAttrAccount] as? String == "kim")
        #expect(again[kSecValueData] as? Data == Data("hunter2".utf8))
        again[kSecValueData] = Data("changed".utf8)
        #expect(again.status == errSecSuccess)
        again.reset()
        #expect(KeychainItemWrapper(identifier: "Password", accessGroup: nil)[kSecValueData] == nil)
    }

    @Test func `is in the way of another one with the same account`() {
        for (identifier, status) in [("one", errSecSuccess), ("two", errSecDuplicateItem)] {
            let wrapper = KeychainItemWrapper(identifier: identifier, accessGroup: nil)
            wrapper[kSecAttrAccount] = "kim"
            #expect(wrapper.status == status)
        }
    }
}
