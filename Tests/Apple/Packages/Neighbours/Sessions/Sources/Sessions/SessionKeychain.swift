import Foundation

/// Keychain code from the days of Swift 2 that is still in use.
public final class SessionKeychain: Sendable {
    /// The service of all items.
    public let service: String

    /// Creates a keychain for a service.
    public init(service: String) {
        self.service = service
    }

    /// Stores a value and returns the status.
    public func set(_ value: String, forKey key: String) -> OSStatus {
        let query = baseQuery(key)
        SecItemDelete(query as CFDictionary)
        query.setValue(value.data(using: .utf8), forKey: kSecValueData as String)
        query.setValue(kSecAttrAccessibleAfterFirstUnlock, forKey: kSecAttrAccessible as String)
        return SecItemAdd(query as CFDictionary, nil)
    }

    /// Returns the value for a key; nil if the key does not exist.
    public func string(forKey key: String) -> String? {
        let query = baseQuery(key)
        query.setObject(kCFBooleanTrue as Any, forKey: kSecReturnData as NSString)
        query.setObject(kSecMatchLimitOne, forKey: kSecMatchLimit as NSString)
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        guard status == noErr, let data = result as? NSData else { return nil }
        return String(data: data as Data, encoding: .utf8)
    }

    /// Deletes all values; returns whether that worked.
    public func removeAll() -> Bool {
        let query: [NSObject: AnyObject] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service as AnyObject]
        return SecItemDelete(query as CFDictionary) == errSecSuccess
    }

    private func baseQuery(_ key: String) -> NSMutableDictionary {
        let query = NSMutableDictionary()
        query.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
        query.setObject(service, forKey: kSecAttrService as NSString)
        query.setObject(key, forKey: kSecAttrAccount as NSString)
        return query
    }
}
