import Foundation
import Security

/// A property with a default, whose value is in the keychain.
@propertyWrapper struct KeychainStored<Value: Codable> {
    private let key: String
    private let defaultValue: Value

    init(wrappedValue: Value, _ key: String) {
        self.key = key
        self.defaultValue = wrappedValue
    }

    var wrappedValue: Value {
        get {
            let query: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: key, kSecReturnData: true,
                kSecMatchLimit: kSecMatchLimitOne,
            ]
            var data: AnyObject?
            guard SecItemCopyMatching(query, &data) == noErr, let data = data as? Data else { return defaultValue }
            return (try? PropertyListDecoder().decode([Value].self, from: data))?.first ?? defaultValue
        }
        nonmutating set {
            guard let data = try? PropertyListEncoder().encode([newValue]) else { return }
            let query: NSMutableDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key]
            if SecItemUpdate(query, [kSecValueData: data] as NSDictionary) == errSecItemNotFound {
                query[kSecValueData] = data
                SecItemAdd(query, nil)
            }
        }
    }
}
