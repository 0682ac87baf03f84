import Foundation
import Security

// Keychain code of an app for iOS or macOS, unchanged.

let login: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: "mail", kSecAttrAccount as String: "kim",
]
let secret = [kSecValueData as String: Data("hunter2".utf8)]
let added = SecItemAdd(login.merging(secret) { $1 } as CFDictionary, nil)
print("SecItemAdd:", SecCopyErrorMessageString(added, nil) ?? "" as CFString)

var item: CFTypeRef?
let query = login.merging([kSecReturnData as String: true]) { $1 }
let found = SecItemCopyMatching(query as CFDictionary, &item)
print("SecItemCopyMatching:", SecCopyErrorMessageString(found, nil) ?? "" as CFString)
print("password:", (item as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "none")
