import Foundation
import Security

/// The passwords of a service, in the style of wrappers with an instance for each service.
public final class Keychain {
    /// A status that is not success.
    public struct Failure: Error, CustomStringConvertible {
        /// The status.
        public let status: OSStatus

        /// The system's message for it.
        public var description: String {
            SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
        }
    }

    private let service: String
    private let accessibility: CFString

    /// Creates the keychain of a service.
    public init(service: String, accessibility: CFString = kSecAttrAccessibleAfterFirstUnlock) {
        self.service = service
        self.accessibility = accessibility
    }

    /// The text for a key; setting nil removes it.
    public subscript(key: String) -> String? {
        get { (try? data(for: key)).flatMap { $0 }.flatMap { String(data: $0, encoding: .utf8) } }
        set { if let newValue { try? set(Data(newValue.utf8), for: key) } else { try? remove(key) } }
    }

    /// The data for a key; nil if the key does not exist.
    public func data(for key: String) throws -> Data? {
        var query = self.query(for: key)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return nil }
        guard status == errSecSuccess, let data = result as? Data else { throw Failure(status: status) }
        return data
    }

    /// Stores data, replacing what exists.
    public func set(_ data: Data, for key: String) throws {
        var query = self.query(for: key)
        #if os(iOS)
            query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUIFail
        #else
            query[kSecReturnData as String] = kCFBooleanTrue
            query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
        #endif
        var status = SecItemCopyMatching(query as CFDictionary, nil)
        switch status {
        case errSecSuccess, errSecInteractionNotAllowed:
            #if os(iOS)
                status = SecItemUpdate(self.query(for: key) as CFDictionary, attributes(data) as CFDictionary)
            #else
                status = SecItemDelete(self.query(for: key) as CFDictionary)
                guard status == errSecSuccess else { throw Failure(status: status) }
                status = SecItemAdd(self.query(for: key).merging(attributes(data)) { $1 } as CFDictionary, nil)
            #endif
        case errSecItemNotFound:
            status = SecItemAdd(self.query(for: key).merging(attributes(data)) { $1 } as CFDictionary, nil)
        default: break
        }
        guard status == errSecSuccess else { throw Failure(status: status) }
    }

    /// Removes a key, if it exists.
    public func remove(_ key: String) throws {
        let status = SecItemDelete(query(for: key) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
    }

    /// Removes all keys.
    public func removeAll() throws {
        var query = self.query(for: nil)
        #if !os(iOS) && !os(watchOS) && !os(tvOS)
            query[kSecMatchLimit as String] = kSecMatchLimitAll
        #endif
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
    }

    /// All keys and their data, in no order.
    public func all() throws -> [String: Data] {
        var query = self.query(for: nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = kCFBooleanTrue
        query[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return [:] }
        guard status == errSecSuccess, let items = result as? [[String: Any]] else { throw Failure(status: status) }
        var found: [String: Data] = [:]
        for item in items {
            if let key = item[kSecAttrAccount as String] as? String {
                found[key] = item[kSecValueData as String] as? Data
            }
        }
        return found
    }

    private func query(for key: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        ]
        if #available(macOS 10.15, *) { query[kSecUseDataProtectionKeychain as String] = kCFBooleanTrue }
        if let key { query[kSecAttrAccount as String] = key }
        return query
    }

    private func attributes(_ data: Data) -> [String: Any] {
        [
            kSecValueData as String: data,
            kSecAttrAccessible as String: accessibility,
            kSecAttrSynchronizable as String: kCFBooleanFalse as Any,
        ]
    }
}
