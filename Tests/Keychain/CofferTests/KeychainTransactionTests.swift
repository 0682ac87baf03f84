import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Several changes that take effect together or not at all.
@Suite("Keychain transactions", .temporaryDirectory) struct KeychainTransactionTests {
    private struct Refusal: Error, Equatable {}

    @Test func `all changes take effect`() throws {
        let sample = try KeychainSample()
        try sample.keychain.transaction { transaction in
            try transaction.add(password.with(["acct": "kim"]))
            try transaction.add(GenericPassword(account: "lee"), secret: "x")
            try transaction.update(password.with(["acct": "kim"]), with: ["labl": "L"])
        }
        #expect(try sample.reopened().count(password) == 2)
        #expect(try sample.reopened().count(password.with(["labl": "L"])) == 1)
    }

    @Test func `if the body throws, nothing changes and the error is rethrown`() throws {
        let keychain = try KeychainSample().keychain
        let kept = try keychain.add(GenericPassword(account: "kim"), secret: "x")
        #expect(throws: Refusal()) {
            try keychain.transaction { transaction in
                try transaction.delete(kept.reference)
                try transaction.add(GenericPassword(account: "lee"))
                var item = GenericPassword(account: "zoe")
                item.accessGroup = "new"
                try transaction.add(item)
                throw Refusal()
            }
        }
        #expect(try keychain.items(GenericPassword.self) == [kept])
        #expect(try keychain.count(GenericPassword.self, where: .group("new")) == 0)
        try keychain.add(GenericPassword(account: "lee"))
    }

    @Test func `errors of the keychain stay typed`() throws {
        let keychain = try KeychainSample().keychain
        func addTwice() throws(KeychainError) {
            try keychain.transaction { (transaction) throws(KeychainError) in
                try transaction.add(password)
                try transaction.add(password)
            }
        }
        #expect(throws: KeychainError.duplicateItem) { try addTwice() }
        #expect(try keychain.count(password) == 0)
    }

    @Test func `a transaction sees its own changes`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.transaction { transaction in
            let added = try transaction.add(GenericPassword(account: "kim"), secret: "x")
            #expect(try transaction.item(GenericPassword.self, where: .account("kim")) == added)
            #expect(try transaction.find(password.with(["r_Data": true])) == .data([0x78]))
            let text = try transaction.withSecret(of: added.reference) { $0.count }
            #expect(text == 1)
            try transaction.update(added.reference) { $0.account = "lee" }
            #expect(try transaction.item(GenericPassword.self, where: .account("kim")) == nil)
            #expect(try transaction.items(GenericPassword.self).map(\.account) == ["lee"])
            try transaction.delete(added.reference)
            #expect(try transaction.item(added.reference) == nil)
        }
        #expect(try keychain.count(password) == 0)
    }

    @Test func `a failed operation changes nothing, and the transaction goes on`() throws {
        let keychain = try KeychainSample().keychain
        for name in ["kim", "lee"] { try keychain.add(GenericPassword(service: "\(name)", account: "a")) }
        try keychain.transaction { transaction in
            try transaction.add(GenericPassword(account: "first"))
            do {
                // The first item changes, and the second one becomes its duplicate.
                try transaction.update(password.with(["acct": "a"]), with: ["svce": "same", "agrp": "new"])
                Issue.record("two items have become equal")
            } catch KeychainError.duplicateItem {}
            try transaction.add(GenericPassword(account: "last"))
        }
        #expect(try keychain.items(GenericPassword.self).map(\.service) == ["kim", "lee", "", ""])
        #expect(try keychain.items(GenericPassword.self).map(\.account) == ["a", "a", "first", "last"])
        try keychain.add(password.with(["agrp": "new"]))
    }

    @Test func `a failed operation removes its new keys, and a later one creates them again`() throws {
        let sample = try KeychainSample()
        try sample.keychain.transaction { transaction in
            do {
                try transaction.add(
                    password.with(["agrp": "new", "v_Data": .data(.init(repeating: 1, count: 1 << 21))])
                )
                Issue.record("data over the limit were accepted")
            } catch KeychainError.vault {}
            try transaction.add(password.with(["agrp": "new", "v_Data": data("x")]))
        }
        #expect(try sample.reopened().text(password.with(["agrp": "new"])) == "x")
    }

    @Test func `readers see a transaction as one change`() throws {
        let sample = try KeychainSample()
        let other = try sample.reopened()
        try sample.keychain.transaction { transaction in
            try transaction.add(GenericPassword(account: "kim"))
            #expect(try other.count(password) == 0)
            try transaction.add(GenericPassword(account: "lee"))
            #expect(try other.count(password) == 0)
        }
        #expect(try other.count(password) == 2)
    }

    @Test func `a transaction returns its body's result`() throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.transaction { _ in 5 } == 5)
        let saved = try keychain.transaction { try $0.save(GenericPassword(account: "kim"), secret: "x") }
        #expect(try keychain.item(saved.reference) == saved)
    }

    // Not under the thread sanitizer, whose own lock makes such a thread wait for itself.
    #if !SANITIZE_THREAD
        @Test func `using the keychain within a transaction stops the process instead of blocking`() async throws {
            let directory = try TemporaryDirectory.current
            let reading = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [directory = directory as URL] in
                let keychain = try KeychainSample(in: directory).keychain
                try keychain.transaction { _ in _ = try keychain.count(GenericPassword.self) }
            }
            let writing = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [directory = directory as URL] in
                let keychain = try KeychainSample(in: directory).keychain
                try keychain.transaction { _ in _ = try keychain.add(GenericPassword()) }
            }
            for result in [reading, writing] {
                #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("Recursive call"))
            }
        }
    #endif

    @Test func `other programs' groups stay closed in a transaction`() throws {
        let sample = try KeychainSample(AccessGroups(declared: ["theirs"]))
        let theirs = try sample.keychain.add(GenericPassword(), secret: "x")
        let ours = sample.keychain(AccessGroups(declared: ["ours"]))
        let found = try ours.transaction { try $0.item(theirs.reference) }
        #expect(found == nil)
        #expect(throws: KeychainError.notEntitled(.group("theirs"))) {
            try ours.transaction { try $0.delete(password.with(["agrp": "theirs"])) }
        }
    }
}
