import Foundation
import Security

/// Passwords that an app shares with its extension.
class SharedKeychain {
    private let accessGroup = "ABCDE12345.com.example.shared"

    func set(_ password: String, forKey key: String) -> OSStatus {
        var query = self.query(key)
        SecItemDelete(query as CFDictionary)
        query[kSecValueData as String] = password.data(using: .utf8, allowLossyConversion: false)
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(query as CFDictionary, nil)
    }

    func password(forKey key: String) -> String? {
        var query = self.query(key)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var dataTypeRef: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &dataTypeRef) == errSecSuccess,
            let data = dataTypeRef as? NSData
        else { return nil }
        return NSString(data: data as Data, encoding: String.Encoding.utf8.rawValue) as String?
    }

    private func query(_ key: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccessGroup as String: accessGroup,
            kSecAttrAccount as String: key,
        ]
    }
}
