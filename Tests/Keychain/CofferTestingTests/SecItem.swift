import Foundation
import Security

/// Calls of `SecItem` by a program that knows nothing of tests.
enum SecItem {
    static func query(_ account: String, _ other: [CFString: Any] = [:]) -> CFDictionary {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: account,
        ]
        query.merge(other) { $1 }
        return query as CFDictionary
    }

    static func add(_ account: String, _ secret: String, _ other: [CFString: Any] = [:]) -> OSStatus {
        SecItemAdd(query(account, other.merging([kSecValueData: Data(secret.utf8)]) { $1 }), nil)
    }

    static func find(_ account: String) -> OSStatus { SecItemCopyMatching(query(account), nil) }

    static func text(_ account: String) -> String? {
        var result: CFTypeRef?
        guard SecItemCopyMatching(query(account, [kSecReturnData: true]), &result) == errSecSuccess,
            let data = result as? Data
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    static func update(_ account: String, _ secret: String) -> OSStatus {
        SecItemUpdate(query(account), [kSecValueData: Data(secret.utf8)] as CFDictionary)
    }

    static func delete(_ account: String) -> OSStatus { SecItemDelete(query(account)) }
}
