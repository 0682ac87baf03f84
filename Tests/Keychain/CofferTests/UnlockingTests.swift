import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Unlocking with a prompt", .temporaryDirectory) struct UnlockingTests {
    /// The attempt numbers of the prompts.
    private final class Asked: Sendable {
        private let attempts = Guarded<[Int]>([])
        var list: [Int] { attempts.withLock { $0 } }
        func note(_ attempt: Int) { attempts.withLock { $0.append(attempt) } }
    }

    private let sample: VaultSample
    private let vault: Vault
    private let asked = Asked()

    init() throws {
        sample = try VaultSample()
        let new = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        try new.keychain.add(["class": "genp", "pdmn": "dk"])
        vault = try sample.opened()
    }

    private func ladder(_ answer: @escaping @Sendable (Int) -> String?) -> UnlockLadder {
        var ladder = UnlockLadder(variables: [:])
        ladder.prompt = { [asked] _, attempt in
            asked.note(attempt)
            return answer(attempt).map { Passphrase($0) }
        }
        return ladder
    }

    // The store was once locked during a prompt: every other thread that read an item waited for the answer, and a
    // prompt that used the vault stopped the program.
    @Test func `a program can use its vault during a prompt`() throws {
        let keychain = vault.keychain
        try vault.unlock(
            with: ladder { [vault] _ in
                do {
                    try keychain.update(["class": "genp", "pdmn": "dk"], with: ["labl": "asked"])
                } catch {
                    Issue.record(error)
                }
                return vault.isUnlocked ? nil : "right"
            }
        )
        #expect(vault.isUnlocked)
        #expect(try keychain.count(["class": "genp", "labl": "asked"]) == 1)
    }

    @Test func `a compaction during a prompt does not repeat it`() throws {
        let other = try sample.opened(with: .passphrase("right"))
        try vault.unlock(
            with: ladder { _ in
                do {
                    try other.store.compact()
                } catch {
                    Issue.record(error)
                }
                return "right"
            }
        )
        #expect(asked.list == [1])
        #expect(try vault.keychain.count(["class": "genp"]) == 1)
    }

    @Test func `after a change during a prompt, the new passphrase is required`() throws {
        let other = try sample.opened(with: .passphrase("right"))
        try vault.unlock(
            with: ladder { [asked] _ in
                guard asked.list.count == 1 else { return "new" }
                do {
                    let bytes = Array("new".utf8)
                    var rotation = try other.store.rotation(argon2Limits: .reader)
                    try rotation.add(
                        passphrase: bytes.span,
                        parameters: Argon2Parameters(operations: 1, memoryKiB: 8192)
                    )
                    _ = try other.store.rotate(to: rotation)
                } catch {
                    Issue.record(error)
                }
                return "right"
            }
        )
        #expect(asked.list == [1, 1])
        #expect(vault.isUnlocked)
        #expect(vault.unlocking.steps.count { $0.source == .prompt } == 1)
    }

    @Test func `too little memory does not repeat the prompt`() throws {
        let root = sample.directory.appending(path: "root")
        try FileManager.default.createDirectory(at: root.appending(path: "proc"), withIntermediateDirectories: true)
        try Data("MemAvailable:    1024 kB\n".utf8).write(to: root.appending(path: "proc/meminfo"))
        var environment = StoreEnvironment(random: try SystemRandom())
        environment.memory = AvailableMemory(root: root.path)
        var options = sample.options
        options.environment = environment
        let problem = try #require(throws: VaultError.self) {
            try Vault.open(at: sample.path, with: ladder { _ in "right" }, options: options)
        }
        #expect(problem.kind == .outOfMemory)
        #expect(asked.list == [1])
    }

    @Test func `there is no prompt for a passphrase that opens nothing`() throws {
        let code = try RecoveryCode()
        let path = sample.path + "2"
        _ = try Vault.create(at: path, protection: VaultProtection(recoveryCode: code), options: sample.options)
        let other = try VaultSample(machine: "other")
        let problem = try #require(throws: VaultError.self) {
            try Vault.open(at: path, with: ladder { _ in "right" }, options: other.options)
        }
        #expect(problem.unlocking?.outcome(of: .prompt) == .skipped(.opensNothing))
        #expect(asked.list == [])
    }
}
