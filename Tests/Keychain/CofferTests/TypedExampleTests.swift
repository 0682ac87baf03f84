import Coffer
import CofferBasics
import CofferFoundation
import Testing
import TestSupport

/// The examples of the documentation, line by line.
@Suite("Examples of typed items", .temporaryDirectory) struct TypedExampleTests {
    private func keychain() throws -> Keychain { try KeychainSample().keychain }

    @Test func `the example of KeychainDate`() {
        let date = KeychainDate(secondsSinceReferenceDate: 0)
        #expect(date.secondsSince1970 == 978307200.0)
    }

    @Test func `the example of GenericPassword`() throws {
        let keychain = try keychain()
        var login = GenericPassword(service: "mail", account: "kim")
        login.label = "Mail at home"
        try keychain.add(login, secret: "hunter2")
        #expect(try keychain.secretText(GenericPassword.self, where: .label("Mail at home")) == "hunter2")
    }

    @Test func `the example of InternetPassword`() throws {
        let keychain = try keychain()
        var login = InternetPassword(server: "example.com", account: "kim", protocol: .https)
        login.port = 8443
        try keychain.add(login, secret: "hunter2")
        #expect(try keychain.secretText(InternetPassword.self, where: .port(8443)) == "hunter2")
    }

    @Test func `the example of Certificate`() throws {
        let keychain = try keychain()
        var certificate = Certificate(issuer: [0x30, 0x00], serialNumber: [7])
        certificate.label = "Example CA"
        try keychain.add(certificate, secret: [0x30, 0x03, 0x02, 0x01, 0x07])
        let found = try #require(try keychain.item(Certificate.self, where: .serialNumber([7])))
        #expect(try keychain.secret(of: found.reference)?.count == 5)
    }

    @Test func `the example of CryptographicKey`() throws {
        let keychain = try keychain()
        var key = CryptographicKey(.symmetric, applicationTag: "com.example.files")
        key.keySizeInBits = 256
        try keychain.add(key, secret: [UInt8](repeating: 7, count: 32))
        #expect(try keychain.count(CryptographicKey.self, where: .keyClass(.symmetric), .keySizeInBits(256)) == 1)
    }

    @Test func `the examples of ItemRevision and KeychainReference`() throws {
        let stored = try keychain().add(GenericPassword(service: "mail"))
        do {
            let text = stored.revision.description
            #expect((ItemRevision(text) == stored.revision) == true)
            #expect(text.hasPrefix("1-"))
        }
        let text = stored.reference.description
        #expect((KeychainReference<GenericPassword>(text) == stored.reference) == true)
        #expect(KeychainReference<InternetPassword>(text) == nil)
        #expect(text.hasPrefix("genp-"))
    }

    @Test func `the example of Stored`() throws {
        let keychain = try keychain()
        try keychain.add(GenericPassword(service: "mail", account: "kim"))
        var output = ""
        func print(_ account: String, _ number: UInt64) { output += "\(account) \(number)" }
        if let stored = try keychain.item(GenericPassword.self, where: .service("mail")) {
            print(stored.account, stored.revision.number)
        }
        #expect(output == "kim 1")
    }

    @Test func `the example of ItemCondition`() throws {
        let keychain = try keychain()
        var item = GenericPassword(service: "mail", account: "kim")
        item.isInvisible = true
        try keychain.add(item)
        let logins = try keychain.items(GenericPassword.self, where: .service("mail"), .account("kim"))
        let hidden = try keychain.count(GenericPassword.self, where: .attribute("invi", true))
        #expect(logins.count == 1 && hidden == 1)
    }

    @Test func `the example of searching`() throws {
        let keychain = try keychain()
        try keychain.add(InternetPassword(server: "www.example.com", account: "kim"))
        var output = ""
        func print(_ server: String, _ account: String) { output += "\(server) \(account)" }
        for login in try keychain.items(InternetPassword.self, where: .hostOrSubdomain(of: "example.com"), limit: 10) {
            print(login.server, login.account)
        }
        #expect(output == "www.example.com kim")
    }

    @Test func `the examples of adding, saving and reading`() throws {
        let keychain = try keychain()
        let added = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "correct horse")
        let password = try keychain.secretText(GenericPassword.self, where: .service("mail"), .account("kim"))
        #expect(password == "correct horse")
        #expect(try keychain.count(GenericPassword.self) == 1 && added.revision.number == 1)
    }

    @Test func `the examples of changes and history`() throws {
        let keychain = try keychain()
        let stored = try keychain.add(GenericPassword(service: "mail"), secret: "x")
        let renamed = try keychain.update(stored.reference, ifRevision: stored.revision) { $0.label = "Mail" }
        #expect(renamed.label == "Mail")
        var output: [String] = []
        func print(_ number: UInt64, _ label: String) { output.append("\(number) \(label)") }
        for past in try keychain.history(of: stored.reference).revisions {
            print(past.revision.number, past.item?.label ?? "-")
        }
        #expect(output == ["2 Mail", "1 -"])
        try keychain.delete(stored.reference)
        if let gone = try keychain.deletedItems(GenericPassword.self, where: .service("mail")).last {
            try keychain.restore(gone)
        }
        #expect(try keychain.item(stored.reference)?.label == "Mail")
    }

    @Test func `the example of Codable values`() throws {
        struct Session: Codable, Equatable { var token = "t0k3n" }
        let (keychain, session, account) = (try keychain(), Session(), "kim")
        try keychain.store(session, as: GenericPassword(service: "api", account: account))
        let stored = try keychain.load(Session.self, from: GenericPassword.self, where: .service("api"))
        #expect(stored == session)
    }

    @Test func `the examples of ServicePasswords`() throws {
        let (keychain, account, token) = (try keychain(), "kim", "t0k3n")
        do {
            let passwords = keychain.passwords(service: "api")
            try passwords.set(token, for: account)
            let stored = try passwords[account]
            #expect(stored == token)
        }
        let token2 = { () throws(KeychainError) in
            let token = try keychain.passwords(service: "api")[account]
            return token
        }
        #expect(try token2() == token)
    }

    @Test func `the example of VaultSecret`() throws {
        let keychain = try keychain()
        try keychain.passwords(service: "api").set("t0k3n", for: "kim")
        Keychain.withDefault(keychain) {
            @VaultSecret(service: "api", account: "kim") var token
            do {
                let authorization = try token.get().map { "Bearer \($0)" }
                #expect(authorization == "Bearer t0k3n")
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test func `the example of KeychainTransaction`() throws {
        let keychain = try keychain()
        try keychain.add(GenericPassword(service: "mail", account: "kim"))
        try keychain.transaction { transaction in
            let old = try transaction.item(GenericPassword.self, where: .service("mail"), .account("kim"))
            if let old { try transaction.delete(old.reference) }
            try transaction.add(GenericPassword(service: "mail", account: "lee"), secret: "hunter2")
        }
        #expect(try keychain.items(GenericPassword.self).map(\.account) == ["lee"])
    }

    @Test func `the examples of KeychainItem, KeychainPassword and SecretSource`() {
        func title(of item: some KeychainItem) -> String {
            item.label ?? "an item without a name"
        }
        func isHidden(_ password: some KeychainPassword) -> Bool {
            password.isInvisible ?? false
        }
        func byteCount(of secret: some SecretSource) -> Int {
            secret.withSecretBytes { $0.count }
        }
        #expect(title(of: GenericPassword()) == "an item without a name")
        #expect(!isHidden(GenericPassword()))
        #expect(byteCount(of: "caf\u{E9}") == 5)
    }

    @Test func `the example of AttributeValues`() {
        var attributes = AttributeValues()
        attributes["acct"] = "kim"
        #expect(GenericPassword(attributes: attributes).account == "kim")
    }

    @Test func `the example of KeychainOperation`() {
        let operation = KeychainOperation.readSecret
        let isReading = operation == .find || operation == .readSecret
        #expect(isReading)
    }

    @Test func `the example of AttributeName`() {
        var item = GenericPassword()
        item.attributes[.label] = "Mail at home"
        #expect(item.label == "Mail at home")
    }

    @Test func `the examples of InternetProtocol and AuthenticationType`() {
        #expect(InternetProtocol.https.rawValue == "htps")
        #expect((InternetProtocol(rawValue: "ssh ") == .ssh) == true)
        #expect(AuthenticationType.httpDigest.rawValue == "httd")
    }

    @Test func `the examples of PastItem, ItemHistory and PastItems`() throws {
        let keychain = try keychain()
        let stored = try keychain.add(GenericPassword(service: "mail"), secret: "x")
        let past = try keychain.history(of: stored.reference).revisions
        let readable = past.filter(\.isReadable).map(\.revision.number)
        #expect(readable == [1])
        try keychain.delete(stored.reference)
        let history = try keychain.history(of: stored.reference)
        if history.isDeleted { try keychain.undo(stored.reference) }
        #expect(try keychain.item(stored.reference) != nil)
        let then = try keychain.items(GenericPassword.self, at: stored.created, where: .service("mail"))
        let secrets = try then.items.map { try keychain.secret(of: $0) }
        #expect(secrets.allSatisfy { $0 == Array("x".utf8) })
    }
}
