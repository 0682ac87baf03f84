import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto

/// Attributes of items in the memory of a program that has locked or closed its vault.
///
/// Texts of up to 15 bytes are stored inside other values and on the stack, so the test searches for longer ones. Past
/// revisions are not read here: the vault keeps none in memory, and results belong to the program.
@Suite("Attributes in memory", .temporaryDirectory) struct AttributeMemoryTests {
    private static let passphrase = "a passphrase that stands nowhere else"
    private static let names = ["acct", "svce", "labl", "icmt"]
    private static let uses = [
        ["find", "attributes", "items"], ["update"], ["update", "compaction", "update"],
        ["compaction", "verification", "changes"],
        ["find", "update", "attributes", "compaction", "items", "update", "verification"],
    ]

    private let sample: VaultSample
    private let program: WorkerProcess
    private var texts: [String: [UInt8]] = [:]

    init() throws {
        sample = try VaultSample()
        program = try WorkerProcess("KeychainWorker")
        let random = try SystemRandom()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase(Self.passphrase)))
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        for protection in ["ak", "ck"] {
            for item in 0..<4 {
                var request: ItemRequest = ["class": "genp", "desc": "of an item", "pdmn": .string(protection)]
                for name in Self.names {
                    let text = random.bytes(20).map { String(format: "%02x", $0) }.joined()
                    // Half of the texts are not ASCII, which is stored differently.
                    request[name] = .string(item.isMultiple(of: 2) ? text : "ö" + text)
                    texts["\(name) \(protection) \(item)"] = Array(text.utf8)
                    texts["\(name) \(protection) \(item) in UTF-16"] = text.utf8.flatMap { [$0, 0] }.dropLast()
                }
                try keychain.add(request)
            }
        }
    }

    private func open(isCompacted: Bool, with uses: [String]) throws {
        if isCompacted {
            _ = try sample.opened(with: .passphrase(Self.passphrase)).compaction().perform()
        }
        let state = sample.directory.appending(path: "state").path
        let file = try sample.file("passphrase", Self.passphrase)
        #expect(try program.answer(to: "open", sample.path, state, "com.example.mail", file) == "unlocked")
        for use in uses { #expect(try program.answer(to: "use", use) == "used") }
    }

    /// The names of the texts that are in memory.
    private func found() throws -> Set<String> { try MemoryImage(of: program.number).found(texts) }

    @Test func `attributes stay in memory until the vault is locked`() throws {
        try open(isCompacted: true, with: ["attributes"])
        #expect(try found().contains { $0.hasPrefix("acct ak ") })
    }

    @Test(arguments: [false, true], uses)
    func `a program with a locked vault has no attributes of locked items in memory`(
        isCompacted: Bool,
        uses: [String]
    ) throws {
        try open(isCompacted: isCompacted, with: uses)
        #expect(try program.answer(to: "lock") == "locked")
        let rest = try found().filter { !$0.contains(" ck ") }
        #expect(rest == [], "\(rest.count) of \(texts.count): \(rest.sorted())")
    }

    @Test(arguments: uses) func `a program with a closed vault has no attributes in memory`(uses: [String]) throws {
        try open(isCompacted: true, with: uses)
        #expect(try program.answer(to: "close") == "closed")
        let rest = try found()
        #expect(rest == [], "\(rest.count) of \(texts.count): \(rest.sorted())")
    }
}
