import Foundation

#if canImport(Security)
    import Security
#endif

/// Stores the logins of servers.
public final class CredentialStore: @unchecked Sendable {
    #if !canImport(Security)
        private let lock = NSLock()
        private var passwords: [URL: (user: String, password: String)] = [:]
    #endif

    /// Creates an empty store, or one that uses the keychain.
    public init() {}

    /// The variant of its code that this package was built with.
    public static var variant: String {
        #if canImport(Security)
            "Security"
        #else
            "portable"
        #endif
    }

    /// Stores the login for `server`, replacing an existing one.
    public func set(user: String, password: String, for server: URL) throws {
        #if canImport(Security)
            let query = Self.query(for: server)
            let changes: [String: Any] = [
                kSecAttrAccount as String: user,
                kSecValueData as String: Data(password.utf8),
            ]
            var status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(changes) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KeychainStatus(rawValue: status) }
        #else
            lock.withLock { passwords[server] = (user, password) }
        #endif
    }

    /// Returns the login for `server`; nil if none exists.
    public func login(for server: URL) throws -> (user: String, password: String)? {
        #if canImport(Security)
            var query = Self.query(for: server)
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecReturnAttributes as String] = true
            query[kSecReturnData as String] = true
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw KeychainStatus(rawValue: status) }
            guard let found = item as? [String: Any],
                let data = found[kSecValueData as String] as? Data,
                let user = found[kSecAttrAccount as String] as? String,
                let password = String(data: data, encoding: .utf8)
            else { throw KeychainStatus(rawValue: errSecDecode) }
            return (user, password)
        #else
            return lock.withLock { passwords[server] }
        #endif
    }

    #if canImport(Security)
        private static func query(for server: URL) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: server.host ?? "",
                kSecAttrProtocol as String: server.scheme == "https" ? kSecAttrProtocolHTTPS : kSecAttrProtocolHTTP,
            ]
            if let port = server.port { query[kSecAttrPort as String] = port }
            return query
        }
    #endif
}
