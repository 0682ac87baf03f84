import Coffer
import CofferBasics
import TestSupport
import Testing

/// A purge drops the history on request and keeps the current items.
@Suite("Purging", .temporaryDirectory) struct PurgingTests {
    /// A vault that keeps its history, with two items that had two secrets each.
    private func sample() throws -> (vault: Vault, keychain: Keychain, items: [Stored<GenericPassword>]) {
        let vault = try VaultSample().created()
        try vault.setHistorySettings(HistorySettings(days: 100))
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.app"))
        let items = try ["kim", "lee"].map { account in
            let stored = try keychain.add(
                GenericPassword(service: "mail", account: account),
                secret: "1"
            )
            return try keychain.setSecret("2", of: stored.reference)
        }
        return (vault, keychain, items)
    }

    private func counts(_ keychain: Keychain, _ items: [Stored<GenericPassword>]) throws -> [Int] {
        try items.map { try keychain.history(of: $0.reference).revisions.count }
    }

    @Test func `the history of one item is dropped, and another's is kept`() throws {
        let (vault, keychain, items) = try sample()
        let summary = try vault.purge([items[0].reference.persistentReference])
        #expect(summary.droppedRevisionCount == 1)
        #expect(try counts(keychain, items) == [1, 2])
        #expect(try keychain.secretText(of: items[0].reference) == "2")
        #expect(throws: KeychainError.noSuchRevision) { try keychain.undo(items[0].reference) }
        #expect(try keychain.undo(items[1].reference).revision.number > 2)
    }

    @Test func `the history of all items is dropped, including deleted ones`() throws {
        let (vault, keychain, items) = try sample()
        try keychain.delete(items[1].reference)
        #expect(try vault.purge(nil).droppedRevisionCount == 3)
        #expect(try counts(keychain, [items[0]]) == [1])
        #expect(throws: KeychainError.itemNotFound) { try keychain.history(of: items[1].reference) }
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
    }

    @Test func `a cancelled purge changes nothing`() throws {
        let (vault, keychain, items) = try sample()
        let problem = #expect(throws: VaultError.self) { try vault.purge(nil) { _ in false } }
        #expect(problem?.kind == .cancelled)
        #expect(try counts(keychain, items) == [2, 2])
    }

    // MARK: - Past revisions

    @Test func `a past revision knows when the item was added and whether it had a secret`() throws {
        let (_, keychain, items) = try sample()
        try keychain.removeSecret(of: items[0].reference)
        let past = try keychain.history(of: items[0].reference).revisions
        #expect(past.map(\.hasSecret) == [false, true, true])
        #expect(past.map(\.created) == Array(repeating: items[0].created, count: 3))
    }

    @Test func `a transaction can read the secret of a past revision`() throws {
        let (_, keychain, items) = try sample()
        let past = try keychain.history(of: items[0].reference).revisions
        let secrets = try keychain.transaction { transaction throws(KeychainError) in
            var secrets: [[UInt8]?] = []
            for state in past {
                secrets.append(
                    try transaction.withSecret(of: state) { (bytes) throws(KeychainError) in
                        [UInt8](copying: bytes)
                    }
                )
            }
            return secrets
        }
        #expect(secrets == [Array("2".utf8), Array("1".utf8)])
    }

    // MARK: - Change notifications

    @Test func `a change is reported once`() throws {
        let (vault, keychain, items) = try sample()
        let changes = try vault.changes()
        #expect(try !changes.next(timeout: .zero))
        try keychain.setSecret("3", of: items[0].reference)
        #expect(try changes.next(timeout: .zero))
        #expect(try !changes.next(timeout: .zero))
    }
}
