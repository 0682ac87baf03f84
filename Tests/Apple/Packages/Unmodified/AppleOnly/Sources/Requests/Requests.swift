import Foundation

/// A request with a token from the keychain, if there is one.
public func request(to url: URL, account: String) -> URLRequest {
    var request = URLRequest(url: url)
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecReturnData as String: true,
    ]
    var item: CFTypeRef?
    if SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let token = item as? Data {
        request.setValue("Bearer \(String(decoding: token, as: UTF8.self))", forHTTPHeaderField: "Authorization")
    }
    return request
}
