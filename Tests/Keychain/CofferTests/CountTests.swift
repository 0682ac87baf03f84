import Coffer
import CofferBasics
import CofferSecurity
import Testing
import TestSupport
import VaultFormat
import VaultStore

/// The number of items that a vault counts, which decides when it is full.
@Suite("Item counts", .temporaryDirectory) struct CountTests {
    private func count(_ keychain: Keychain) throws -> Int {
        try keychain.openedStore()?.read { vault in vault.itemCount } ?? 0
    }

    @Test(arguments: [false, true]) func `a moved item counts once`(isCompacted: Bool) throws {
        let sample = try KeychainSample()
        try sample.keychain.add(password)
        if isCompacted { try sample.store.compact() }
        for group in ["other", "com.example.app", "other"] {
            let from = group == "other" ? "com.example.app" : "other"
            try sample.keychain.update(password.with(["agrp": .string(from)]), with: ["agrp": .string(group)])
            #expect(try count(sample.keychain) == 1)
            #expect(try count(sample.reopened()) == 1)
        }
        try sample.keychain.delete(password.with(["agrp": "other"]))
        #expect(try count(sample.keychain) == 0)
        #expect(try count(sample.reopened()) == 0)
    }

    @Test func `a restored item counts once`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(password)
        try sample.store.compact()
        let item = try #require(
            try sample.store.read { vault in
                try vault.items(in: vault.groupNames.keys.first ?? .none)
            }.first
        )
        let past = try #require(
            try sample.store.read { vault in try vault.revisions(of: item.name) }.first
        )
        try sample.keychain.delete(password)
        #expect(try count(sample.keychain) == 0)
        try sample.store.transaction { transaction in try transaction.restore(past) }
        #expect(try count(sample.keychain) == 1)
        #expect(try count(sample.reopened()) == 1)
    }
}
