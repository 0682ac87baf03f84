import Coffer
import CofferTesting
import Foundation
import KeyedArchive
import LocalPersistence
import TestSupport
import Testing

extension PersistenceKey where Value == Int {
    fileprivate static let fontSize = PersistenceKey("font size")
    fileprivate static let launches = PersistenceKey("launches")
}

extension PersistenceKey where Value == Bool {
    fileprivate static let hasBegun = PersistenceKey("has begun")
}

extension PersistenceKey where Value == String {
    fileprivate static let draft = PersistenceKey("draft")
    fileprivate static let token = PersistenceKey("token")
}

extension PersistenceKey where Value == [String] {
    static let notes = PersistenceKey("notes")
}

/// The examples of the documentation.
@Suite("Examples of the ladder", .temporaryDirectory, .keychain(groups: AccessGroups(application: "com.example.notes")))
struct LadderExampleTests {
    private let app: AppContainer

    init() throws { app = try AppContainer("com.example.notes", in: TemporaryDirectory.current.path) }

    @Test func `a container has the name of the app`() throws {
        let app = try AppContainer("com.example.notes")
        #expect(app.path.hasSuffix("/com.example.notes"))
    }

    @Test func `the same key works in all four places`() throws {
        app.cache.set(["found again in a moment"], for: .notes)
        try app.defaults.set(["a setting"], for: .notes)
        try app.archive.set(["a document"], for: .notes)
        try app.secrets.set(["a secret"], for: .notes)
        try app.remove()
        #expect(app.cache.value(for: .notes) == nil)
        #expect(try app.defaults.value(for: .notes) == nil)
        #expect(try app.archive.value(for: .notes) == nil)
        #expect(try app.secrets.value(for: .notes) == ["a secret"])
    }

    @Test func `a value moves down the ladder`() throws {
        app.cache.set("Dear", for: .draft)
        try app.cache.move(.draft, to: app.archive)
        #expect(try app.archive.value(for: .draft) == "Dear")
        #expect(app.cache.value(for: .draft) == nil)
    }

    @Test func `cached values expire`() {
        let clock = TestClock()
        let cache = MemoryCache(costLimit: 64 << 20, clock: clock)
        cache.set("thumbnail", for: .draft, cost: 9, expiresAfter: .seconds(60))
        clock.advance(by: .seconds(60))
        #expect(cache.value(for: .draft) == nil)
    }

    @Test(.keychain) func `a minute passes`() throws {
        let directory = try TemporaryDirectory.current.path
        let clock = TestClock()
        let app = try AppContainer("com.example.notes", in: directory, cache: MemoryCache(clock: clock))
        try app.secrets.set("t0k3n", for: .token)
        app.cache.set("Dear", for: .draft, cost: 4, expiresAfter: .seconds(60))
        clock.advance(by: .seconds(60))
        #expect(app.cache.value(for: .draft) == nil)
        #expect(try TestKeychain.current.keychain.count(GenericPassword.self) == 1)
    }

    @Test func `settings`() async throws {
        #expect(try app.defaults.names().isEmpty)
        try app.defaults.register(14, for: .fontSize)
        #expect(try app.defaults.value(for: .fontSize) == 14)
        var sizes = try app.defaults.changes(of: .fontSize).makeAsyncIterator()
        try await app.defaults.set(16, for: .fontSize)
        #expect(await sizes.next() == 16)
        try app.defaults.update { settings in
            try settings.set((settings.value(for: .launches) ?? 0) + 1, for: .launches)
            settings.remove(.draft)
        }
        try app.defaults.setFormat(.xml)
        #expect(try Data(contentsOf: URL(filePath: app.defaults.path)).starts(with: Data("<?xml".utf8)))
        try await app.defaults(suite: "kim").set(18, for: .fontSize)
        #expect(try app.defaults.names() == ["font size", "launches"])
    }

    @Test func `documents`() throws {
        try app.archive.setObject(["title": "Shopping", "lines": ["coffee"]], named: "for a Mac")
        let note = try app.archive.object(named: "for a Mac", allowing: .named(["Note"]))
        #expect(note?["title"]?.string == "Shopping")
        try app.archive.setObjects(Archive(top: ["name": .reference("Kim"), "logins": .inline(12)]), named: "user")
        #expect(try app.archive.objects(named: "user")?.top["logins"] == .inline(12))
        try app.archive.remove(named: "for a Mac")
        try app.archive.set("Dear", for: PersistenceKey<String>("draft 1"))
        #expect(try app.archive.names().filter { $0.hasPrefix("draft ") } == ["draft 1"])
        let diary = app.archive.encrypted()
        try diary.set(["page"], for: .notes)
        #expect(try diary.value(for: .notes) == ["page"])
    }

    @Test func `secrets`() throws {
        try app.secrets.set("t0k3n", for: .token)
        #expect(try app.secrets.value(for: .token) == "t0k3n")
        try app.secrets.inGroup("TEAM.com.example.shared").set("shared", for: .token)
        try app.secrets.accessible(.afterFirstUnlock).set("again", for: .token)
        for token in [nil, "new"] {
            if try app.defaults.value(for: .hasBegun) == nil {
                try app.secrets.removeAll()
                try app.defaults.set(true, for: .hasBegun)
            }
            #expect(try app.secrets.value(for: .token) == token)
            try app.secrets.set("new", for: .token)
        }
        let wrapper = app.password(service: "mail.example.com", account: "kim")
        try wrapper.setPassword("hunter2") { $0.label = "Mail of Kim" }
        #expect(try wrapper.password() == "hunter2")
        try wrapper.reset()
        let id = try app.deviceIdentifier.value()
        try DeviceIdentifier(service: "com.example.notes").reset()
        #expect(try app.deviceIdentifier.value() != id)
    }
}
