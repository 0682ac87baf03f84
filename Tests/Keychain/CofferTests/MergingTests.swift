import Coffer
import Foundation
import TestSupport
import Testing

/// Merging copies of a vault that two machines have changed, as programs do.
@Suite("Merging copies of a vault", .temporaryDirectory) struct MergingTests {
    private let home: VaultSample
    private let office: VaultSample
    private let vault: Vault
    private let other: Vault

    private static let login = GenericPassword(service: "mail", account: "kim")

    /// Makes a vault with a passphrase and one item, and a copy of it on another machine.
    init() throws {
        home = try VaultSample(machine: "home")
        office = try VaultSample(machine: "office")
        vault = try home.created(VaultProtection(passphrase: Passphrase("right")))
        try vault.keychain(for: AccessGroups(application: "app")).add(Self.login, secret: "1")
        let path = office.directory.appending(path: "copy.coffer").path
        try FileManager.default.createDirectory(at: office.directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: vault.path, toPath: path)
        other = try Vault.open(at: path, with: Self.ladder("right"), options: office.options)
    }

    private static func ladder(_ passphrase: String) -> UnlockLadder {
        UnlockLadder(variables: [:], secret: .passphrase(Passphrase(passphrase)))
    }

    private func keychain(_ vault: Vault) -> Keychain { vault.keychain(for: AccessGroups(application: "app")) }

    private func copy(of vault: Vault, _ passphrase: String = "right") throws -> Vault {
        try Vault.openCopy(at: vault.path, with: Self.ladder(passphrase), options: home.options)
    }

    private func text(_ vault: Vault) throws -> String? {
        try keychain(vault).secretText(GenericPassword.self, where: .service("mail"))
    }

    @Test func `the examples of merging`() async throws {
        let vault = try await Vault.create(at: home.directory.appending(path: "own.coffer").path, options: home.options)
        let copyPath = office.directory.appending(path: "own.coffer").path
        try FileManager.default.copyItem(atPath: vault.path, toPath: copyPath)
        try keychain(vault).add(Self.login, secret: "1")
        let options = home.options
        // The device key opens the copy.
        let copy = try Vault.openCopy(at: copyPath, options: options)
        let summary = try await vault.merge(with: copy).report()
        #expect(!summary.hasChanged)
        do {
            let summary = try vault.mergePreview(with: copy)
            for change in summary.leftOut { print(change.reason, change.kind, change.group, change.service ?? "") }
            print(summary.addedItemCount, summary.conflictCount)
        }
    }

    @Test func `a merge does what the preview says`() async throws {
        try keychain(other).add(GenericPassword(service: "shop", account: "kim"), secret: "x")
        let preview = try vault.mergePreview(with: copy(of: other))
        let summary = try await vault.merge(with: copy(of: other)).report()
        #expect(summary == preview)
        #expect(summary.addedItemCount == 1 && summary.conflictCount == 0 && summary.hasChanged)
        #expect(try keychain(vault).secretText(GenericPassword.self, where: .service("shop")) == "x")
        #expect(try vault.mergePreview(with: copy(of: other)).hasChanged == false)
    }

    @Test func `a copy is opened without being changed or remembered`() throws {
        try keychain(other).save(Self.login, secret: "2")
        let before = try Data(contentsOf: URL(filePath: vault.path))
        // The vault is newer than the copy, which would be a rollback at its own place.
        let old = home.directory.appending(path: "old.coffer").path
        try FileManager.default.copyItem(atPath: vault.path, toPath: old)
        try keychain(vault).save(Self.login, secret: "3")
        let copy = try Vault.openCopy(at: old, with: Self.ladder("right"), options: home.options)
        #expect(try text(copy) == "1")
        #expect(throws: KeychainError.self) { try keychain(copy).save(Self.login, secret: "4") }
        #expect(try Data(contentsOf: URL(filePath: old)) == before)
        #expect(try text(home.opened(with: Self.ladder("right"))) == "3")
    }

    @Test func `a conflict is listed with the winner first, and resolved by keeping either`() async throws {
        let names = ["home", "office"]
        for kept in 0..<2 {
            try keychain(vault).save(Self.login, secret: "home \(kept)")
            try keychain(other).save(Self.login, secret: "office \(kept)")
            #expect(try await vault.merge(with: copy(of: other)).report().conflictCount == 1)
            let keychain = keychain(vault)
            let history = try #require(try keychain.conflicts(GenericPassword.self).first)
            let live = history.revisions.filter { $0.ended == nil }
            let texts = try live.map { String(decoding: try keychain.secret(of: $0) ?? [], as: UTF8.self) }
            #expect(Set(texts) == Set(names.map { "\($0) \(kept)" }))
            #expect(try text(vault) == texts[0])
            #expect(live.map(\.isCurrent) == [true, false])
            #expect(history.conflicts.map(\.revision) == [live[1].revision])

            try keychain.resolveConflict(keeping: live[kept])
            #expect(try text(vault) == texts[kept])
            #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
            #expect(throws: KeychainError.noSuchRevision) { try keychain.resolveConflict(keeping: live[1 - kept]) }
            // The other copy learns it, and nothing comes back.
            _ = try await other.merge(with: copy(of: vault)).report()
            #expect(try text(other) == texts[kept])
            #expect(try self.keychain(other).conflicts(GenericPassword.self).isEmpty)
            #expect(try vault.mergePreview(with: copy(of: other)).hasChanged == false)
        }
    }

    @Test func `the example of conflicts`() async throws {
        try keychain(vault).save(Self.login, secret: "home")
        try keychain(other).save(Self.login, secret: "office")
        _ = try await vault.merge(with: copy(of: other)).report()
        let keychain = keychain(vault)
        let before = try text(vault)
        for history in try keychain.conflicts(GenericPassword.self) {
            guard let winner = history.revisions.first else { continue }
            try keychain.resolveConflict(keeping: winner)
        }
        #expect(try text(vault) == before)
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
    }

    @Test func `undoing restores the revision before, and no conflict`() async throws {
        try keychain(vault).save(Self.login, secret: "home")
        try keychain(other).save(Self.login, secret: "office")
        _ = try await vault.merge(with: copy(of: other)).report()
        let keychain = keychain(vault)
        let reference = try #require(try keychain.item(GenericPassword.self, where: .service("mail"))).reference
        // The winner was made in one of the copies, where it replaced the first revision.
        try keychain.undo(reference)
        #expect(try text(vault) == "1")
    }

    @Test func `an item that was changed here and deleted there after more changes is not taken for deleted`()
        async throws
    {
        try keychain(vault).save(Self.login, secret: "home")
        for number in 2..<5 { try keychain(other).save(Self.login, secret: "office \(number)") }
        try keychain(other).deleteAll(GenericPassword.self, where: .service("mail"))
        _ = try await other.merge(with: copy(of: vault)).report()
        let keychain = keychain(other)
        let reference = try #require(try keychain.item(GenericPassword.self, where: .service("mail"))).reference
        let history = try keychain.history(of: reference)
        #expect(!history.isDeleted && history.conflicts.isEmpty)
        #expect(history.revisions.map(\.revision.number) == [2, 4, 3, 2, 1])
        #expect(history.revisions.map(\.isCurrent) == [true, false, false, false, false])
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
    }

    @Test func `after a change of the passphrase of the other copy, that one opens the vault`() async throws {
        _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("new"))).report()
        try keychain(vault).add(GenericPassword(service: "shop", account: "kim"), secret: "x")
        #expect(throws: VaultError.self) { try copy(of: other) }
        let summary = try await vault.merge(with: copy(of: other, "new")).report()
        #expect(summary.hasOtherKeys)
        #expect(throws: VaultError.self) { try home.opened(with: Self.ladder("right")) }
        let opened = try home.opened(with: Self.ladder("new"))
        #expect(try text(opened) == "1")
        #expect(try keychain(opened).secretText(GenericPassword.self, where: .service("shop")) == "x")
    }

    @Test func `another vault is refused`() throws {
        let path = office.directory.appending(path: "another.coffer").path
        let stranger = try Vault.create(at: path, options: office.options)
        #expect(throws: VaultError.self) { try vault.mergePreview(with: stranger) }
    }
}
