import Foundation
import Security

/// Texts in the keychain, by account.
struct NotesKeychain {
    let service: String

    /// Stores `text`, replacing any former value, and returns a description of the result.
    func store(_ text: String, as account: String, in group: String? = nil) -> String {
        var item = query(account, in: group)
        var status = SecItemUpdate(item as CFDictionary, [kSecValueData: Data(text.utf8)] as CFDictionary)
        if status == errSecItemNotFound {
            item[kSecValueData as String] = Data(text.utf8)
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            status = SecItemAdd(item as CFDictionary, nil)
        }
        return status == errSecSuccess ? "stored" : message(status)
    }

    /// The text of `account`, or a description of the error.
    ///
    /// Without a group, all groups of the program are searched.
    func text(of account: String, in group: String? = nil) -> String {
        var query = query(account, in: group)
        query[kSecReturnData as String] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let data = item as? Data else { return message(status) }
        return String(decoding: data, as: UTF8.self)
    }

    private func query(_ account: String, in group: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            // macOS requires it for access groups.
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        return query
    }

    private func message(_ status: OSStatus) -> String {
        "\(status), \(SecCopyErrorMessageString(status, nil) as String? ?? "unknown")"
    }
}
