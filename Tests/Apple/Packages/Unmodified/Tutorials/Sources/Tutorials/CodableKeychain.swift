import Foundation

/// Values of any type that can be encoded, one for each key.
struct CodableKeychain {
    enum Failure: Error {
        case status(OSStatus)
        case noData
    }

    let service: String

    func store<Value: Encodable>(_ value: Value, for key: String) throws {
        let data = try JSONEncoder().encode(value)
        var query = baseQuery(for: key)
        query[kSecValueData as String] = data
        query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        SecItemDelete(baseQuery(for: key) as CFDictionary)
        try check(SecItemAdd(query as CFDictionary, nil))
    }

    func value<Value: Decodable>(_ type: Value.Type, for key: String) throws -> Value {
        var query = baseQuery(for: key)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &item))
        guard let data = item as? Data else { throw Failure.noData }
        return try JSONDecoder().decode(type, from: data)
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw Failure.status(status) }
    }

    private func baseQuery(for key: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: key,
        ]
    }
}
