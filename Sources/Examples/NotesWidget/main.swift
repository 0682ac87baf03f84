import Foundation
import Security

// The widget of NotesApp. It reads and renews the shared session and has a color of its own; it cannot see the draft:
//
//     swift run NotesWidget show

func message(_ status: OSStatus) -> String {
    "\(status), \(SecCopyErrorMessageString(status, nil) as String? ?? "unknown")"
}

func query(_ account: String) -> [String: Any] {
    [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "com.example.notes",
        kSecAttrAccount as String: account,
        kSecUseDataProtectionKeychain as String: true,
    ]
}

func text(matching query: [String: Any]) -> String {
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary, &item)
    guard status == errSecSuccess, let data = item as? Data else { return message(status) }
    return String(decoding: data, as: UTF8.self)
}

switch CommandLine.arguments.dropFirst().first {
case "show":
    let color = query("color").merging([kSecValueData as String: Data("teal".utf8)]) { $1 }
    SecItemAdd(color as CFDictionary, nil)
    print("color: \(text(matching: query("color")))")
    print("session: \(text(matching: query("session")))")
    print("draft of the app: \(text(matching: query("draft")))")

    var draft = query("draft")
    draft[kSecAttrAccessGroup as String] = "ABCDE12345.com.example.notes"
    print("draft by its group: \(text(matching: draft))")
case "renew":
    // The app gets the new session, since it is the same item. Naming the group leaves those in other groups alone.
    var session = query("session")
    session[kSecAttrAccessGroup as String] = "ABCDE12345.com.example.notes.shared"
    let changes = [kSecValueData as String: Data("token-4712".utf8)]
    print("renewed: \(message(SecItemUpdate(session as CFDictionary, changes as CFDictionary)))")
case "reset":
    // This deletes all passwords in all groups of the widget, the shared session included.
    let everything: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecUseDataProtectionKeychain as String: true,
    ]
    print("reset: \(message(SecItemDelete(everything as CFDictionary)))")
default:
    print("usage: NotesWidget show | renew | reset")
}
