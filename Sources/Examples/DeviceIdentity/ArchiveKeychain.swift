import Foundation
import Security

/// Objects in the keychain, by name: the helper that apps have carried with them since they were written in Objective-C.
///
/// Foundation's archiver gives no bytes in a program with the static library (`--static-swift-stdlib`). There a `Codable`
/// value and `PropertyListEncoder` do the same.
enum ArchiveKeychain {
    /// Stores `object` instead of what has this name.
    static func save<Object: NSObject & NSSecureCoding>(_ object: Object, as name: String) -> Bool {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        else { return false }
        var item = query(name)
        SecItemDelete(item as CFDictionary)
        item[kSecValueData as String] = data
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    /// The object of this name, or nil if there is none.
    static func load<Object: NSObject & NSSecureCoding>(_ type: Object.Type, named name: String) -> Object? {
        var query = query(name)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let data = result as? Data
        else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
    }

    /// Forgets the object of this name.
    static func delete(_ name: String) -> Bool {
        SecItemDelete(query(name) as CFDictionary) == errSecSuccess
    }

    private static func query(_ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.device",
            kSecAttrAccount as String: name,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }
}
