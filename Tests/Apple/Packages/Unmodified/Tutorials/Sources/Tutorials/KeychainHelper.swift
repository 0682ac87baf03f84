import Foundation
import Security

/// A helper with one shared instance, which saves, reads and deletes.
final class KeychainHelper {
    static let shared = KeychainHelper()

    private init() {}

    func save(_ data: Data, service: String, account: String) {
        let query =
            [
                kSecValueData: data,
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
            ] as [CFString: Any] as CFDictionary
        let status = SecItemAdd(query, nil)
        if status == errSecDuplicateItem {
            let query =
                [
                    kSecAttrService: service,
                    kSecAttrAccount: account,
                    kSecClass: kSecClassGenericPassword,
                ] as [CFString: Any] as CFDictionary
            SecItemUpdate(query, [kSecValueData: data] as CFDictionary)
        } else if status != errSecSuccess {
            print("Error: \(status)")
        }
    }

    func read(service: String, account: String) -> Data? {
        let query =
            [
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecClass: kSecClassGenericPassword,
                kSecReturnData: true,
            ] as [CFString: Any] as CFDictionary
        var result: AnyObject?
        SecItemCopyMatching(query, &result)
        return result as? Data
    }

    func delete(service: String, account: String) {
        let query =
            [
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecClass: kSecClassGenericPassword,
            ] as [CFString: Any] as CFDictionary
        SecItemDelete(query)
    }
}
