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
    public static func add() -> Int32 {
        let login = query.merging([kSecValueData as String: Data("hunter2".utf8)]) { $1 }
        return SecItemAdd(login as CFDictionary, nil)
    }

    /// Deletes the login and returns the status.
    public static func delete() -> Int32 {
        SecItemDelete(query as CFDictionary)
    }
}
