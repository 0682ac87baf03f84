import Coffer
import CofferFoundation
import CofferSecurity
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultStore

/// An operation that reads a keychain.
private struct ReadOperation: Sendable, CustomTestStringConvertible {
    typealias Body = @Sendable (Keychain, KeychainReference<GenericPassword>) throws -> Void

    let testDescription: String
    let body: Body

    init(_ name: String, _ body: @escaping Body) { (testDescription, self.body) = (name, body) }

    /// Reads what the keychain has of an item.
    func callAsFunction(_ keychain: Keychain, _ reference: KeychainReference<GenericPassword>) throws {
        try body(keychain, reference)
    }

    static let all = [
        ReadOperation("find") { keychain, _ in _ = try keychain.find(password.with(["r_Attributes": true])) },
        ReadOperation("find data") { keychain, _ in _ = try keychain.find(password.with(["r_Data": true])) },
        ReadOperation("find identities") { keychain, _ in _ = try keychain.find(["class": "idnt", "r_Ref": true]) },
        ReadOperation("items") { keychain, _ in _ = try keychain.items(GenericPassword.self) },
        ReadOperation("item") { keychain, _ in _ = try keychain.item(GenericPassword.self, where: .account("kim")) },
        ReadOperation("item by reference") { keychain, reference in _ = try keychain.item(reference) },
        ReadOperation("itemsAndSecret") { keychain, _ in _ = try keychain.itemsAndSecret(GenericPassword.self) },
        ReadOperation("itemsByReadability") { keychain, _ in
            _ = try keychain.itemsByReadability(GenericPassword.self)
        },
        ReadOperation("count") { keychain, _ in _ = try keychain.count(GenericPassword.self) },
        ReadOperation("identities") { keychain, _ in _ = try keychain.identities() },
        ReadOperation("withSecret") { keychain, reference in try keychain.withSecret(of: reference) { _ in } },
        ReadOperation("secretText") { keychain, _ in _ = try keychain.secretText(GenericPassword.self) },
        ReadOperation("oldestSecret") { keychain, _ in
            _ = try keychain.oldestSecret(where: ItemCondition<GenericPassword>.account("kim"))
        },
        ReadOperation("passwords") { keychain, _ in _ = try keychain.passwords(service: "mail")["kim"] },
        ReadOperation("accounts") { keychain, _ in _ = try keychain.passwords(service: "mail").accounts() },
        ReadOperation("configuration") { keychain, _ in
            _ = try ConfigurationSecrets(service: "mail", in: keychain).frozen().bytes(for: ["kim"])
        },
        ReadOperation("load") { keychain, _ in _ = try keychain.load(Int.self, from: GenericPassword.self) },
        ReadOperation("property") { keychain, _ in
            _ = try VaultItem<GenericPassword>(where: .account("kim"), in: keychain).wrappedValue.get()
        },
        ReadOperation("history") { keychain, reference in _ = try keychain.history(of: reference) },
        ReadOperation("past secret") { keychain, reference in
            for past in try keychain.history(of: reference).revisions { _ = try keychain.secret(of: past) }
        },
        ReadOperation("historyStart") { keychain, _ in _ = try keychain.historyStart },
        ReadOperation("items at a date") { keychain, _ in
            _ = try keychain.items(GenericPassword.self, at: KeychainDate(secondsSince1970: 0))
        },
        ReadOperation("deletedItems") { keychain, _ in _ = try keychain.deletedItems(GenericPassword.self) },
        ReadOperation("conflicts") { keychain, _ in _ = try keychain.conflicts(GenericPassword.self) },
    ]
}

/// Section 9 of `Spec/keychain-behavior.md`: what no reading operation needs.
@Suite("Reading", .temporaryDirectory) struct ReadOperationTests {
    private let sample: VaultSample

    init() throws { sample = try VaultSample() }

    /// Adds an item, an identity, a past revision and a deleted item; returns the reference to the item.
    private func filled() throws -> KeychainReference<GenericPassword> {
        let keychain = try sample.created().keychain
        try keychain.addPair("hash")
        try keychain.delete(keychain.add(GenericPassword(account: "gone"), secret: "x").reference)
        let added = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "1")
        return try keychain.update(added.reference) { $0.label = "L" }.reference
    }

    private func opened(_ change: (inout VaultOptions) throws -> Void) throws -> Keychain {
        var options = sample.options
        try change(&options)
        return try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options).keychain
    }

    @Test(arguments: ReadOperation.all) fileprivate func `reading does not take the lock of writers`(
        read: ReadOperation
    ) throws {
        let reference = try filled()
        let (writer, reader) = (
            try opened { _ in },
            try opened { options in
                options.environment = StoreEnvironment(time: ManualTime(), random: try SystemRandom())
                options.lockTimeout = .zero
            }
        )
        try writer.transaction { _ in
            try read(reader, reference)
            // Whoever takes the lock is told that another program writes.
            let error = #expect(throws: KeychainError.self) { try reader.add(password) }
            if case .vault(let problem) = error {
                #expect(problem.kind == .busy)
            } else {
                Issue.record("\(error as Any)")
            }
        }
    }

    @Test(arguments: ReadOperation.all) fileprivate func `reading does not create a vault`(read: ReadOperation) throws {
        let text = "genp-\(String(repeating: "0", count: 32))"
        let reference = try #require(KeychainReference<GenericPassword>(text))
        var options = sample.options
        options.locations.vault = sample.path
        let groups = AccessGroups(application: "com.example.app")
        let keychain = Keychain(options: options, ladder: UnlockLadder(variables: [:]), groups: groups) { _ in }
        do { try read(keychain, reference) } catch KeychainError.itemNotFound {}
        #expect(try keychain.openedStore() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path) == [])
    }

    @Test(arguments: ReadOperation.all) fileprivate func `reading does not need a writable file`(
        read: ReadOperation
    ) throws {
        let reference = try filled()
        let before = try Data(contentsOf: URL(filePath: sample.path))
        let keychain = try opened { $0.mayWrite = false }
        try read(keychain, reference)
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == before)
        let error = #expect(throws: KeychainError.self) { try keychain.add(password) }
        if case .vault(let problem) = error {
            #expect(problem.kind == .readOnly)
        } else {
            Issue.record("\(error as Any)")
        }
    }
}
