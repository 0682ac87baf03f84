internal import Security

/// Counts logins; nothing in this graph uses it.
enum Audit {
    static func loginCount() -> Int {
        let query: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        var logins: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &logins) == errSecSuccess else { return 0 }
        return (logins as? [Any])?.count ?? 0
    }
}
