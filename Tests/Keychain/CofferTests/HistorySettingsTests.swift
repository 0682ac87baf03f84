import Coffer
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// How much of the past a vault keeps: store.md, section 7.
@Suite("What is kept of the past", .temporaryDirectory) struct HistorySettingsTests {
    private static let day: UInt64 = 86_400_000_000_000

    private let sample: VaultSample
    private let time = ManualTime()
    private let mail = GenericPassword(service: "mail", account: "kim")

    init() throws { sample = try VaultSample() }

    private var options: VaultOptions {
        get throws {
            var options = sample.options
            options.environment = StoreEnvironment(time: time, random: try SystemRandom())
            return options
        }
    }

    private func created(_ protection: VaultProtection = VaultProtection()) throws -> Vault {
        try Vault.create(at: sample.path, protection: protection, options: options)
    }

    /// Creates a vault as earlier versions did, with these settings.
    private func createOld(_ settings: Settings? = nil, passphrase: [UInt8] = Array("right".utf8)) throws {
        let path = sample.path
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let environment = StoreEnvironment(time: time, random: try SystemRandom())
        var new = try NewVault(environment: environment, argon2Limits: .weak)
        try new.add(passphrase: passphrase.span, parameters: Argon2Parameters(operations: 1, memoryKiB: 8192))
        let store = try VaultStore.create(new, at: path, environment: environment)
        guard let settings else { return }
        try store.transaction { transaction in try transaction.change(settings) }
    }

    private func compact(_ vault: Vault) async throws { _ = try await vault.compaction().report() }

    @Test func `for ninety days, ten revisions of each item and deleted items`() async throws {
        let vault = try created()
        let keychain = vault.keychain
        #expect(try vault.historySettings == .standard)
        let stored = try keychain.add(mail, secret: "0")
        let gone = try keychain.add(GenericPassword(service: "web"), secret: "x")
        try keychain.delete(gone.reference)
        for number in 1...11 { try keychain.setSecret("\(number)", of: stored.reference) }
        // The first change after a day makes a compaction due.
        time.advance(nanoseconds: 2 * Self.day)
        try keychain.add(GenericPassword(service: "other"), secret: "x")
        try await compact(vault)
        let revisions = try keychain.history(of: stored.reference).revisions
        #expect(try revisions.map { try keychain.secret(of: $0) } == (1...11).reversed().map { Array("\($0)".utf8) })
        #expect(try keychain.deletedItems(GenericPassword.self).map(\.reference) == [gone.reference])
        time.advance(nanoseconds: 87 * Self.day)
        try await compact(vault)
        #expect(try keychain.history(of: stored.reference).revisions.count == 11)
        time.advance(nanoseconds: 2 * Self.day)
        try await compact(vault)
        #expect(try keychain.history(of: stored.reference).revisions.count == 1)
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
    }

    @Test func `a passphrase, a slot, a grant and its end drop nothing`() async throws {
        let vault = try created(VaultProtection(passphrase: Passphrase("right")))
        let keychain = vault.keychain
        let stored = try keychain.add(mail, secret: "0")
        try keychain.setSecret("1", of: stored.reference)
        let gone = try keychain.add(GenericPassword(service: "web"), secret: "x")
        try keychain.delete(gone.reference)
        func isKept(_ what: String) throws {
            #expect(try keychain.history(of: stored.reference).revisions.count == 2, "\(what)")
            #expect(try keychain.deletedItems(GenericPassword.self).count == 1, "\(what)")
        }
        try vault.add(VaultProtection(passphrase: Passphrase("second")))
        try isKept("a slot")
        _ = try vault.issueGrant(named: "web", for: ["com.example.web"])
        try isKept("a grant")
        _ = try await vault.revocation(of: vault.grants).report()
        try isKept("a revocation")
        _ = try await vault.keyChange(to: VaultProtection(passphrase: Passphrase("another"))).report()
        try isKept("a passphrase")
    }

    @Test func `the owner of an older vault writes the standard once`() throws {
        try createOld()
        let vault = try Vault.open(at: sample.path, with: .passphrase("right"), options: options)
        #expect(try vault.historySettings == .standard)
        let before = try Data(contentsOf: URL(filePath: sample.path))
        _ = try Vault.open(at: sample.path, with: .passphrase("right"), options: options)
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == before)
    }

    @Test func `a vault that may not be written gets no settings`() throws {
        try createOld()
        var options = try options
        options.mayWrite = false
        let vault = try Vault.open(at: sample.path, with: .passphrase("right"), options: options)
        #expect(try vault.historySettings == HistorySettings())
    }

    @Test func `settings with one of the numbers stay, and those with neither get the standard`() throws {
        let cases: [((inout Settings) -> Void, HistorySettings)] = [
            ({ _ in }, .standard), ({ $0.isCompressing = false }, .standard),
            ({ $0.historyRevisions = 0 }, HistorySettings(revisions: 0)),
            ({ $0.historyDays = 7 }, HistorySettings(days: 7)),
        ]
        for (change, expected) in cases {
            var settings = Settings()
            change(&settings)
            try createOld(settings)
            let vault = try Vault.open(at: sample.path, with: .passphrase("right"), options: options)
            #expect(try vault.historySettings == expected)
            try FileManager.default.removeItem(atPath: sample.path)
        }
    }

    @Test func `none stays none`() throws {
        let vault = try created()
        try vault.setHistorySettings(HistorySettings())
        #expect(try vault.historySettings == HistorySettings(revisions: 0))
        #expect(try Vault.open(at: sample.path, options: options).historySettings == HistorySettings(revisions: 0))
    }

    @Test func `two machines write the same settings`() throws {
        var settings = Settings()
        settings.isCompressing = false
        try createOld(settings)
        let copy = sample.path + ".copy"
        try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
        var elsewhere = try options
        elsewhere.locations.anchors = sample.directory.appending(path: "other anchors").path
        let (one, other) = (
            try Vault.open(at: sample.path, with: .passphrase("right"), options: options),
            try Vault.open(at: copy, with: .passphrase("right"), options: elsewhere)
        )
        let settingsOfBoth = try [one, other].map { vault in try vault.store.read { vault in vault.settings } }
        #expect(settingsOfBoth[0]?.historyDays == 90 && settingsOfBoth[0] == settingsOfBoth[1])
    }

    @Test func `an erased item is gone with its past, and others keep theirs`() throws {
        let keychain = try created().keychain
        let (kim, lee) = (
            try keychain.add(mail, secret: "0").reference,
            try keychain.add(GenericPassword(service: "mail", account: "lee"), secret: "0").reference
        )
        for reference in [kim, lee] { try keychain.setSecret("1", of: reference) }
        try keychain.erase(kim)
        #expect(throws: KeychainError.itemNotFound) { try keychain.history(of: kim) }
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
        #expect(try keychain.history(of: lee).revisions.count == 2)
        #expect(throws: KeychainError.itemNotFound) { try keychain.erase(kim) }
    }

    @Test func `the holder of a grant erases nothing`() throws {
        let vault = try created(VaultProtection(passphrase: Passphrase("right")))
        let groups = AccessGroups(declared: ["web"])
        let stored = try vault.keychain(for: groups).add(mail, secret: "x")
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        let ladder = UnlockLadder(variables: [:], secret: .grant(credential))
        let holder = try Vault.open(at: sample.path, with: ladder, options: options).keychain(for: groups)
        let problem = #expect(throws: KeychainError.self) { try holder.erase(stored.reference) }
        #expect("\(try #require(problem))".contains("only an owner can do this"))
        #expect(try holder.secretText(GenericPassword.self, where: .service("mail")) == "x")
    }
}
