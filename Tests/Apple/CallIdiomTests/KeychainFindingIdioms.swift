// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security

extension KeychainCalls {
    static func data(_ account: String) -> Data? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnData as String: kCFBooleanTrue!,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        return status == errSecSuccess ? item as? Data : nil
    }

    static func text(_ account: String) -> String? {
        var item: AnyObject?
        let status = withUnsafeMutablePointer(to: &item) {
            SecItemCopyMatching(
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true]
                    as CFDictionary,
                UnsafeMutablePointer($0)
            )
        }
        guard status == noErr, let data = item as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    static func forward(_ query: [String: Any], _ result: inout AnyObject?) -> OSStatus {
        SecItemCopyMatching(query as CFDictionary, &result)
    }

    static func exists(_ account: String) -> Bool {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as CFDictionary
        switch SecItemCopyMatching(query, nil) {
        case errSecSuccess: return true
        case errSecItemNotFound: return false
        default: return false
        }
    }

    static func dataAndDates(_ account: String) -> (String, Date, Date)? {
        let query =
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
                kSecReturnData as String: true, kSecReturnAttributes as String: kCFBooleanTrue!,
            ] as [String: Any]
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
            let attributes = item as? [String: Any],
            let data = attributes[kSecValueData as String] as? Data
        else { return nil }
        return (
            String(decoding: data, as: UTF8.self), attributes[kSecAttrCreationDate as String] as! Date,
            attributes[kSecAttrModificationDate as String] as! Date
        )
    }

    static func accounts() -> [String] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ]
        var result: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
        return (result as? [[String: Any]] ?? []).compactMap { $0[kSecAttrAccount as String] as? String }
    }

    static func accountsByAnyKey() -> [String] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        var result: AnyObject?
        SecItemCopyMatching(query as CFDictionary, &result)
        return (result as? [[AnyHashable: Any]] ?? []).compactMap { $0[kSecAttrAccount] as? String }
    }

    static func accountsByEnumerating() -> [String] {
        var result: CFTypeRef?
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: 100, kSecReturnAttributes: kCFBooleanTrue!,
            ] as NSDictionary
        guard SecItemCopyMatching(query, &result) == errSecSuccess, let items = result as? NSArray else {
            return []
        }
        var accounts: [String] = []
        for case let item as NSDictionary in items {
            if let account = item[kSecAttrAccount] as? String { accounts.append(account) }
        }
        return accounts
    }

    static func data(at persistentReference: Data) -> Data? {
        let query = [kSecValuePersistentRef: persistentReference, kSecReturnData: true] as CFDictionary
        var result: CFTypeRef?
        SecItemCopyMatching(query, &result)
        return result as? Data
    }

    static func flags(_ account: String) -> (isInvisible: Bool?, isSynchronizable: Bool?, asNumber: Int?) {
        let query =
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnAttributes: true]
            as [CFString: Any]
        var result: CFTypeRef?
        SecItemCopyMatching(query as CFDictionary, &result)
        let attributes = result as? [CFString: Any]
        return (
            attributes?[kSecAttrIsInvisible] as? Bool, attributes?[kSecAttrSynchronizable] as? Bool,
            attributes?[kSecAttrSynchronizable] as? Int
        )
    }

    static func accessControl(_ account: String) -> SecAccessControl? {
        let query =
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnAttributes: true]
            as [CFString: Any]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            let value = (result as? NSDictionary)?[kSecAttrAccessControl] as AnyObject?,
            CFGetTypeID(value) == SecAccessControlGetTypeID()
        else { return nil }
        return (value as! SecAccessControl)
    }

    static func key(tagged tag: String) -> SecKey? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag.data(using: .utf8)!,
            kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return (item as! SecKey)
    }

    static func withoutPrompt(_ account: String) -> OSStatus {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail, kSecReturnData as String: true,
        ]
        var item: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &item)
    }
}
