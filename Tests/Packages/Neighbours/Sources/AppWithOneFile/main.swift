import Foundation

let query: [String: Any] = [
    kSecClass as String: kSecClassInternetPassword,
    kSecAttrServer as String: "mail.example.com",
    kSecAttrProtocol as String: kSecAttrProtocolIMAPS,
    kSecAttrAccount as String: "kim",
]
let login = query.merging([kSecValueData as String: Data("hunter2".utf8)]) { $1 }
print("added: \(SecItemAdd(login as CFDictionary, nil))")
print("added again: \(SecItemAdd(login as CFDictionary, nil))")
print("deleted: \(SecItemDelete(query as CFDictionary))")
