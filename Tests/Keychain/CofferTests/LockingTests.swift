import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Locking and unlocking, and what other processes have to do with it.
@Suite("Locking", .temporaryDirectory) struct LockingTests {
    private static let protections = ["ak", "ck", "dk", "aku", "cku", "dku"]

    /// A locked keychain with an item for each protection that needs no passphrase, named after it.
    private func locked() throws -> KeychainSample {
        let sample = try KeychainSample()
        for name in Self.protections { try sample.keychain.add(item(name)) }
        sample.keychain.lock()
        return sample
    }

    private func item(_ protection: String) -> ItemRequest {
        account(protection).with(["pdmn": .string(protection), "labl": "L", "v_Data": data(protection)])
    }

    private func account(_ name: String) -> ItemRequest { password.with(["acct": .string(name)]) }

    @Test func `unlocking makes locked items readable again`() throws {
        let sample = try locked()
        #expect(!sample.keychain.isUnlocked)
        try sample.unlock()
        #expect(sample.keychain.isUnlocked)
        for name in Self.protections { #expect(try sample.keychain.text(account(name)) == name) }
        try sample.keychain.add(item("ak").with(["acct": "new"]))
    }

    @Test func `locking one keychain leaves another one unlocked`() throws {
        let sample = try locked()
        #expect(try sample.reopened().text(account("ak")) == "ak")
    }

    @Test func `a keychain stays locked after another process replaces the file`() throws {
        let sample = try locked()
        let other = try sample.reopened()
        try other.add(item("ak").with(["acct": "theirs"]))
        try other.add(item("ck").with(["acct": "for all"]))
        try other.compact()
        #expect(throws: KeychainError.locked) { try sample.keychain.find(account("theirs")) }
        #expect(throws: KeychainError.locked) { try sample.keychain.find(account("ak")) }
        #expect(try sample.keychain.text(account("for all")) == "ck")
        #expect(try sample.keychain.text(account("cku")) == "cku")
    }

    @Test func `a new group of another process is locked for a program without its key`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(item("ck"))
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(roots: roots)
        keychain.lock()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["agrp": "new"])) }
        try sample.keychain.add(password.with(["agrp": "new"]))
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["agrp": "new"])) }
        #expect(try keychain.text(account("ck")) == "ck")
    }

    @Test func `a list of all groups is locked while one group is closed`() throws {
        let sample = try KeychainSample(AccessGroups(declared: ["*"]))
        try sample.keychain.add(item("ck").with(["agrp": "open"]))
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(AccessGroups(declared: ["*"]), roots: roots)
        keychain.lock()
        try sample.keychain.add(password.with(["agrp": "new"]))
        #expect(throws: KeychainError.locked) { try keychain.all(password.with(["r_PersistentRef": true])) }
    }
}
