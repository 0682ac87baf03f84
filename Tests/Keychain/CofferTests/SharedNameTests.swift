import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Two machines have added an item under one name: it is one item with a conflict.
@Suite("Names of several items", .temporaryDirectory) struct SharedNameTests {
    private let copies: VaultCopies
    private let keychain: Keychain
    /// The references, that of the item which counts first.
    private let references: [KeychainReference<GenericPassword>]
    private let kim = password.with(["svce": "mail", "acct": "kim"])
    private static let login = GenericPassword(service: "mail", account: "kim")

    /// Makes two copies of a vault, adds to both, and merges one into the other.
    init() async throws {
        copies = try VaultCopies(2) { try $0.add(GenericPassword(service: "shop", account: "kim"), secret: "x") }
        keychain = copies[0]
        var login = Self.login
        login.label = "Home"
        let mine = try copies[0].add(login, secret: "home")
        // The other machine adds it later.
        login.label = "Office"
        let theirs = try copies[1].add(login, secret: "office")
        try await copies.merge(1, into: 0)
        references = [theirs.reference, mine.reference]
    }

    private func secret(_ request: ItemRequest) throws -> ItemAnswer {
        try keychain.find(request.with(["r_Data": true]))
    }

    private func request(_ number: Int) -> ItemRequest {
        ["v_PersistentRef": .data(references[number].persistentReference.bytes)]
    }

    @Test func `searches find the item that VF-72 names`() throws {
        for request in [kim, password.with(["svce": "mail"]), password.with(["labl": "Office"])] {
            #expect(try secret(request) == .data(Array("office".utf8)))
            #expect(try keychain.count(request) == 1)
        }
        #expect(throws: KeychainError.itemNotFound) { try secret(password.with(["labl": "Home"])) }
        let found = try keychain.item(GenericPassword.self, where: .service("mail"), .account("kim"))
        #expect(found?.reference == references[0])
        #expect(try keychain.secretText(GenericPassword.self, where: .service("mail")) == "office")
        #expect(try keychain.items(GenericPassword.self).map(\.item.service) == ["shop", "mail"])
        #expect(try keychain.count(GenericPassword.self) == 2)
        #expect(try keychain.itemsByReadability(GenericPassword.self).items.count == 2)
        #expect(try copies.vaults[0].space().counts.map(\.itemCount) == [2])
    }

    @Test func `an update changes the item that counts, and adding it is a duplicate`() throws {
        try keychain.update(kim, with: ["v_Data": data("new"), "labl": "L"])
        #expect(try references.map { try keychain.secretText(of: $0) } == ["new", "home"])
        try keychain.save(Self.login, secret: "saved")
        #expect(try references.map { try keychain.secretText(of: $0) } == ["saved", "home"])
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(kim.with(["v_Data": data("again")])) }
    }

    @Test func `what lost does not take the place of an item that is renamed or moved`() throws {
        #expect(throws: KeychainError.unresolvedConflict) { try keychain.update(kim, with: ["acct": "lee"]) }
        let changes: [(inout GenericPassword) -> Void] = [{ $0.service = "post" }, { $0.accessGroup = "b" }]
        for change in changes {
            #expect(throws: KeychainError.unresolvedConflict) { try keychain.update(references[0], change) }
        }
        #expect(KeychainError.unresolvedConflict.appleStatus == errSecDuplicateItem)
        #expect(try secret(kim) == .data(Array("office".utf8)))
        // Under another name, what lost is an item of its own.
        try keychain.update(references[1]) { $0.service = "post" }
        #expect(try secret(password.with(["svce": "post"])) == .data(Array("home".utf8)))
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
        try keychain.update(kim, with: ["acct": "lee"])
    }

    @Test func `what lost does not take the place of an item whose renaming is undone`() async throws {
        let lost = try copies[1].add(GenericPassword(service: "bank", account: "kim"), secret: "lost")
        let item = try keychain.add(GenericPassword(service: "post", account: "kim"), secret: "own")
        let change = try keychain.largeTransaction { try $0.update(item.reference) { $0.service = "bank" } }.change
        try await copies.merge(1, into: 0)
        #expect(throws: KeychainError.unresolvedConflict) { try keychain.undo(item.reference) }
        #expect(try copies.vaults[0].undo(change: change) == (0, 1))
        #expect(try keychain.secretText(GenericPassword.self, where: .service("bank")) == "own")
        try keychain.delete(lost.reference)
        #expect(try keychain.undo(item.reference).item.service == "post")
    }

    @Test(arguments: 0..<4) func `deleting the item leaves nothing in its place`(_ way: Int) throws {
        switch way {
        case 0: try keychain.delete(kim)
        case 1: try keychain.delete(request(0))
        case 2: try keychain.delete(references[0])
        default: #expect(try keychain.deleteAll(GenericPassword.self, where: .label("Office")) == 1)
        }
        #expect(throws: KeychainError.itemNotFound) { try secret(kim) }
        for reference in references { #expect(try keychain.item(reference) == nil) }
        // Both are in the history.
        let deleted = try keychain.deletedItems(GenericPassword.self, where: .service("mail"))
        #expect(deleted.map(\.reference) == references.reversed())
    }

    @Test func `what lost is not found by a deletion`() throws {
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password.with(["labl": "Home"])) }
        #expect(try keychain.versions() == [["office", "home"]])
    }

    @Test func `undoing a deletion brings the item back that counted`() throws {
        let change = try keychain.largeTransaction { try $0.delete(references[0]) }.change
        try copies.vaults[0].undo(change: change)
        #expect(try secret(kim) == .data(Array("office".utf8)))
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
    }

    @Test func `erasing the item leaves no past of what lost`() throws {
        try keychain.erase(references[0])
        for reference in references {
            #expect(throws: KeychainError.itemNotFound) { try keychain.history(of: reference) }
        }
    }

    @Test(arguments: [0, 1]) func `a reference means its one item`(_ number: Int) throws {
        let reference = references[number]
        #expect(try secret(request(number)) == .data(Array(["office", "home"][number].utf8)))
        try keychain.update(request(number), with: ["v_Data": data("new")])
        #expect(try keychain.secretText(of: reference) == "new")
        #expect(try keychain.secretText(of: references[1 - number]) == ["home", "office"][number])
        // What lost has a past of its own.
        #expect(try keychain.history(of: references[0]).revisions.count { $0.reference == references[1] } == 1)
        #expect(try keychain.undo(reference).reference == reference)
        #expect(try keychain.secretText(of: reference) == ["office", "home"][number])
    }

    @Test func `deleting what lost keeps the item`() throws {
        try keychain.delete(request(1))
        #expect(try keychain.item(references[1]) == nil)
        #expect(try secret(kim) == .data(Array("office".utf8)))
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
    }

    @Test(arguments: [0, 1]) func `one version is kept, whichever it is`(_ number: Int) throws {
        let history = try #require(try keychain.conflicts(GenericPassword.self).first)
        #expect(try keychain.conflicts(GenericPassword.self).count == 1)
        try #require(history.revisions.map(\.reference) == references)
        #expect(history.conflicts.map(\.reference) == [references[1]] && !history.isDeleted && history.isComplete)
        #expect(try keychain.history(of: references[0]).conflicts.map(\.reference) == [references[1]])
        let lost = try keychain.history(of: references[1])
        #expect(lost.revisions.map(\.reference) == [references[1]] && lost.conflicts.isEmpty && !lost.isDeleted)

        let stored = try keychain.resolveConflict(keeping: history.revisions[number])
        #expect(stored.reference == references[number])
        #expect(try secret(kim) == .data(Array(["office", "home"][number].utf8)))
        #expect(try keychain.count(kim) == 1)
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
        #expect(throws: KeychainError.self) { try keychain.resolveConflict(keeping: history.revisions[1 - number]) }
        // What was not chosen can be read in the history.
        let gone = try keychain.deletedItems(GenericPassword.self, where: .service("mail"))
        #expect(gone.map(\.reference) == [references[1 - number]])
    }

    @Test(arguments: 0..<3) func `a conflict of both kinds is one, and ends as one`(_ kept: Int) async throws {
        try await copies.merge(0, into: 1)
        try copies[1].save(Self.login, secret: "first")
        try copies[1].save(Self.login, secret: "second")
        try keychain.save(Self.login, secret: "third")
        try await copies.merge(1, into: 0)
        #expect(try keychain.versions() == [["second", "third", "home"]])
        let history = try #require(try keychain.conflicts(GenericPassword.self).first)
        let live = history.revisions.filter { $0.ended == nil }
        try #require(live.count == 3)
        try keychain.resolveConflict(keeping: live[kept])
        #expect(try secret(kim) == .data(Array(["second", "third", "home"][kept].utf8)))
        #expect(try keychain.versions() == [])
        #expect(try keychain.count(kim) == 1)
    }

    @Test func `what lost can have a conflict of its own`() async throws {
        try await copies.merge(0, into: 1)
        for secret in ["first", "second"] { try copies[1].setSecret(secret, of: references[1]) }
        try keychain.setSecret("third", of: references[1])
        try await copies.merge(1, into: 0)
        #expect(try keychain.versions() == [["office", "second", "third"]])
        let live = try keychain.history(of: references[0]).revisions.filter { $0.ended == nil }
        try keychain.resolveConflict(keeping: #require(live.last))
        #expect(try keychain.secretText(GenericPassword.self, where: .service("mail")) == "third")
        #expect(try keychain.versions() == [])
        #expect(try keychain.item(references[0]) == nil)
    }

    @Test func `a state of the past has the item that counted then`() throws {
        let then = KeychainDate(secondsSince1970: Date().timeIntervalSince1970)
        try keychain.delete(kim)
        let past = try keychain.items(GenericPassword.self, at: then, where: .service("mail"))
        #expect(past.items.map(\.reference) == [references[0]])
    }

    @Test func `a locked item is not replaced by a version that lost and can be read`() async throws {
        var login = GenericPassword(service: "bank", account: "kim")
        login.accessibility = .afterFirstUnlock
        try copies[0].add(login, secret: "readable")
        login.accessibility = .whenUnlocked
        let locked = try copies[1].add(login, secret: "locked")
        try await copies.merge(1, into: 0)
        try keychain.deleteAll(GenericPassword.self, where: .service("mail"))
        copies.vaults[0].lock()
        #expect(throws: KeychainError.locked) {
            try copies[0].secretText(GenericPassword.self, where: .service("bank"), .account("kim"))
        }
        #expect(throws: KeychainError.locked) { try copies[0].items(GenericPassword.self) }
        let history = try #require(try copies[0].conflicts(GenericPassword.self).first)
        #expect(history.revisions.map(\.isReadable) == [false, true])
        // A locked item need not be readable to be deleted, or to lose.
        try copies[0].resolveConflict(keeping: history.revisions[1])
        #expect(try copies[0].secretText(GenericPassword.self, where: .service("bank")) == "readable")
        #expect(try copies[0].item(locked.reference) == nil)
    }
}
