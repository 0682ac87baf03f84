import Coffer
import CofferTesting
import Foundation
import TestSupport
import Testing

/// The passwords of a service, with names and passwords from variables.
@Suite("Passwords of a service", .temporaryDirectory) struct ServicePasswordsTests {
    private let sample: KeychainSample
    private let passwords: ServicePasswords
    private let service = "api"
    private let account = "kim"
    private let token = "t0k3n"

    init() throws {
        sample = try KeychainSample(AccessGroups(declared: ["first", "second"]))
        passwords = sample.keychain.passwords(service: service)
    }

    @Test func `a password is set, replaced, read, listed and removed`() throws {
        #expect(try passwords[account] == nil)
        #expect(try passwords.remove(account) == false)
        try passwords.set(token, for: account)
        try passwords.set(Array("other".utf8), for: "lee")
        try passwords.set(Passphrase("newer"), for: account)
        #expect(try passwords[account] == "newer")
        #expect(try passwords.accounts() == ["kim", "lee"])
        #expect(try sample.keychain.passwords(service: "other")[account] == nil)
        #expect(try passwords.remove(account) == true)
        #expect(try passwords[account] == nil)
        #expect(try passwords.accounts() == ["lee"])
    }

    @Test func `it is the generic password of the service and the account`() throws {
        try passwords.set(token, for: account)
        let found = try sample.keychain.item(GenericPassword.self, where: .service(service), .account(account))
        let item = try #require(found)
        #expect(item.service == service && item.account == account)
        #expect(try sample.keychain.secretText(of: item.reference) == token)
        let saved = try sample.keychain.save(GenericPassword(service: service, account: account), secret: "saved")
        #expect(saved.reference == item.reference)
        #expect(try passwords[account] == "saved")
    }

    @Test func `a locked password is an error, not a missing one`() throws {
        try passwords.set(token, for: account)
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try passwords[account] }
        #expect(throws: KeychainError.locked) { try passwords.set("newer", for: account) }
        #expect(throws: KeychainError.locked) { try passwords.accounts() }
        try sample.unlock()
        #expect(try passwords[account] == token)
    }

    @Test func `a locked password can be removed`() throws {
        try passwords.set(token, for: account)
        sample.keychain.lock()
        #expect(try passwords.remove(account) == true)
        #expect(try passwords[account] == nil)
    }

    // `save` alone would add an item that the subscript does not read, since it finds the older one.
    @Test(arguments: [false, true])
    func `the password that is read is the one that is replaced`(isSynchronizable: Bool) throws {
        var old = GenericPassword(service: service, account: account)
        old.accessGroup = "second"
        old.isSynchronizable = isSynchronizable
        try sample.keychain.add(old, secret: "old")
        #expect(try passwords[account] == "old")
        try passwords.set(token, for: account)
        #expect(try passwords[account] == token)
        #expect(try sample.keychain.count(GenericPassword.self, where: .synchronizable(.any)) == 1)
        try passwords.remove(account)
        #expect(try passwords[account] == nil)
    }

    @Test func `an account in two groups is listed once, and its older password counts`() throws {
        for (group, secret) in [("second", "older"), ("first", "newer")] {
            var item = GenericPassword(service: service, account: account)
            item.accessGroup = group
            try sample.keychain.add(item, secret: secret)
        }
        #expect(try passwords.accounts() == [account])
        #expect(try passwords[account] == "older")
    }

    @Test func `a password that is not text is an error, and can be read as bytes`() throws {
        try passwords.set([0xFF] as [UInt8], for: account)
        #expect(throws: KeychainError.cannotDecode("String")) { try passwords[account] }
        #expect(try passwords.withPassword(of: account) { $0.count } == 1)
        #expect(try passwords.withPassword(of: "lee") { $0.count } == nil)
        try sample.keychain.add(GenericPassword(service: service, account: "none"))
        #expect(try passwords["none"] == nil)
    }

    @Test func `accounts that differ only in the form of a letter have different passwords`() throws {
        try passwords.set("one", for: "caf\u{E9}")
        #expect(try passwords["cafe\u{301}"] == nil)
        try passwords.set("two", for: "cafe\u{301}")
        #expect(try passwords["caf\u{E9}"] == "one")
        #expect(try passwords.accounts().map { $0.unicodeScalars.count } == [4, 5])
    }

    @Test(.keychain) func `setting is one transaction`() throws {
        let test = try TestKeychain.current
        let passwords = test.keychain.passwords(service: service)
        try passwords.set(token, for: account)
        try passwords.set("newer", for: account)
        #expect(test.calls.map(\.operation) == [.transaction, .find, .add, .transaction, .find, .update])
        #expect(!String(reflecting: test.calls).contains(token))
    }

    @Test func `a property has the password as it is now, and tells of changes`() async throws {
        let keychain = sample.keychain
        @VaultSecret(service: service, account: account, in: keychain) var followed
        #expect(followed == .success(nil))
        try passwords.set(token, for: account)
        #expect(followed == .success(token))
        for await state in $followed {
            #expect(try state.get()?.revision.number == 1)
            break
        }
        keychain.lock()
        #expect(followed == .failure(.locked))
    }
}
