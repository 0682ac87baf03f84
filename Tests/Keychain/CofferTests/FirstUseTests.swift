import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultStore

/// The first use of a protection class or a group while the vault is locked, as background work on a device does it.
@Suite("First use while locked", .temporaryDirectory) struct FirstUseTests {
    private static let declared = AccessGroups(declared: ["TEAM.mail", "TEAM.shared", "*", "com.apple.token"])

    private func add(_ protection: String, to group: String, of keychain: Keychain) throws {
        try keychain.add([
            "class": "genp", "acct": .string(protection + group), "agrp": .string(group), "pdmn": .string(protection),
        ])
    }

    private func vault(_ sample: VaultSample) throws -> Vault {
        try sample.created(VaultProtection(passphrase: Passphrase("a long passphrase")))
    }

    /// The protections whose class keys stay available when the vault is locked.
    @Test(arguments: ["ck", "dk", "cku", "dku"])
    func `a protection that the vault never had can be used in a declared group`(protection: String) throws {
        let vault = try vault(try VaultSample())
        let keychain = vault.keychain(for: Self.declared)
        vault.lock()
        for group in ["TEAM.mail", "TEAM.shared"] {
            try add(protection, to: group, of: keychain)
            #expect(try keychain.count(["class": "genp", "agrp": .string(group)]) == 1)
        }
        #expect(throws: KeychainError.locked) { try add("ak", to: "TEAM.mail", of: keychain) }
    }

    @Test func `a group that appears while the vault is locked reports it as locked`() throws {
        let vault = try vault(try VaultSample())
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        vault.lock()
        #expect(throws: KeychainError.locked) { try add("ck", to: "com.example.mail", of: keychain) }
        let later = vault.keychain(for: Self.declared)
        #expect(throws: KeychainError.locked) { try add("ck", to: "TEAM.mail", of: later) }
        try vault.unlock(with: .passphrase("a long passphrase"))
        vault.lock()
        try add("ck", to: "TEAM.mail", of: later)
        #expect(throws: KeychainError.locked) { try add("ck", to: "com.example.mail", of: keychain) }
    }

    @Test func `declared groups are created once, and only those that items can be added to`() throws {
        let sample = try VaultSample()
        let vault = try vault(sample)
        let before = try Data(contentsOf: URL(filePath: sample.path))
        _ = vault.keychain(for: Self.declared)
        #expect(
            try vault.store.read { vault in Set(vault.groupNames.values.map { String(decoding: $0, as: UTF8.self) }) }
                == ["TEAM.mail", "TEAM.shared"]
        )
        let after = try Data(contentsOf: URL(filePath: sample.path))
        #expect(after != before)
        _ = vault.keychain(for: Self.declared)
        _ = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == after)
        #expect(vault.unlocking.warnings.isEmpty)
    }

    @Test func `a vault that can only be read is not changed`() throws {
        let sample = try VaultSample()
        _ = try vault(sample)
        let bytes = try Data(contentsOf: URL(filePath: sample.path))
        var options = sample.options
        options.mayWrite = false
        let vault = try Vault.open(at: sample.path, with: .passphrase("a long passphrase"), options: options)
        let keychain = vault.keychain(for: Self.declared)
        #expect(try keychain.count(["class": "genp"]) == 0)
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == bytes)
        #expect(vault.unlocking.warnings.isEmpty)
    }

    @Test func `groups that cannot be created are a warning, and the keychain can be used`() throws {
        let sample = try VaultSample()
        _ = try vault(sample)
        let files = HookedFiles()
        let isFull = Guarded(true)
        files.setHook { operation, path throws(FileError) in
            guard operation == .write, isFull.withLock({ $0 }) else { return }
            throw FileError(.write, path, reason: .diskFull)
        }
        var options = sample.options
        options.environment = StoreEnvironment(files: files, random: try SystemRandom())
        let vault = try Vault.open(at: sample.path, with: .passphrase("a long passphrase"), options: options)
        let keychain = vault.keychain(for: Self.declared)
        let warning = try #require(vault.unlocking.warnings.first)
        #expect(warning.hasPrefix("the access groups of the program could not be created: "))
        #expect(warning.contains("the disk is full"))
        #expect(try keychain.count(["class": "genp"]) == 0)
        isFull.withLock { $0 = false }
        try add("ck", to: "TEAM.mail", of: keychain)
        #expect(try keychain.count(["class": "genp"]) == 1)
    }

    @Test func `a program's default keychain creates its groups when it opens the vault`() throws {
        let sample = try VaultSample()
        let vault = try vault(sample)
        var options = sample.options
        options.locations.vault = sample.path
        let ladder = UnlockLadder.passphrase("a long passphrase")
        let keychain = Keychain(options: options, ladder: ladder, groups: Self.declared)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "genp", "agrp": "TEAM.mail"]) }
        keychain.lock()
        try add("ck", to: "TEAM.mail", of: keychain)
        #expect(try vault.keychain(for: Self.declared).count(["class": "genp"]) == 1)
    }
}
