import Foundation
public import Sessions

/// Keychain code in today's style.
public struct TokenStore: Sendable {
    /// Why a token was not stored or found.
    public enum Failure: Error, Equatable {
        /// The keychain refused.
        case status(OSStatus)
        /// The item is not text.
        case notText
    }

    private let service: String
    /// Older sessions, in another package.
    public let sessions: SessionKeychain

    /// Creates a store for a service.
    public init(service: String) {
        self.service = service
        sessions = SessionKeychain(service: service + ".sessions")
    }

    /// Stores a token, replacing an existing one.
    public func save(_ token: String, for account: String) throws(Failure) {
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

    /// Returns the token of an account.
    public func token(for account: String) throws(Failure) -> String {
        var query = query(account)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard let data = result as? Data, let token = String(data: data, encoding: .utf8) else { throw .notText }
        return token
    }

    /// Returns the accounts that have a token.
    public func accounts() throws(Failure) -> [String] {
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

    /// Deletes the token of an account.
    public func delete(_ account: String) throws(Failure) {
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
