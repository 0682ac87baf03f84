import Foundation

/// Static functions over the keychain, in a file that imports only Foundation.
public enum StaticKeychain {
    /// Saves a number, a flag or a text; returns the status.
    @discardableResult
    public static func save<Value: Codable>(_ value: Value, for key: String, group: String? = nil) -> OSStatus {
        guard let data = try? JSONEncoder().encode([value]) else { return errSecParam }
        var query = self.query(key, group)
        let status = SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
        guard status == errSecItemNotFound else { return status }
        query[kSecValueData] = data
        #if os(macOS)
            query[kSecAttrLabel] = key
        #else
            query[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        #endif
        return SecItemAdd(query as CFDictionary, nil)
    }

    /// Loads a value; nil if it does not exist or has another type.
    public static func load<Value: Codable>(_ type: Value.Type = Value.self, for key: String) -> Value? {
        var query = self.query(key, nil)
        query[kSecReturnData] = true
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let data = result as? Data else {
            return nil
        }
        return (try? JSONDecoder().decode([Value].self, from: data))?.first
    }

    /// Deletes all values; whether there were any.
    public static func clear() -> Bool {
        SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: "static"] as CFDictionary) == noErr
    }

    private static func query(_ key: String, _ group: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "static", kSecAttrAccount: key,
        ]
        #if !targetEnvironment(simulator)
            if let group { query[kSecAttrAccessGroup] = group }
        #endif
        return query
    }
}
