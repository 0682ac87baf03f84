// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security

// Ways in which code uses the keychain. Each function does one thing in one of the forms found in the wild, and returns
// the result; the tests run them against a keychain of their own.

enum KeychainCalls {
    // MARK: Adding

    static func addWithTextKeys(_ account: String, _ secret: String) -> OSStatus {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "idioms",
            kSecAttrAccount as String: account,
            kSecValueData as String: secret.data(using: .utf8)!,
        ]
        return SecItemAdd(query as CFDictionary, nil)
    }

    static func addWithConstantKeys(_ account: String, _ secret: String) -> OSStatus {
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "idioms", kSecAttrAccount: account,
                kSecValueData: Data(secret.utf8),
            ] as [String: Any]
        return SecItemAdd(query as CFDictionary, nil)
    }

    static func addAndForget(_ account: String) {
        SecItemAdd(
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "idioms"]
                as CFDictionary,
            nil
        )
    }

    static func addWithMutableDictionary(_ account: String, _ secret: String) -> OSStatus {
        let query = NSMutableDictionary()
        query.setObject(kSecClassGenericPassword, forKey: kSecClass)
        query[kSecAttrService] = "idioms"
        query[kSecAttrAccount] = account
        query.setValue(secret.data(using: .utf8), forKey: kSecValueData as String)
        query.setValue(nil, forKey: kSecAttrLabel as String)
        return SecItemAdd(query, nil)
    }

    static func addAndReturnPersistentReference(_ account: String) -> Data? {
        var result: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "idioms",
            kSecReturnPersistentRef: true,
        ]
        guard SecItemAdd(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return result as? Data
    }

    static func addWithAccessControl(_ account: String, _ flags: SecAccessControlCreateFlags) throws -> OSStatus {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                flags,
                &error
            )
        else { throw error!.takeRetainedValue() as Error }
        let query: [String: AnyHashable] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account,
            kSecAttrService as String: "idioms",
            kSecAttrAccessControl as String: access,
            kSecUseDataProtectionKeychain as String: true,
        ]
        return SecItemAdd(query as CFDictionary, nil)
    }

    static func addWithOptionalValues(_ account: String, label: String?) -> OSStatus {
        let query: [String: Any?] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecAttrService as String: "idioms", kSecAttrLabel as String: label,
        ]
        return SecItemAdd(query as CFDictionary, nil)
    }

    static func addInternetPassword(_ account: String, _ secret: String) -> OSStatus {
        let query: [String: AnyObject] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: "example.test" as NSString,
            kSecAttrAccount as String: account as NSString,
            kSecAttrPort as String: 443 as NSNumber,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrSynchronizable as String: kCFBooleanFalse,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            kSecValueData as String: Data(secret.utf8) as NSData,
        ]
        return SecItemAdd(query as CFDictionary, nil)
    }

    // MARK: Changing

    static func update(_ account: String, _ secret: String) -> OSStatus {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as [String: Any]
        let changes = [kSecValueData as String: secret.data(using: .utf8)]
        return SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    static func addOrUpdate(_ account: String, _ secret: Data) -> OSStatus {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecAttrService as String: "idioms",
        ]
        var status = SecItemCopyMatching(query as CFDictionary, nil)
        switch status {
        case errSecSuccess:
            status = SecItemUpdate(query as CFDictionary, [kSecValueData as String: secret] as CFDictionary)
        case errSecItemNotFound:
            query[kSecValueData as String] = secret
            status = SecItemAdd(query as CFDictionary, nil)
        default: break
        }
        return status
    }

    static func deleteThenAdd(_ account: String, _ secret: Data) -> OSStatus {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "idioms",
            kSecValueData: secret,
        ]
        SecItemDelete(query as CFDictionary)
        return SecItemAdd(query as CFDictionary, nil)
    }

    static func delete(_ account: String) -> Bool {
        let status = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as CFDictionary)
        return status == errSecSuccess || status == errSecItemNotFound
    }

    static func deleteWithOptionalValues(_ account: String?) -> OSStatus {
        let query: [String: Any?] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        ]
        return SecItemDelete(query as CFDictionary)
    }

    static func deleteEverything() -> [OSStatus] {
        [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
            kSecClassIdentity,
        ]
        .map { SecItemDelete([kSecClass: $0] as CFDictionary) }
    }

    static func addWithKeysThatAreNotStrings() -> OSStatus {
        SecItemAdd([1: "genp", 2: "kim"] as CFDictionary, nil)
    }
}

/// Code that can be tested without a keychain.
struct ReplaceableCalls {
    var add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
    var copyMatching: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
    var update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
    var delete: (CFDictionary) -> OSStatus = SecItemDelete
}

/// Code that keeps its keychain in an actor.
actor KeychainActor {
    func data(_ account: String) -> Data? {
        var item: CFTypeRef?
        let query =
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true] as [CFString: Any]
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? Data
    }
}
