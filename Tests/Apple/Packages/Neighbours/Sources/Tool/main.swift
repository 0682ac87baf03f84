import Coffer
import CofferFoundation
import Foundation

// A program that does not use Apple's names. All its names and secrets are variables.

let (service, account, token) = ("api", "kim", "t0k3n")

print("== a program in Swift, with variables")
let passwords = Keychain.default.passwords(service: service)
print("nothing yet:", try passwords[account] ?? "none")
try passwords.set(token, for: account)
print("password:", try passwords[account] ?? "none")

struct Follower {
    @VaultSecret var token: Result<String?, KeychainError>

    init(_ account: String) { _token = VaultSecret(service: "api", account: account) }
}

print("property:", try Follower(account).token.get() ?? "none")

let secret: String? = try await Keychain.default.perform { keychain in
    try keychain.passwords(service: service)[account]
}
print("from a task:", secret ?? "none")

var login = GenericPassword(service: service, account: account)
login.label = "Token of \(account)"
try Keychain.default.save(login, secret: token)
if let stored = try Keychain.default.item(GenericPassword.self, where: .service(service), .account(account)) {
    let (service, account, label): (String, String, String?) = (stored.service, stored.account, stored.label)
    print("item:", service, account, label ?? "none")
}

struct Session: Codable {
    var token: String
    var expires: Int
}

let session = GenericPassword(service: "session of \(service)", account: account)
try Keychain.default.store(Session(token: token, expires: 60), as: session)
print("as text:", try Keychain.default.passwords(service: session.service)[account] ?? "none")
let stored = try Keychain.default.load(Session.self, from: GenericPassword.self, where: .service(session.service))
print("as a value:", stored?.expires ?? 0)

let passphrase = "words of \(account) that nobody guesses"
let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).coffer").path
var options = VaultOptions()
options.locations = VaultLocations(vault: nil, deviceKey: nil, anchors: nil)
var protection = VaultProtection(passphrase: passphrase)
protection.includesThisMachine = false
_ = try Vault.create(at: path, protection: protection, options: options)
print("vault:", try Vault.open(at: path, with: UnlockLadder(passphrase: passphrase), options: options).isUnlocked)
try FileManager.default.removeItem(atPath: path)

print("accounts:", try passwords.accounts())
print("removed:", try passwords.remove(account), try passwords[account] ?? "none")
