import Coffer
import Foundation
import TestSupport
import Testing

/// Errors and warnings when a passphrase or key file is chosen.
@Suite("Strength of secrets", .temporaryDirectory) struct SecretStrengthTests {
    private static let refused = [
        "", "x", "ab", "aa", "aaaaaaaaaaaaaaaaaaaa", "abab", "121212121212", "12345678", "87654321", "abcdefgh",
        "qwerty",
        "QwErTy", "asdfghjkl",
    ]
    private static let weak = [
        "kim", "hunter2", "right", "483920", "password", "abc!abc!abc!", "hunter2hunter2", "111111222222",
    ]
    private static let strong = ["correct horse", "3k9Xw_pQ71vZ", "five or more random words", "ünd ich weiß es nicht"]

    private func protection(_ passphrase: String) -> VaultProtection {
        VaultProtection(passphrase: Passphrase(passphrase))
    }

    @Test(arguments: refused) func `an easily guessed passphrase is rejected`(passphrase: String) throws {
        let sample = try VaultSample()
        let error = #expect(throws: VaultError.self) { try sample.created(protection(passphrase)) }
        #expect(error?.kind == .weakSecret)
        #expect(!FileManager.default.fileExists(atPath: sample.path))
        #expect(passphrase.count < 2 || error?.description.contains(passphrase) == false)
    }

    @Test(arguments: refused.filter { !$0.isEmpty }) func `an easily guessed passphrase is accepted on request`(
        passphrase: String
    ) throws {
        let sample = try VaultSample()
        var protection = protection(passphrase)
        protection.allowsWeakSecrets = true
        let vault = try sample.created(protection)
        #expect(vault.unlocking.warnings.count == 1)
        #expect(try sample.opened(with: .passphrase(passphrase)).isUnlocked)
    }

    @Test(arguments: weak) func `a weak passphrase creates a vault with a warning`(passphrase: String) throws {
        let warnings = try VaultSample().created(protection(passphrase)).unlocking.warnings
        #expect(warnings.count == 1)
        #expect(!warnings.joined().contains(passphrase))
    }

    @Test(arguments: strong) func `a strong passphrase creates a vault without a warning`(passphrase: String) throws {
        #expect(try VaultSample().created(protection(passphrase)).unlocking.warnings == [])
    }

    @Test(arguments: [[UInt8(0)], [255], [0, 1]])
    func `a key file with a repeated pattern is rejected`(bytes: [UInt8]) throws {
        let sample = try VaultSample()
        let content = Data((0..<64).map { bytes[$0 % bytes.count] })
        var protection = VaultProtection(keyFile: try sample.file("key", content))
        let error = #expect(throws: VaultError.self) { try sample.created(protection) }
        #expect(error?.kind == .weakSecret)
        protection.passphrase = Passphrase("correct horse battery")
        let other = #expect(throws: VaultError.self) { try sample.created(protection) }
        #expect(other?.kind == .weakSecret)
        protection.allowsWeakSecrets = true
        #expect(try sample.created(protection).isUnlocked)
    }

    @Test func `a guessable key file causes a warning; a random one does not`() throws {
        let sample = try VaultSample()
        let dates = Data("2026-01-01 2026-01-02 2026-01-01".utf8)
        let weak = VaultProtection(keyFile: try sample.file("dates", dates))
        #expect(try weak.warnings().count == 1)
        let random = Data((0..<64).map { _ in UInt8.random(in: .min ... .max) })
        #expect(try VaultProtection(keyFile: sample.file("random", random)).warnings() == [])
    }

    @Test func `a key file compensates for a weak passphrase`() throws {
        let random = Data((0..<64).map { _ in UInt8.random(in: .min ... .max) })
        var protection = protection("hunter2")
        protection.keyFile = try VaultSample().file("random", random)
        #expect(try protection.warnings() == [])
    }

    @Test func `an easily guessed passphrase cannot be added or set`() async throws {
        let vault = try VaultSample().created(protection("correct horse"))
        let added = #expect(throws: VaultError.self) { try vault.add(protection("1234567")) }
        #expect(added?.kind == .weakSecret)
        let change = vault.keyChange(to: protection("1234567"))
        let changed = await #expect(throws: VaultError.self) { try await change.report() }
        #expect(changed?.kind == .weakSecret)
        #expect(try vault.slots.count == 1)
    }

    @Test func `a passphrase from the environment is also checked when the first item creates the vault`() throws {
        let sample = try VaultSample()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE": "1"])
        let error = #expect(throws: VaultError.self) {
            try Vault.createForFirstItem(at: sample.path, with: ladder, options: sample.options)
        }
        #expect(error?.kind == .weakSecret)
    }
}
