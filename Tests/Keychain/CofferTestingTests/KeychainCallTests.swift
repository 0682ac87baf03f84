import Coffer
import CofferFoundation
import CofferTesting
import Foundation
import Security
import Testing

@Suite("The calls of a keychain", .keychain) struct KeychainCallTests {
    private let login = GenericPassword(service: "api", account: "kim")

    // MARK: - Contents of a call

    @Test func `SecItem calls are recorded with numbers, classes and attributes`() throws {
        _ = SecItem.add("kim", "one", [kSecAttrLabel: "API"])
        _ = SecItem.text("kim")
        _ = SecItemUpdate(SecItem.query("kim"), [kSecAttrLabel: "Mail"] as CFDictionary)
        _ = SecItem.delete("lee")
        let calls = try TestKeychain.current.calls
        try #require(calls.map(\.number) == [1, 2, 3, 4])
        #expect(calls.map(\.operation) == [.add, .find, .update, .delete])
        #expect(calls.allSatisfy { $0.itemClass == .genericPassword && !$0.isInTransaction })
        #expect(calls[0].attributes == ["svce": "api", "acct": "kim", "labl": "API"])
        #expect(calls[1].attributes == ["svce": "api", "acct": "kim", "r_Data": true])
        #expect(calls[2].changes == ["labl": "Mail"])
        #expect(calls[3].attributes[kSecAttrAccount as String] == "lee")
        #expect(calls.map(\.carriesSecret) == [true, false, false, false])
    }

    @Test func `a typed call is recorded like the equivalent SecItem call`() throws {
        let test = try TestKeychain.current
        let stored = try test.keychain.add(login, secret: "one")
        _ = try test.keychain.item(GenericPassword.self, where: .account("kim"))
        try test.keychain.delete(stored.reference)
        try #require(test.calls.map(\.operation) == [.add, .find, .delete])
        #expect(test.calls[0].attributes == ["svce": "api", "acct": "kim"])
        #expect(test.calls[1].attributes == ["acct": "kim"])
        let reference = stored.reference.persistentReference.bytes
        #expect(test.calls[2].attributes == ["v_PersistentRef": .data(reference)])
        #expect(test.calls.map(\.carriesSecret) == [true, false, false])
    }

    @Test func `a call is recorded whatever its outcome`() throws {
        let test = try TestKeychain.current
        #expect(SecItemAdd([kSecAttrAccount: "kim"] as CFDictionary, nil) == errSecParam)
        test.fail(.locked)
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(test.calls.map(\.operation) == [.add, .find])
        #expect(test.calls.map(\.itemClass) == [nil, .genericPassword])
    }

    @Test func `recorded calls can be discarded`() throws {
        let test = try TestKeychain.current
        _ = SecItem.find("kim")
        test.forgetCalls()
        #expect(test.calls.isEmpty)
        _ = SecItem.delete("kim")
        #expect(test.calls.map(\.number) == [1])
        #expect(test.calls.map(\.operation) == [.delete])
    }

    // MARK: - Secrets

    @Test func `a recorded call contains no secret`() throws {
        let (test, secret) = (try TestKeychain.current, "hunter2")
        let request: ItemRequest = ["class": "genp", "acct": "lee", "v_Data": .data(Array(secret.utf8))]
        _ = SecItem.add("kim", secret)
        _ = SecItem.update("kim", secret)
        _ = SecItemCopyMatching(SecItem.query("kim", [kSecValueData: Data(secret.utf8)]), nil)
        _ = SecItemDelete(SecItem.query("lee", [kSecValueData: Data(secret.utf8)]))
        try test.keychain.add(request)
        let stored = try test.keychain.save(login, secret: secret)
        try test.keychain.setSecret(secret, of: stored.reference)
        try test.keychain.store(["token": secret], as: login)
        try test.keychain.transaction { transaction throws(KeychainError) in
            try transaction.update(["class": "genp", "acct": "lee"], with: ["v_Data": .data(Array("hunter2".utf8))])
            try transaction.save(login, secret: "hunter2")
        }
        let bytes = Array(secret.utf8).description.dropFirst().dropLast()
        let recording = String(reflecting: test.calls)
        #expect(!recording.contains(secret) && !recording.contains(bytes))
        #expect(!recording.contains("v_Data"))
        // The same search finds the secret if it is there.
        #expect(String(reflecting: request).contains(bytes))
        #expect(test.calls.count { $0.carriesSecret } == 10)
    }

    // MARK: - Operations

    private static let operations:
        [(KeychainCall.Operation, @Sendable (Keychain, Stored<GenericPassword>) throws -> Void)] =
            [
                (.add, { keychain, _ in try keychain.add(["class": "genp", "acct": "lee"]) }),
                (.add, { keychain, _ in try keychain.add(GenericPassword(account: "lee")) }),
                (.add, { keychain, _ in try keychain.add(GenericPassword(account: "lee"), secret: "two") }),
                (.find, { keychain, _ in _ = try keychain.find(["class": "genp"]) }),
                (.find, { keychain, _ in _ = try keychain.items(GenericPassword.self) }),
                (.find, { keychain, _ in _ = try keychain.item(GenericPassword.self) }),
                (.find, { keychain, stored in _ = try keychain.item(stored.reference) }),
                (.find, { keychain, _ in _ = try keychain.identities() }),
                (.count, { keychain, _ in _ = try keychain.count(GenericPassword.self) }),
                (.update, { keychain, _ in try keychain.update(["class": "genp"], with: ["labl": "API"]) }),
                (.update, { keychain, stored in try keychain.update(stored.reference) { $0.label = "API" } }),
                (.update, { keychain, stored in try keychain.setSecret("two", of: stored.reference) }),
                (.update, { keychain, stored in try keychain.removeSecret(of: stored.reference) }),
                (.save, { keychain, stored in try keychain.save(stored.item, secret: "two") }),
                (.save, { keychain, _ in try keychain.save(GenericPassword(account: "lee"), secret: "two") }),
                (.save, { keychain, stored in try keychain.store(["two"], as: stored.item) }),
                (.delete, { keychain, _ in try keychain.delete(["class": "genp"]) }),
                (.delete, { keychain, stored in try keychain.delete(stored.reference) }),
                (.delete, { keychain, _ in try keychain.deleteAll(GenericPassword.self) }),
                (.readSecret, { keychain, stored in _ = try keychain.secret(of: stored.reference) }),
                (.readSecret, { keychain, stored in _ = try keychain.secretText(of: stored.reference) }),
                (.readSecret, { keychain, stored in _ = try keychain.withSecret(of: stored.reference) { $0.count } }),
                (.readSecret, { keychain, _ in _ = try keychain.secretText(GenericPassword.self) }),
                (.readHistory, { keychain, stored in _ = try keychain.history(of: stored.reference) }),
                (.readHistory, { keychain, _ in _ = try keychain.historyStart }),
                (.readHistory, { keychain, _ in _ = try keychain.deletedItems(GenericPassword.self) }),
                (
                    .readHistory,
                    { keychain, stored in _ = try keychain.items(GenericPassword.self, at: stored.created) }
                ),
                (.restore, { keychain, stored in try keychain.undo(stored.reference) }),
                (.transaction, { keychain, _ in try keychain.transaction { _ in } }),
            ]

    @Test(arguments: operations.indices)
    func `each operation is one call`(index: Int) throws {
        let test = try TestKeychain.current
        var stored = try test.keychain.add(login, secret: "one")
        stored = try test.keychain.update(stored.reference) { $0.label = "before" }
        test.forgetCalls()
        let (operation, body) = Self.operations[index]
        try body(test.keychain, stored)
        #expect(test.calls.map(\.operation) == [operation])
    }

    @Test func `reading and restoring a past revision are one call each`() throws {
        let test = try TestKeychain.current
        let stored = try test.keychain.add(login, secret: "one")
        try test.keychain.store(["two"], as: login)
        let past = try #require(try test.keychain.history(of: stored.reference).revisions.last)
        test.forgetCalls()
        #expect(try test.keychain.secret(of: past) == Array("one".utf8))
        #expect(try test.keychain.load([String].self, of: stored.reference) == ["two"])
        #expect(try test.keychain.load([String].self, from: GenericPassword.self) == ["two"])
        try test.keychain.restore(past)
        #expect(test.calls.map(\.operation) == [.readHistory, .readSecret, .readSecret, .restore])
    }

    @Test func `a transaction is one call, and so is each call in it`() throws {
        let test = try TestKeychain.current
        try test.keychain.transaction { transaction throws(KeychainError) in
            let stored = try transaction.add(login, secret: "one")
            try transaction.add(["class": "genp", "acct": "lee"])
            _ = try transaction.find(["class": "genp"])
            _ = try transaction.items(GenericPassword.self)
            _ = try transaction.item(GenericPassword.self)
            _ = try transaction.item(stored.reference)
            _ = try transaction.count(GenericPassword.self)
            try transaction.update(["class": "genp", "acct": "lee"], with: ["labl": "Lee"])
            try transaction.update(stored.reference) { $0.label = "Kim" }
            try transaction.setSecret("two", of: stored.reference)
            try transaction.save(login, secret: "three")
            try transaction.save(GenericPassword(account: "max"), secret: "four")
            try transaction.store(["five"], as: login)
            _ = try transaction.load([String].self, of: stored.reference)
            _ = try transaction.withSecret(of: stored.reference) { $0.count }
            try transaction.removeSecret(of: stored.reference)
            try transaction.delete(stored.reference)
            _ = try transaction.history(of: stored.reference)
            try transaction.undo(stored.reference)
            try transaction.delete(["class": "genp", "acct": "lee"])
            try transaction.deleteAll(GenericPassword.self)
        }
        let operations: [KeychainCall.Operation] = [
            .add, .add, .find, .find, .find, .find, .count, .update, .update, .update, .save, .save, .save, .readSecret,
            .readSecret, .update, .delete, .readHistory, .restore, .delete, .delete,
        ]
        #expect(test.calls.first?.operation == .transaction)
        #expect(test.calls.first?.isInTransaction == false)
        #expect(test.calls.dropFirst().map(\.operation) == operations)
        #expect(test.calls.dropFirst().allSatisfy { $0.isInTransaction })
    }

    @Test func `adding an identity is one call`() throws {
        let test = try TestKeychain.current
        // Neither half is valid, but a call is recorded even if it fails.
        _ = try? test.keychain.addIdentity(certificate: ["class": "genp"], key: ["v_Data": .data([1])])
        #expect(test.calls.map(\.operation) == [.add])
        #expect(test.calls.map(\.itemClass) == [.identity])
        #expect(test.calls.map(\.carriesSecret) == [true])
    }
}
