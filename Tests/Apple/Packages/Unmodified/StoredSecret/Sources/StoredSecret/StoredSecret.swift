public import Foundation
import Security

/// A property whose value is in the keychain.
@propertyWrapper public struct StoredSecret {
    private let account: String

    /// Creates a property for an account.
    public init(_ account: String) {
        self.account = account
    }

    /// The text; nil if nothing is stored.
    public var wrappedValue: String? {
        get {
            var result: CFTypeRef?
            let query = self.query.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
            return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
        }
        nonmutating set {
            guard let newValue else { return _ = SecItemDelete(query as CFDictionary) }
            let data: [CFString: Any] = [kSecValueData: Data(newValue.utf8)]
            let status = SecItemAdd(query.merging(data) { $1 } as CFDictionary, nil)
            if status == errSecDuplicateItem { SecItemUpdate(query as CFDictionary, data as CFDictionary) }
        }
    }

    /// When the value was last changed; nil if nothing is stored.
    public var projectedValue: Date? {
        var result: CFTypeRef?
        let query = self.query.merging([kSecReturnAttributes: true]) { $1 }
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return (result as? [CFString: Any])?[kSecAttrModificationDate] as? Date
    }

    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "StoredSecret", kSecAttrAccount: account]
    }
}
