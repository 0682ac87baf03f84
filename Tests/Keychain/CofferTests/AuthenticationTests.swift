import Coffer
import CofferBasics
import Foundation
import KeychainTestSupport
import TestSupport
import Testing
import VaultFormat

/// Typed items whose access control demands the user.
@Suite("Authentication", .temporaryDirectory) struct AuthenticationTests {
    private let keychain: Keychain

    init() throws {
        keychain = try KeychainSample().keychain
    }

    /// An item for "kim" with the secret "x" and these conditions.
    @discardableResult
    private func add(
        _ conditions: AccessControl.Conditions = .userPresence,
        account: String = "kim"
    ) throws -> Stored<GenericPassword> {
        var item = GenericPassword(service: "mail", account: account)
        item.accessControl = AccessControl(.whenUnlocked, conditions)
        return try AuthenticationHost.with(.willing) { try keychain.add(item, secret: "x") }
    }

    private func without<Result>(_ body: () throws -> Result) rethrows -> Result {
        try AuthenticationHost.with(nil, body)
    }

    // MARK: - Reading

    /// A call that reads or changes an item.
    enum Use: String, CaseIterable {
        case items, item, itemByReference, count, secret, secretText, history, itemsAtADate, update, setSecret
        case removeSecret, save, transaction

        func callAsFunction(_ keychain: Keychain, _ reference: KeychainReference<GenericPassword>) throws {
            let new = GenericPassword(service: "mail", account: "kim")
            switch self {
            case .items: _ = try keychain.items(GenericPassword.self)
            case .item: _ = try keychain.item(GenericPassword.self, where: .service("mail"))
            case .itemByReference: _ = try keychain.item(reference)
            case .count: _ = try keychain.count(GenericPassword.self)
            case .secret: _ = try keychain.secret(of: reference)
            case .secretText: _ = try keychain.secretText(GenericPassword.self, where: .service("mail"))
            case .history: _ = try keychain.history(of: reference)
            case .itemsAtADate: _ = try keychain.items(GenericPassword.self, at: KeychainDate(secondsSince1970: 4e9))
            case .update: try keychain.update(reference) { $0.label = "new" }
            case .setSecret: try keychain.setSecret("y", of: reference)
            case .removeSecret: try keychain.removeSecret(of: reference)
            case .save: try keychain.save(new, secret: "z")
            case .transaction: _ = try keychain.transaction { transaction in try transaction.item(reference) }
            }
        }
    }

    @Test(arguments: Use.allCases) func `reading and changing ask`(use: Use) throws {
        let reference = try add().reference
        #expect(throws: KeychainError.authenticationRequired) { try without { try use(keychain, reference) } }
        let host = ScriptedHost(.success)
        try host.run { try use(keychain, reference) }
        #expect(host.requests == [.user(.passphrase)])
    }

    @Test func `deleting does not ask`() throws {
        let reference = try add().reference
        try add(account: "lee")
        try without {
            try keychain.delete(reference)
            #expect(try keychain.deleteAll(GenericPassword.self) == 1)
        }
    }

    @Test func `searches can leave such items out`() throws {
        try add()
        try without { _ = try keychain.add(GenericPassword(service: "mail", account: "lee"), secret: "x") }
        let skipped = SkippedItems()
        let found = try without { try keychain.leavingOut(skipped).items(GenericPassword.self) }
        #expect(found.map(\.account) == ["lee"])
        #expect(skipped.count == 1)
        let readable = try without { try keychain.itemsByReadability(GenericPassword.self) }
        #expect(readable.items.map(\.account) == ["lee"])
        #expect(readable.guardedCount == 1)
        let all = try without { try keychain.itemsByReadability(GenericPassword.self, forDeletion: true) }
        #expect(all.items.count == 2)
    }

    @Test func `what leaves items out does not read them in other ways`() throws {
        let reference = try add().reference
        let keychain = keychain.leavingOut(SkippedItems())
        without {
            #expect(throws: KeychainError.authenticationRequired) { try keychain.history(of: reference) }
            #expect(throws: KeychainError.authenticationRequired) {
                try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "z")
            }
        }
        let later = KeychainDate(secondsSince1970: 4e9)
        #expect(try without { try keychain.items(GenericPassword.self, at: later) }.items.isEmpty)
    }

    // MARK: - Contexts

    @Test func `calls with a context ask once`() throws {
        let reference = try add().reference
        let context = AuthenticationContext()
        let shared = keychain.authenticating(with: context)
        let host = ScriptedHost(.success, .success)
        try host.run {
            _ = try shared.secret(of: reference)
            _ = try shared.secret(of: reference)
            _ = try keychain.secret(of: reference)
        }
        #expect(host.requests.count == 2)
    }

    @Test func `a transaction starts again after the user was asked`() throws {
        let reference = try add().reference
        var runCount = 0
        let host = ScriptedHost(.success)
        try host.run {
            try keychain.transaction { transaction in
                runCount += 1
                try transaction.add(GenericPassword(service: "mail", account: "ann"), secret: "a")
                _ = try transaction.setSecret("y", of: reference)
            }
        }
        #expect(runCount == 2)
        #expect(host.requests.count == 1)
        #expect(try AuthenticationHost.with(.willing) { try keychain.secretText(of: reference) } == "y")
        #expect(try AuthenticationHost.with(.willing) { try keychain.count(GenericPassword.self) } == 2)
    }

    @Test func `other calls go on while the user is asked`() throws {
        let reference = try add().reference
        let keychain = keychain
        let host = AuthenticationHost { _ in
            // This waits for the vault's lock, if the call that asks holds it.
            let added = try? keychain.add(GenericPassword(service: "host", account: "lee"), secret: "x")
            return added == nil ? .failure(.systemCancel) : .success
        }
        #expect(try AuthenticationHost.with(host) { try keychain.secretText(of: reference) } == "x")
    }

    // MARK: - History

    @Test func `an item's history asks for what the item demands now`() throws {
        var item = GenericPassword(service: "mail", account: "kim")
        let reference = try keychain.add(item, secret: "old").reference
        item.accessControl = AccessControl(.whenUnlocked, .userPresence)
        _ = try keychain.update(reference) { $0.accessControl = item.accessControl }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.history(of: reference) } }
        let past = try AuthenticationHost.with(.willing) { try keychain.history(of: reference) }.revisions[1]
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.secret(of: past) } }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.undo(reference) } }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.restore(past) } }
    }

    @Test func `an item's history asks for what its past revisions demanded`() throws {
        let reference = try add().reference
        _ = try AuthenticationHost.with(.willing) {
            try keychain.update(reference) { $0.accessibility = .whenUnlocked }
        }
        #expect(try without { try keychain.secretText(of: reference) } == "x")
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.history(of: reference) } }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.undo(reference) } }
        _ = try AuthenticationHost.with(.willing) { try keychain.undo(reference) }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.secretText(of: reference) } }
    }

    @Test func `a deleted item keeps its conditions`() throws {
        let reference = try add().reference
        try keychain.delete(reference)
        #expect(throws: KeychainError.authenticationRequired) {
            try without { try keychain.deletedItems(GenericPassword.self) }
        }
        let deleted = try AuthenticationHost.with(.willing) { try keychain.deletedItems(GenericPassword.self) }
        let gone = try #require(deleted.first)
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.secret(of: gone) } }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.restore(gone) } }
        let restored = try AuthenticationHost.with(.willing) { try keychain.restore(gone) }
        #expect(throws: KeychainError.authenticationRequired) {
            try without { try keychain.secret(of: restored.reference) }
        }
    }

    @Test func `past secrets keep their application passwords`() throws {
        let keychain = keychain.authenticating(with: AuthenticationContext())
        var item = GenericPassword(service: "mail", account: "kim")
        item.accessControl = AccessControl(.whenUnlocked, .applicationPassword)
        let reference = try ScriptedHost(.password("one")).run { try keychain.add(item, secret: "first") }.reference
        _ = try keychain.setSecret("second", of: reference)

        let fresh = self.keychain
        let host = ScriptedHost(.password("one"), .password("one"))
        try host.run {
            let past = try fresh.history(of: reference).revisions[1]
            #expect(try fresh.secret(of: past) == Array("first".utf8))
        }
        #expect(host.requests == [.applicationPassword, .applicationPassword])
        _ = try ScriptedHost(.password("one")).run { try fresh.undo(reference) }
        #expect(try ScriptedHost(.password("one")).run { try fresh.secretText(of: reference) } == "first")
        #expect(throws: KeychainError.authenticationFailed) {
            try ScriptedHost(.password("two"), .password("two"), .password("two")).run {
                try fresh.secret(of: reference)
            }
        }
    }

    // MARK: - The passphrase

    /// A keychain in a vault with the passphrase "right", and an item for which a passphrase is enough.
    private func keychainWithPassphrase() throws -> (Keychain, KeychainReference<GenericPassword>) {
        var options = VaultOptions(locations: VaultLocations(vault: nil, deviceKey: nil, anchors: nil))
        options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
        var protection = VaultProtection(passphrase: Passphrase("right"))
        protection.allowsWeakSecrets = true
        protection.includesThisMachine = false
        let path = try TemporaryDirectory.current.appending(path: "passphrase.coffer").path
        let vault = try Vault.create(at: path, protection: protection, options: options)
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.app"))
        var item = GenericPassword(service: "mail", account: "kim")
        item.accessControl = AccessControl(.whenUnlocked, .devicePasscode)
        return (keychain, try keychain.add(item, secret: "x").reference)
    }

    @Test func `a passphrase is compared with those of the vault`() throws {
        let (keychain, reference) = try keychainWithPassphrase()
        let right = ScriptedHost(.password("wrong"), .password("right"))
        #expect(try right.run { try keychain.secretText(of: reference) } == "x")
        #expect(right.lastPrompt?.wrongAnswerCount == 1)
        let wrong = ScriptedHost(.password("1"), .password("2"), .password("3"), .password("right"))
        #expect(throws: KeychainError.authenticationFailed) { try wrong.run { try keychain.secret(of: reference) } }
        #expect(wrong.requests.count == 3)
    }

    @Test func `a passphrase that was compared counts where presence is demanded, but not the other way round`() throws
    {
        let (keychain, reference) = try keychainWithPassphrase()
        var item = GenericPassword(service: "mail", account: "lee")
        item.accessControl = AccessControl(.whenUnlocked, .userPresence)
        let presence = try keychain.add(item, secret: "x").reference
        let asked = keychain.authenticating(with: AuthenticationContext())
        let host = ScriptedHost(.password("right"), biometryType: .touchID)
        try host.run {
            _ = try asked.secret(of: presence)
            _ = try asked.secret(of: reference)
        }
        #expect(host.requests == [.user([.biometry, .passphrase])])
        let other = keychain.authenticating(with: AuthenticationContext())
        let present = ScriptedHost(.success, .success, biometryType: .touchID)
        try present.run {
            _ = try other.secret(of: presence)
            _ = try other.secret(of: reference)
        }
        #expect(present.requests == [.user([.biometry, .passphrase]), .user(.passphrase)])
    }

    @Test func `without a passphrase in the vault none is right`() throws {
        let reference = try add(.devicePasscode).reference
        #expect(throws: KeychainError.authenticationFailed) {
            try ScriptedHost(.password("")).run { try keychain.secret(of: reference) }
        }
    }

    // MARK: - Private keys

    @Test func `a private key for use is described freely, and asked for when it is read`() throws {
        var key = CryptographicKey(.private)
        key.accessControl = AccessControl(.whenUnlocked, [.privateKeyUsage, .userPresence])
        let reference = try keychain.add(key, secret: "bytes").reference
        try without {
            #expect(try keychain.items(CryptographicKey.self).count == 1)
            _ = try keychain.update(reference) { $0.label = "signing" }
        }
        #expect(throws: KeychainError.authenticationRequired) { try without { try keychain.secret(of: reference) } }
        #expect(try AuthenticationHost.with(.willing) { try keychain.secretText(of: reference) } == "bytes")
    }

    // MARK: - Examples

    @Test func `a host is installed for the process`() async {
        await #expect(processExitsWith: .success) {
            let host = AuthenticationHost { _ in .failure(.userCancel) }
            AuthenticationHost.install(host)
            AuthenticationHost.install(.terminal)
            guard AuthenticationHost.current?.biometryType == BiometryType.none else { exit(EXIT_FAILURE) }
        }
    }

    @Test func `the examples of the types`() async throws {
        @Sendable func ask(_ reason: String) -> Passphrase? { reason == "wants to sign in" ? Passphrase("right") : nil }
        let (keychain, reference) = try keychainWithPassphrase()
        let login = try #require(try AuthenticationHost.with(.willing) { try keychain.item(reference) })

        let host = AuthenticationHost { prompt in
            guard let passphrase = ask(prompt.localizedReason) else { return .failure(.userCancel) }
            return .password(passphrase)
        }
        try AuthenticationHost.with(host) {
            let context = AuthenticationContext()
            context.reason = "wants to sign in"
            let authenticating = keychain.authenticating(with: context)
            let name = try authenticating.secretText(of: login.reference)
            let token = try authenticating.secretText(of: login.reference)
            #expect([name, token] == ["x", "x"])
        }

        let closed = AuthenticationHost { _ in .failure(.userCancel) }
        #expect(throws: KeychainError.userCanceled) {
            try AuthenticationHost.with(closed) { try keychain.secret(of: login.reference) }
        }
        let sensor = AuthenticationHost(biometryType: .touchID) { _ in .failure(.biometryLockout) }
        #expect(throws: KeychainError.authenticationFailed) {
            try AuthenticationHost.with(sensor) { try keychain.secret(of: login.reference) }
        }
        let ways: AuthenticationWays = [.biometry, .passphrase]
        let asksForBiometry = ways.contains(.biometry)
        #expect(asksForBiometry)
    }
}
