import CofferBasics
import FoundationEssentials
import VaultCrypto
import VaultFormat

// The life of a vault: it is created, inspected without a key, opened, and damaged in several ways. All secrets here
// are made up, so printing them is safe.

let random = try SystemRandom()
let passphrase = Array("correct horse battery staple".utf8)

let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-tour-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
defer { try? FileManager.default.removeItem(at: directory) }
let file = directory.appending(path: "demo.coffer")

let demo = try DemoVault(passphrase: passphrase, random: random)
try Data(demo.bytes).write(to: file)
let vault = [UInt8](try Data(contentsOf: file))
print("A vault with \(DemoVault.logins.count) items is a file of \(vault.count) bytes.")
print("Its recovery code, to be kept on paper: \(demo.recoveryText)")

print("\nWithout a key anyone can see this much, none of it authenticated:")
let inspection = try VaultInspection(of: MemorySource(vault))
print("  generation \(inspection.generation), \(inspection.groupCount) group")
for slot in inspection.slots {
    guard case .slot(let kind) = slot.kind else { continue }
    let work = slot.derivation.map { ", Argon2id over \($0.memoryKiB >> 10) MiB" } ?? ""
    print("  slot: \(kind)\(work)")
}
print(
    "  \(inspection.log.frameCount) transactions in \(inspection.log.byteCount) bytes, damage: \(inspection.damage.count)"
)

print("\nThe passphrase opens it:")
let reader = TourReader(random: random)
let roots = try reader.roots(of: vault, passphrase: passphrase)
for line in try reader.items(of: vault, roots) { print("  \(line)") }

print("\nSo does the recovery code, in lower case and with spaces:")
let typed = demo.recoveryText.lowercased().split(separator: "-").joined(separator: " ")
let recovered = try reader.roots(of: vault, recoveryCode: Array(typed.utf8))
print("  \(try reader.items(of: vault, recovered).count) items")

print("\nA wrong passphrase:")
let wrong = Array("Correct horse battery staple".utf8)
print("  \(reader.answer { try reader.summary(of: vault, reader.roots(of: vault, passphrase: wrong)) })")

print("\nA flipped bit:")
let places = [
    ("in the header", 40), ("in the keybag", 420), ("in a transaction", demo.frameOffsets[1] + 100),
    ("in the last one", demo.frameOffsets[2] + 100),
]
for (name, offset) in places {
    var damaged = vault
    damaged[offset] ^= 1
    print("  \(name): \(reader.answer { try reader.summary(of: damaged, roots) })")
}

print("\nA truncated copy:")
for (name, byteCount) in [("in the last transaction", vault.count - 64), ("in the keybag", 420)] {
    print("  \(name): \(reader.answer { try reader.summary(of: Array(vault.prefix(byteCount)), roots) })")
}
