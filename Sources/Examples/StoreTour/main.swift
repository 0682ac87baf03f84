import FoundationEssentials
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

// A vault in use: two programs that share it, a crash in the middle of a change, history, compaction, damage and
// salvage. All secrets here are made up, so printing them is safe.

let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-tour-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
defer { try? FileManager.default.removeItem(at: directory) }
let path = directory.appending(path: "tour.coffer").path

let environment = StoreEnvironment(random: try SystemRandom())
var new = try NewVault(environment: environment)
try new.add(
    device: environment.random.identifier(),
    key: environment.random.key(),
    opensAll: true
)
let roots = new.roots
let tour = StoreTour(path: path, environment: environment)

print("A new vault, and two programs that have it open:")
let one = try VaultStore.create(new, at: path, environment: environment)
let two = try VaultStore.open(at: path, environment: environment) { _ in roots }
let watch = try two.watch()
let mail = try tour.add("kim", "mail.example.com", "sesame", to: one)
_ = try tour.add("root", "router.example.com", "hunter2", to: one)
if case .items(let names) = try watch.next(timeout: .seconds(5)) {
    print("  the second is notified of \(names.count) changed items and sees:")
}
for line in try tour.lines(of: two) { print("    \(line)") }

print("\nA program killed in the middle of a change leaves half of it:")
do {
    let killed = try VaultStore.open(at: path, environment: environment) { _ in roots }
    try tour.writeHalfAChange(to: killed)
}
_ = try tour.add("ada", "shop.example.com", "swordfish", to: two)
for recovery in two.recoveries { print("  \(recovery.byteCount) bytes were cut off before the next change") }
print("  the vault has \(try tour.lines(of: one).count) items")

print("\nA changed password and its history:")
try tour.change(mail, to: "open sesame", in: one)
for line in try tour.past(of: mail, in: one) { print("  \(line)") }

print("\nA compaction drops the history:")
let report = try one.compact()
print("  generation \(report.generation), \(report.droppedRevisionCount) past revision dropped")
for line in try tour.past(of: mail, in: two) { print("  \(line)") }

print("\nTwo more items, and a flipped bit among the older ones:")
_ = try tour.add("bo", "wiki.example.com", "xyzzy", to: one)
_ = try tour.add("cy", "chat.example.com", "plugh", to: two)
try tour.flipBit(in: one)
let findings = try VaultStore.verify(at: path, environment: environment) { _ in roots }
for damage in findings.damages {
    let place = "bytes \(damage.range.lowerBound) to \(damage.range.upperBound)"
    print("  \(place) are damaged")
}
print("  \(findings.invalidItems.count) item is lost")
let saved = try VaultStore.salvage(at: path, to: path + ".saved", environment: environment) { _ in roots }
print("  \(saved.itemCount) of 5 items were salvaged into a new vault")
