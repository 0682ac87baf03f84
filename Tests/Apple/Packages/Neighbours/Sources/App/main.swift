import Foundation
import LocalAuthentication
import MailLogin
import Sessions
import Stamp
import TokenStore

print("== a library in Swift 5, from another package")
let keychain = SessionKeychain(service: "com.example.session")
print("stored: \(keychain.set("hunter2", forKey: "kim") == 0)")
print("stored again: \(keychain.set("swordfish", forKey: "kim") == 0)")
print("read: \(keychain.string(forKey: "kim") ?? "nothing")")
print("removed: \(keychain.removeAll())")
print("left: \(keychain.string(forKey: "kim") ?? "nothing")")

print("== a library over it")
let store = TokenStore(service: "com.example.tokens")
try store.save("first", for: "kim")
try store.save("second", for: "kim")
try store.save("third", for: "ada")
print("accounts: \(try store.accounts())")
print("token: \(try store.token(for: "kim"))")
try store.delete("kim")
do {
    print("left: \(try store.token(for: "kim"))")
} catch .status(let status) {
    print("left: \(status)")
}
print("sessions: \(store.sessions.service)")

print("== a library with one file that imports the module")
print("added: \(MailLogin.add())")
print("added again: \(MailLogin.add())")
print("deleted: \(MailLogin.delete())")

print("== the program itself")
// It depends on the module through its libraries.
print("message: \(SecCopyErrorMessageString(errSecDuplicateItem, nil) == nil ? "none" : "some")")
print("another group: \(MailLogin.add(in: "com.example.other"))")
print("can ask: \(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))")

print("== what ran while it was built")
print(tool)
print(#stamp)
