import Foundation

/// Keychain code in today's style.
struct TokenStore: Sendable {
    enum Failure: Error, Equatable {
        case status(OSStatus)
        case notText
    }

    let service: String

    func save(_ token: String, for account: String) throws(Failure) {
        let status = SecItemUpdate(
            query(account) as CFDictionary,
            [kSecValueData: Data(token.utf8)] as CFDictionary
        )
        guard status == errSecItemNotFound else { return try check(status) }
        var attributes = query(account)
        attributes[kSecValueData as String] = Data(token.utf8)
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        try check(SecItemAdd(attributes as CFDictionary, nil))
    }

    func token(for account: String) throws(Failure) -> String {
        var query = query(account)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard let data = result as? Data, let token = String(data: data, encoding: .utf8) else { throw .notText }
        return token
    }

    func accounts() throws(Failure) -> [String] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        let items = result as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }

    func delete(_ account: String) throws(Failure) {
        try check(SecItemDelete(query(account) as CFDictionary))
    }

    private func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    private func check(_ status: OSStatus) throws(Failure) {
        guard status == errSecSuccess else { throw .status(status) }
    }
}
