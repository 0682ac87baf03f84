import Foundation
import LocalAuthentication

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
    print("left: \(status), \(SecCopyErrorMessageString(status, nil) == nil ? "no message" : "a message")")
}
print("can ask: \(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))")
