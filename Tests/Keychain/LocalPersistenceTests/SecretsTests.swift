import Coffer
import CofferTesting
import Foundation
import LocalPersistence
import TestSupport
import Testing

@Suite("Secrets of an app", .temporaryDirectory) struct SecretsTests {
    private struct Session: Codable, Equatable, Sendable {
        var token: String
        var number: Int
    }

    private let sample: PersistenceSample
    private let key = PersistenceKey<Session>("session")
    private let session = Session(token: "t0k3n", number: 7)

    init() throws { sample = try PersistenceSample() }

    @Test func `a secret is saved, loaded, replaced and deleted`() throws {
        let secrets = try sample.app().secrets
        #expect(try secrets.value(for: key) == nil)
        try secrets.remove(key)
        // Searching does not create a vault.
        #expect(!sample.has("coffer"))
        try secrets.set(session, for: key)
        try secrets.set(Session(token: "other", number: 8), for: key)
        #expect(try secrets.value(for: key)?.token == "other")
        #expect(try sample.keychain.count(GenericPassword.self) == 1)
        try secrets.remove(key)
        #expect(try secrets.value(for: key) == nil)
    }

    @Test func `secrets are generic passwords of one service to any program`() throws {
        try sample.app().secrets.set(session, for: key)
        let item = try sample.keychain.item(
            GenericPassword.self,
            where: .service("com.example.app"),
            .account("session")
        )
        #expect(item?.item.generic == nil)
        // RFC 8259, with sorted keys.
        let secret = try item.flatMap { try sample.keychain.secretText(of: $0.reference) }
        #expect(secret == #"{"number":7,"token":"t0k3n"}"#)
        #expect(item?.accessibility == .whenUnlocked)
    }

    @Test func `an item that holds another value causes an error and is kept`() throws {
        let secrets = try sample.app().secrets
        try secrets.set("text", for: PersistenceKey<String>("session"))
        #expect(throws: PersistenceError.cannotDecode("Session")) { try secrets.value(for: key) }
        #expect(try secrets.value(for: PersistenceKey<String>("session")) == "text")
        let wrapper = PasswordWrapper(service: "com.example.app", account: "session", keychain: sample.keychain)
        try wrapper.setPassword("no archive")
        #expect(throws: PersistenceError.cannotDecode("Session")) { try secrets.value(for: key) }
        #expect(try wrapper.password() == "no archive")
    }

    // This was once an error, which a caller that looks for an item does not expect.
    @Test(.keychain) func `an item deleted meanwhile is reported as missing`() throws {
        let test = try TestKeychain.current
        let secrets = try sample.app(keychain: test.keychain).secrets
        let wrapper = PasswordWrapper(service: "com.example.app", account: "session", keychain: test.keychain)
        for read in [{ try secrets.value(for: key) == nil }, { try wrapper.password() == nil }] {
            try secrets.set(session, for: key)
            test.fail(
                .changedByOther { try $0.deleteAll(GenericPassword.self) },
                on: .firstCall { $0.operation == .readSecret }
            )
            #expect(try read())
        }
        #expect(test.calls.filter { $0.operation == .readSecret }.count == 2)
    }

    @Test func `values can be listed, and all can be deleted`() throws {
        let secrets = try sample.app().secrets
        #expect(try secrets.names() == [])
        try secrets.removeAll()
        #expect(!sample.has("coffer"))
        try secrets.set(session, for: key)
        try secrets.set(1, for: PersistenceKey<Int>("number"))
        try secrets.inGroup("com.example.shared").set(2, for: PersistenceKey<Int>("shared"))
        #expect(try secrets.names() == ["session", "number"])
        try secrets.removeAll()
        #expect(try secrets.names() == [])
        #expect(try secrets.inGroup("com.example.shared").names() == ["shared"])
    }

    @Test func `accessibility is set when a value is saved`() throws {
        try sample.app().secrets.accessible(.afterFirstUnlock).set(session, for: key)
        let item = try sample.keychain.item(GenericPassword.self, where: .account("session"))
        #expect(item?.accessibility == .afterFirstUnlock)
        #expect(try sample.app().secrets.value(for: key) == session)
    }

    @Test func `the same name in two access groups refers to two values`() throws {
        let secrets = try sample.app().secrets
        let shared = secrets.inGroup("com.example.shared")
        try secrets.set(session, for: key)
        #expect(try shared.value(for: key) == nil)
        try shared.set(Session(token: "shared", number: 1), for: key)
        #expect(try secrets.value(for: key) == session)
        try shared.remove(key)
        #expect(try secrets.value(for: key) == session)
    }

    /// The best-known wrapper of this kind distinguished items by the generic attribute, which is not part of the
    /// primary key: the second identifier collided with the item of the first.
    @Test func `two wrappers do not overwrite each other`() throws {
        let one = PasswordWrapper(service: "mail", account: "kim", keychain: sample.keychain)
        let two = PasswordWrapper(service: "mail", account: "lee", keychain: sample.keychain)
        let three = PasswordWrapper(service: "web", account: "kim", keychain: sample.keychain)
        #expect(try one.password() == nil)
        try one.setPassword("hunter2")
        try two.setPassword("battery") { $0.label = "Mail of Lee" }
        try three.setPassword("staple")
        #expect(try [one.password(), two.password(), three.password()] == ["hunter2", "battery", "staple"])
        try one.setPassword("changed")
        #expect(try one.password() == "changed")
        #expect(try two.item()?.item.label == "Mail of Lee")
        try one.reset()
        try one.reset()
        #expect(try one.password() == nil)
        #expect(try two.password() == "battery")
    }

    // The change would have overwritten the password of another account.
    @Test func `changing an item does not change its identity`() throws {
        let kim = PasswordWrapper(service: "mail", account: "kim", keychain: sample.keychain)
        let lee = PasswordWrapper(service: "mail", account: "lee", keychain: sample.keychain)
        try lee.setPassword("battery")
        try kim.setPassword("hunter2") { item in
            (item.service, item.account) = ("mail", "lee")
            (item.accessGroup, item.isSynchronizable) = ("com.example.other", true)
            item.label = "Mail"
        }
        #expect(try lee.password() == "battery")
        #expect(try kim.password() == "hunter2")
        #expect(try kim.item()?.item.label == "Mail")
        #expect(kim.service == "mail" && kim.account == "kim")
    }

    @Test func `a password that is not text causes an error and is kept`() throws {
        let wrapper = PasswordWrapper(service: "mail", account: "kim", keychain: sample.keychain)
        try wrapper.setPassword([0xFF, 0xFE])
        #expect(throws: PersistenceError.self) { try wrapper.password() }
        #expect(try wrapper.item() != nil)
    }

    @Test func `each of these may be in a named group`() throws {
        let (group, keychain) = ("com.example.shared", sample.keychain)
        let wrapper = PasswordWrapper(service: "mail", account: "kim", group: group, keychain: keychain)
        try wrapper.setPassword("hunter2")
        let identifier = try DeviceIdentifier(service: "mail", group: group, keychain: keychain).value()
        try sample.app().archive.encrypted(group: group).set(session, for: key)
        try Secrets(service: "mail", group: group, keychain: keychain).set(session, for: key)
        let count = try keychain.count(GenericPassword.self, where: .group(group))
        #expect(count == 4)
        #expect(try PasswordWrapper(service: "mail", account: "kim", keychain: keychain).password() == nil)
        #expect(try DeviceIdentifier(service: "mail", keychain: keychain).value() != identifier)
    }

    // MARK: - The identifier of a device

    @Test func `an invalid identifier causes an error and is kept`() throws {
        let wrapper = PasswordWrapper(service: "app.device", account: "identifier", keychain: sample.keychain)
        try wrapper.setPassword("none")
        let identifier = DeviceIdentifier(service: "app", keychain: sample.keychain)
        #expect(throws: PersistenceError.cannotDecode("UUID")) { try identifier.value() }
        #expect(try wrapper.password() == "none")
    }

    @Test func `the identifier is created once and outlives the container`() throws {
        let app = try sample.app()
        let identifier = DeviceIdentifier(service: "com.example.app", keychain: sample.keychain)
        let first = try identifier.value()
        try app.defaults.set(1, for: PersistenceKey<Int>("one"))
        try app.remove()
        #expect(try identifier.value() == first)
        #expect(try DeviceIdentifier(service: "other", keychain: sample.keychain).value() != first)
        let item = try sample.keychain.item(GenericPassword.self, where: .service("com.example.app.device"))
        #expect(item?.accessibility == .afterFirstUnlockThisDeviceOnly)
        try identifier.reset()
        #expect(try identifier.value() != first)
    }

    @Test func `all threads that ask at the same time get the same identifier`() async throws {
        let keychain = sample.keychain
        let values = try await withThrowingTaskGroup(of: UUID.self) { group in
            for _ in 0..<8 {
                group.addTask { try DeviceIdentifier(service: "app", keychain: keychain).value() }
            }
            return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
        }
        #expect(values.count == 1)
    }

    @Test(.keychain) func `awaited changes use the default keychain of the task`() async throws {
        let app = try AppContainer("com.example.app", in: sample.directory.path)
        try await app.secrets.set(session, for: key)
        #expect(try TestKeychain.current.keychain.count(GenericPassword.self, where: .account("session")) == 1)
        #expect(try app.secrets.value(for: key) == session)
        try await app.secrets.remove(key)
        #expect(try TestKeychain.current.keychain.count(GenericPassword.self) == 0)
    }

    @Test func `awaited changes of documents and settings are durable`() async throws {
        let app = try sample.app()
        try await app.archive.set(session, for: key)
        try await app.defaults.set(session, for: key)
        #expect(try sample.app().archive.value(for: key) == session)
        #expect(try sample.app().defaults.value(for: key) == session)
        try await app.archive.remove(key)
        try await app.defaults.remove(key)
        #expect(try sample.app().archive.value(for: key) == nil)
        #expect(try sample.app().defaults.value(for: key) == nil)
    }

    @Test func `the error of an awaited change reaches the caller`() async throws {
        let app = try sample.app()
        await #expect(throws: PersistenceError.cannotEncode("Unencodable")) {
            try await app.secrets.set(Unencodable(), for: PersistenceKey<Unencodable>("key"))
        }
    }
}

private struct Unencodable: Codable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws { throw CocoaError(.coderReadCorrupt) }
    func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
}
