import Foundation

/// The login of a mail server.
public enum MailLogin {
    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: "mail.example.com",
            kSecAttrProtocol as String: kSecAttrProtocolIMAPS,
            kSecAttrAccount as String: "kim",
        ]
    }

    /// Adds the login and returns the status.
    public static func add(in group: String? = nil) -> Int32 {
        var login = query.merging([kSecValueData as String: Data("hunter2".utf8)]) { $1 }
        login[kSecAttrAccessGroup as String] = group
        return SecItemAdd(login as CFDictionary, nil)
    }

    /// Deletes the login and returns the status.
    public static func delete() -> Int32 {
        SecItemDelete(query as CFDictionary)
    }
}
