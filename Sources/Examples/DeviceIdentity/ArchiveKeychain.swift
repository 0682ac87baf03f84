import Foundation
import Security

/// Objects in the keychain, by name: a helper that many apps have included since their Objective-C days.
///
/// In a program with the static library (`--static-swift-stdlib`), Foundation's archiver returns no bytes. There, use a
/// `Codable` value and `PropertyListEncoder` instead.
enum ArchiveKeychain {
    /// Stores `object` under this name, replacing any former one.
    static func save<Object: NSObject & NSSecureCoding>(_ object: Object, as name: String) -> Bool {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        else { return false }
        var item = query(name)
        SecItemDelete(item as CFDictionary)
        item[kSecValueData as String] = data
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    /// The object with this name; nil if none exists.
    static func load<Object: NSObject & NSSecureCoding>(_ type: Object.Type, named name: String) -> Object? {
        var query = query(name)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let data = result as? Data
        else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
    }

    /// Deletes the object with this name.
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
