import Coffer
import CofferFoundation
import Foundation
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
        init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
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

    // RFC 8259. With sorted keys, equal values are equal bytes.
    @Test func `its secret is JSON with sorted keys`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.store(session, as: api)
        let text = try keychain.secretText(GenericPassword.self, where: .service("api"))
        #expect(text == #"{"renewals":[1,2],"token":"t0k3n"}"#)
        try keychain.store(["b": 1, "a": 2, "d": 3, "c": 4], as: api)
        let numbers = try keychain.secretText(GenericPassword.self, where: .service("api"))
        #expect(numbers == #"{"a":2,"b":1,"c":4,"d":3}"#)
    }

    @Test func `dates, data and addresses are read back, and an encoder can write them in another way`() throws {
        struct Visit: Codable, Equatable {
            var date = Date(timeIntervalSinceReferenceDate: 1.5)
            var cookie = Data([1, 2])
            var page = URL(string: "https://example.com/a")
        }
        let keychain = try KeychainSample().keychain
        let stored = try keychain.store(Visit(), as: api)
        #expect(try keychain.load(Visit.self, of: stored.reference) == Visit())
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        let visit = Visit(date: Date(timeIntervalSinceReferenceDate: 2))
        try keychain.store(visit, as: api, encoder: encoder)
        let text = try keychain.secretText(of: stored.reference)
        #expect(text?.contains(#""date":"2001-01-01T00:00:02Z""#) == true)
        #expect(try keychain.load(Visit.self, of: stored.reference, decoder: decoder) == visit)
        #expect(throws: KeychainError.cannotDecode("Visit")) { try keychain.load(Visit.self, of: stored.reference) }
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
