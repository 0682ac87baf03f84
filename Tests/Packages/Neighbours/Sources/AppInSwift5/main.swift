import Foundation

let keychain = SessionKeychain(service: "com.example.session")
print("stored: \(keychain.set("hunter2", forKey: "kim") == errSecSuccess)")
print("stored again: \(keychain.set("swordfish", forKey: "kim") == errSecSuccess)")
print("read: \(keychain.string(forKey: "kim") ?? "nothing")")
print("removed: \(keychain.removeAll())")
print("left: \(keychain.string(forKey: "kim") ?? "nothing")")
