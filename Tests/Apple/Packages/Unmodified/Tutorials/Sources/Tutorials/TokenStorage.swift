// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security

/// A token that is deleted, then added, with the protection class in both queries.
///
/// A token that was stored with another class is not deleted, and so is in the way.
struct TokenStorage {
    let accessible: CFString

    func replace(with token: String) -> (deleted: OSStatus, added: OSStatus) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: "tokens",
            kSecAttrAccount: "token",
            kSecAttrAccessible: accessible,
            kSecValueData: token.data(using: .utf8)!,
        ]
        return (SecItemDelete(query as CFDictionary), SecItemAdd(query as CFDictionary, nil))
    }
}
