import Coffer
import KeyedArchive
import TestSupport
import Testing

/// `Codable` values as secrets.
@Suite("Codable secrets", .temporaryDirectory) struct KeychainCodingTests {
    private struct Session: Codable, Equatable {
        var token: String
        var renewals: [Int]
        var owner: String?
    }

    private struct Stubborn: Codable, Equatable {
        init() {}
        init(from decoder: any Decoder) throws { throw KeyedArchiveError.tooDeep(limit: 1) }
        func encode(to encoder: any Encoder) throws { throw KeyedArchiveError.tooDeep(limit: 1) }
    }

    private let api = GenericPassword(service: "api")
    private let session = Session(token: "t0k3n", renewals: [1, 2], owner: nil)

    @Test func `a value is read back unchanged`() throws {
        let sample = try KeychainSample()
        let stored = try sample.keychain.store(session, as: api)
        let keychain = try sample.reopened()
        #expect(try keychain.load(Session.self, of: stored.reference) == session)
        #expect(try keychain.load(from: GenericPassword.self, where: .service("api")) == session)
        #expect(try keychain.load(Session.self, from: GenericPassword.self, where: .service("other")) == nil)
    }

    @Test func `its secret is a keyed archive`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.store(session, as: api)
        #expect(try keychain.secret(of: stored.reference) == ArchiveEncoder().encode(session))
    }

    @Test func `another value replaces the stored one`() throws {
        let keychain = try KeychainSample().keychain
        let first = try keychain.store(session, as: api)
        let other = Session(token: "other", renewals: [], owner: "kim")
        let second = try keychain.store(other, as: api)
        #expect(second.reference == first.reference)
        #expect(try keychain.load(of: first.reference) == other)
    }

    @Test func `a secret that is not such a value causes an error and is kept`() throws {
        let keychain = try KeychainSample().keychain
        let text = try keychain.add(api, secret: "no archive")
        #expect(throws: KeychainError.cannotDecode("Session")) {
            try keychain.load(Session.self, of: text.reference)
        }
        #expect(try keychain.item(text.reference) == text)
        #expect(try keychain.secretText(of: text.reference) == "no archive")
        let number = try keychain.store(5, as: GenericPassword(service: "number"))
        #expect(throws: KeychainError.cannotDecode("Session")) {
            try keychain.load(Session.self, of: number.reference)
        }
        let none = try keychain.add(GenericPassword(service: "none"))
        #expect(throws: KeychainError.cannotDecode("Int")) { try keychain.load(Int.self, of: none.reference) }
    }

    @Test func `a value that cannot be encoded changes nothing`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.store(session, as: api)
        #expect(throws: KeychainError.cannotEncode("Stubborn")) { try keychain.store(Stubborn(), as: api) }
        #expect(try keychain.item(stored.reference) == stored)
    }

    @Test func `values can be stored and loaded in a transaction`() throws {
        let keychain = try KeychainSample().keychain
        let loaded = try keychain.transaction { transaction in
            let stored = try transaction.store(session, as: api)
            return try transaction.load(Session.self, of: stored.reference).token
        }
        #expect(loaded == "t0k3n")
    }
}
