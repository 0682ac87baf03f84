import Coffer
import FoundationEssentials

// A tour of the keychain: a vault with a passphrase, two programs that share it, locking, history, a new passphrase. It
// uses its own directory. All secrets here are made up, so printing them is safe.

func title(_ text: String) { print("\n\(text)") }

let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-tour-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: directory) }
let path = directory.appending(path: "login.coffer").path
var options = VaultOptions(
    locations: VaultLocations(
        vault: path,
        deviceKey: directory.appending(path: "device.key").path,
        anchors: directory.appending(path: "anchors").path
    )
)

title("A vault with a passphrase and a recovery code")
let code = try RecoveryCode()
let vault = try Vault.create(
    at: path,
    protection: VaultProtection(passphrase: Passphrase("correct horse battery staple"), recoveryCode: code),
    options: options
)
for slot in try vault.slots { print("  opens with: \(slot.kind)") }

title("Two programs, each with its own items")
let mail = vault.keychain(for: AccessGroups(application: "com.example.mail"))
let notes = vault.keychain(for: AccessGroups(application: "com.example.notes"))
let login = try mail.add(InternetPassword(server: "imap.example.com", account: "kim"), secret: "hunter2")
try notes.add(GenericPassword(service: "sync", account: "kim"), secret: "swordfish")
print(
    "  mail finds \(try mail.count(InternetPassword.self)) internet, \(try mail.count(GenericPassword.self)) generic"
)

title("A duplicate is rejected, and no change is lost")
do {
    try mail.add(InternetPassword(server: "imap.example.com", account: "kim"), secret: "another")
} catch {
    print("  \(error)")
}
let changed = try mail.setSecret("correct", of: login.reference, ifRevision: login.revision)
do {
    try mail.setSecret("lost update", of: login.reference, ifRevision: login.revision)
} catch {
    print("  \(error)")
}
print("  the secret is \(try mail.secretText(of: changed.reference) ?? "none")")

title("Its history")
for past in try mail.history(of: login.reference).revisions {
    let secret = try mail.secret(of: past).map { String(decoding: $0, as: UTF8.self) }
    print("  revision \(past.revision): \(secret ?? "no secret")")
}
try mail.undo(login.reference)
print("  undone: \(try mail.secretText(of: login.reference) ?? "none")")

title("Locked is not the same as missing")
vault.lock()
for server in ["imap.example.com", "example.org"] {
    do {
        let item = try mail.item(InternetPassword.self, where: .server(server))
        print("  \(server): \(item == nil ? "no item" : "found")")
    } catch {
        print("  \(server): \(error)")
    }
}

title("Unlocking, with a report of what was tried")
do {
    try vault.unlock(with: UnlockLadder())
} catch {
    print(error.description.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
}
var ladder = UnlockLadder()
ladder.secret = .recoveryCode(code)
try vault.unlock(with: ladder)
for step in vault.unlocking.steps.prefix(2) { print("  \(step.source): \(step.outcome)") }

title("A new passphrase, which removes every other way to open it")
let change = vault.keyChange(to: VaultProtection(passphrase: "a new passphrase"))
let summary = try await change.report()
print("  \(summary.resealedItemCount) items under new keys; removed: \(summary.removedSlots.map(\.kind))")

title("Verification")
for try await event in vault.verification() {
    if case .finished(let report) = event { print("  \(report.itemCount) items, \(report.findings.count) findings") }
}
