import Coffer
import CofferBasics
import TestSupport
import Testing
import VaultFormat

/// Typed items: adding, finding, references and secrets.
@Suite("Typed items", .temporaryDirectory) struct TypedItemTests {
    private let mail = GenericPassword(service: "mail", account: "kim")

    // MARK: - Adding and finding

    @Test func `an added item is returned with the keychain's values`() throws {
        let sample = try KeychainSample()
        let added = try sample.keychain.add(mail, secret: "hunter2")
        let found = try #require(try sample.keychain.item(GenericPassword.self, where: .service("mail")))
        #expect(found == added)
        #expect(found.accessGroup == "com.example.app" && found.accessibility == .whenUnlocked)
        let now = KeychainDate(secondsSince1970: Double(sample.time.wallMicroseconds()) / 1e6)
        #expect(found.created == now && found.modified == now)
        #expect(found.revision.number == 1 && found.hasSecret)
    }

    @Test func `all items are returned oldest first, up to the limit`() throws {
        let keychain = try KeychainSample().keychain
        for name in ["c", "a", "b"] { try keychain.add(GenericPassword(service: "mail", account: "\(name)")) }
        try keychain.add(GenericPassword(service: "shop", account: "d"))
        let accounts = try keychain.items(GenericPassword.self, where: .service("mail")).map(\.account)
        #expect(accounts == ["c", "a", "b"])
        #expect(try keychain.items(GenericPassword.self, limit: 2).map(\.account) == ["c", "a"])
        #expect(try keychain.item(GenericPassword.self)?.account == "c")
        #expect(try keychain.count(GenericPassword.self) == 4)
        #expect(try keychain.items(InternetPassword.self) == [])
    }

    @Test func `an item is found with its secret in one lookup, if it is the only one`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(mail, secret: "x")
        try keychain.add(GenericPassword(service: "shop", account: "kim"))
        func secret(_ service: String, limit: Int = .max) throws -> [UInt8]? {
            let conditions: [ItemCondition<GenericPassword>] = [.all([.account("kim")]), .service(service)]
            let found = try keychain.itemsAndSecret(where: .all(conditions), limit: limit)
            #expect(found.items.first?.service == service)
            return found.secret?.withSpan { [UInt8](copying: $0) }
        }
        #expect(try secret("mail") == Array("x".utf8))
        #expect(try secret("shop") == nil)
        try keychain.add(InternetPassword(server: "mail"), secret: "y")
        try keychain.add(GenericPassword(service: "mail", account: "lee"), secret: "z")
        let both = try keychain.itemsAndSecret(GenericPassword.self, where: .service("mail"))
        #expect(both.items.map(\.account) == ["kim", "lee"] && both.secret == nil)
        let first = try keychain.itemsAndSecret(GenericPassword.self, where: .service("mail"), limit: 1)
        #expect(first.items.map(\.account) == ["kim"] && first.secret != nil)
        #expect(try keychain.itemsAndSecret(GenericPassword.self, where: .service("none")).items == [])
    }

    @Test func `a query without matches returns nothing rather than an error`() throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.item(GenericPassword.self, where: .account("zoe")) == nil)
        #expect(try keychain.items(GenericPassword.self) == [])
        #expect(try keychain.count(GenericPassword.self) == 0)
        #expect(try keychain.secretText(GenericPassword.self) == nil)
    }

    @Test func `a host matches its subdomains too`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(InternetPassword(server: "mail.example.com"))
        try keychain.add(InternetPassword(server: "example.org"))
        let found = try keychain.items(InternetPassword.self, where: .hostOrSubdomain(of: "example.com"))
        #expect(found.map(\.server) == ["mail.example.com"])
    }

    @Test func `synchronizable items are found only on request`() throws {
        let keychain = try KeychainSample().keychain
        var item = mail
        item.isSynchronizable = true
        try keychain.add(item)
        try keychain.add(mail)
        #expect(try keychain.count(GenericPassword.self) == 1)
        #expect(try keychain.count(GenericPassword.self, where: .synchronizable(.yes)) == 1)
        #expect(try keychain.count(GenericPassword.self, where: .synchronizable(.any)) == 2)
    }

    @Test func `contradictory conditions are an error`() throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: KeychainError.invalid(.value(of: "acct"))) {
            try keychain.items(GenericPassword.self, where: .account("kim"), .account("lee"))
        }
        #expect(try keychain.items(GenericPassword.self, where: .account("kim"), .account("kim")) == [])
    }

    @Test func `an item with the same primary key is a duplicate`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(mail)
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(mail, secret: "x") }
    }

    // MARK: - References

    @Test func `a reference is the persistent one and can be stored as text`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.add(mail, secret: "x")
        let raw = try keychain.reference(password)
        #expect(.data(stored.reference.persistentReference.bytes) == raw)
        let persistent = try #require(PersistentReference(stored.reference.persistentReference.bytes))
        #expect(KeychainReference<GenericPassword>(persistent) == stored.reference)
        #expect(KeychainReference<InternetPassword>(persistent) == nil)
        #expect(KeychainReference<GenericPassword>(stored.reference.description) == stored.reference)
        #expect(try keychain.item(stored.reference) == stored)
    }

    @Test(arguments: ["", "genp-", "inet-00000000000000000000000000000000", "genp-0000000000000000000000000000000G"])
    func `an invalid text is not a reference`(text: String) {
        #expect(KeychainReference<GenericPassword>(text) == nil)
    }

    @Test func `a reference finds an item in any group that the program may name`() throws {
        let keychain = try KeychainSample().keychain
        var item = mail
        item.accessGroup = "elsewhere"
        let stored = try keychain.add(item, secret: "x")
        #expect(try keychain.count(GenericPassword.self) == 0)
        #expect(try keychain.secretText(of: stored.reference) == "x")
        #expect(try keychain.update(stored.reference) { $0.label = "L" }.label == "L")
    }

    @Test func `an item that may be in a closed group is not reported as missing`() throws {
        let sample = try KeychainSample()
        var open = mail
        open.accessibility = .afterFirstUnlock
        let known = try sample.keychain.add(open, secret: "x")
        var roots = sample.roots
        roots.devices = [:]
        let keychain = try sample.reopened(roots: roots)
        keychain.lock()
        open.accessGroup = "new"
        let hidden = try sample.keychain.add(open, secret: "y")
        #expect(try keychain.secretText(of: known.reference) == "x")
        #expect(throws: KeychainError.locked) { try keychain.secretText(of: hidden.reference) }
        #expect(throws: KeychainError.locked) { try keychain.history(of: hidden.reference) }
    }

    @Test func `a reference to an item in another program's group finds nothing`() throws {
        let sample = try KeychainSample(AccessGroups(declared: ["theirs"]))
        let theirs = try sample.keychain.add(mail, secret: "x")
        let ours = sample.keychain(AccessGroups(declared: ["ours"]))
        #expect(try ours.item(theirs.reference) == nil)
        #expect(throws: KeychainError.itemNotFound) { try ours.secret(of: theirs.reference) }
        #expect(throws: KeychainError.itemNotFound) { try ours.delete(theirs.reference) }
        #expect(throws: KeychainError.itemNotFound) { try ours.update(theirs.reference) { $0.label = "L" } }
        #expect(throws: KeychainError.itemNotFound) { try ours.history(of: theirs.reference) }
    }

    // MARK: - Secrets

    @Test func `a secret can be text, bytes or a span`() throws {
        let keychain = try KeychainSample().keychain
        let bytes: [UInt8] = [0xFF, 0]
        let text = try keychain.add(GenericPassword(account: "text"), secret: "hunter2")
        let array = try keychain.add(GenericPassword(account: "array"), secret: bytes)
        let span = try keychain.add(GenericPassword(account: "span"), secret: bytes.span)
        #expect(try keychain.secret(of: text.reference) == Array("hunter2".utf8))
        #expect(try keychain.secret(of: array.reference) == bytes)
        #expect(try keychain.secret(of: span.reference) == bytes)
        #expect(throws: KeychainError.cannotDecode("String")) { try keychain.secretText(of: span.reference) }
    }

    @Test func `no secret differs from an empty one`() throws {
        let keychain = try KeychainSample().keychain
        let none = try keychain.add(GenericPassword(account: "none"))
        let empty = try keychain.add(GenericPassword(account: "empty"), secret: "")
        #expect(!none.hasSecret && empty.hasSecret)
        #expect(try keychain.secret(of: none.reference) == nil)
        #expect(try keychain.secret(of: empty.reference) == [])
        #expect(try keychain.withSecret(of: empty.reference) { $0.count } == 0)
        let removed = try keychain.removeSecret(of: empty.reference)
        #expect(!removed.hasSecret)
        #expect(try keychain.secret(of: empty.reference) == nil)
    }

    @Test func `the body that reads a secret can throw its own error`() throws {
        struct Refusal: Error, Equatable {}
        let keychain = try KeychainSample().keychain
        let stored = try keychain.add(mail, secret: "x")
        #expect(throws: Refusal()) { try keychain.withSecret(of: stored.reference) { _ in throw Refusal() } }
    }

    @Test func `a new secret leaves the attributes unchanged`() throws {
        let keychain = try KeychainSample().keychain
        let old = try keychain.add(mail, secret: "old")
        let new = try keychain.setSecret("new", of: old.reference)
        #expect(new.item == old.item && new.created == old.created)
        #expect(new.modified > old.modified && new.revision != old.revision)
        #expect(try keychain.secretText(of: old.reference) == "new")
    }
}

/// A type that a program defines for its own items.
private struct Token: KeychainPassword {
    static var itemClass: KeychainClass { .genericPassword }
    var attributes: AttributeValues
    init(attributes: AttributeValues) { self.attributes = attributes }

    var scope: String? {
        get { attributes["gena"].flatMap { if case .string(let text) = $0 { text } else { nil } } }
        set { attributes["gena"] = newValue.map { .string($0) } }
    }
}

@Suite("Custom item types", .temporaryDirectory) struct OwnItemTypeTests {
    @Test func `a program can define its own item types`() throws {
        let keychain = try KeychainSample().keychain
        var token = Token(attributes: AttributeValues())
        token.scope = "read"
        token.account = "kim"
        try keychain.add(token, secret: "x")
        #expect(try keychain.item(Token.self, where: .account("kim"))?.scope == "read")
        #expect(try keychain.item(GenericPassword.self)?.generic == "read")
    }
}
