import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Two machines have added an item under one name: what lookups, changes and references of programs do.
@Suite("Names of several items", .temporaryDirectory) struct SharedNameTests {
    private let keychain: Keychain
    /// The references, that of the item which lookups take first.
    private let references: [KeychainReference<GenericPassword>]
    private let kim = password.with(["svce": "mail", "acct": "kim"])

    /// Makes two copies of a vault, adds to both, and merges one into the other.
    init() async throws {
        let home = try VaultSample(machine: "home")
        let office = try VaultSample(machine: "office")
        let vault = try home.created(VaultProtection(passphrase: Passphrase("right")))
        let own = vault.keychain(for: AccessGroups(application: "app"))
        try own.add(GenericPassword(service: "shop", account: "kim"), secret: "x")
        let path = office.directory.appending(path: "copy.coffer").path
        try FileManager.default.createDirectory(at: office.directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: vault.path, toPath: path)
        let ladder = UnlockLadder(variables: [:], secret: .passphrase(Passphrase("right")))
        let other = try await Vault.open(at: path, with: ladder, options: office.options)
        let others = other.keychain(for: AccessGroups(application: "app"))
        // The other machine adds it later, in the order of the vault.
        try others.add(GenericPassword(service: "wiki", account: "kim"), secret: "x")
        let login = GenericPassword(service: "mail", account: "kim")
        let mine = try own.add(login, secret: "home")
        let theirs = try others.add(login, secret: "office")
        _ = try await vault.merge(with: Vault.openCopy(at: path, with: ladder, options: home.options)).report()
        keychain = own
        references = [theirs.reference, mine.reference]
    }

    private func secret(_ request: ItemRequest) throws -> ItemAnswer {
        try keychain.find(request.with(["r_Data": true]))
    }

    @Test func `a lookup takes the item that VF-72 names, with all of its name or a part`() throws {
        #expect(try secret(kim) == .data(Array("office".utf8)))
        #expect(try secret(password.with(["svce": "mail"])) == .data(Array("office".utf8)))
        let found = try keychain.item(GenericPassword.self, where: .service("mail"), .account("kim"))
        #expect(found?.reference == references[0])
        #expect(try keychain.secretText(GenericPassword.self, where: .service("mail")) == "office")
        // Both are in lists, the same one first.
        let all = try keychain.items(GenericPassword.self)
        #expect(all.first?.item.service == "shop" && all.count == 4)
        #expect(all.filter { $0.item.service == "mail" }.map(\.reference) == references)
    }

    @Test func `an update changes both, and is no duplicate`() throws {
        try keychain.update(kim, with: ["v_Data": data("new"), "labl": "L"])
        for reference in references { #expect(try keychain.secretText(of: reference) == "new") }
        #expect(try secret(kim.with(["labl": "L"])) == .data(Array("new".utf8)))
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(kim.with(["v_Data": data("again")])) }
        // Two items cannot get a new name.
        #expect(throws: KeychainError.duplicateItem) { try keychain.update(kim, with: ["acct": "lee"]) }
        #expect(try keychain.count(kim) == 2)
    }

    @Test func `saving changes the item that lookups take`() throws {
        try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "saved")
        #expect(try keychain.secretText(of: references[0]) == "saved")
        #expect(try keychain.secretText(of: references[1]) == "home")
    }

    @Test func `a deletion deletes both`() throws {
        try keychain.delete(kim)
        #expect(throws: KeychainError.itemNotFound) { try secret(kim) }
        for reference in references { #expect(try keychain.item(reference) == nil) }
    }

    @Test(arguments: [0, 1]) func `a reference means its one item`(_ number: Int) throws {
        let reference = references[number]
        let request: ItemRequest = ["v_PersistentRef": .data(reference.persistentReference.bytes)]
        #expect(try secret(request) == .data(Array(["office", "home"][number].utf8)))
        try keychain.update(request, with: ["v_Data": data("new")])
        #expect(try keychain.secretText(of: reference) == "new")
        #expect(try keychain.secretText(of: references[1 - number]) == ["home", "office"][number])
        try keychain.delete(request)
        #expect(try keychain.item(GenericPassword.self, where: .service("mail"))?.reference == references[1 - number])
    }

    @Test(arguments: [0, 1]) func `one version is kept, whichever it is`(_ number: Int) throws {
        let found = try keychain.conflictVersions(GenericPassword.self, in: nil)
        #expect(found.map { $0.map(\.reference) } == [references])
        let stored = try keychain.resolveConflict(keeping: found[0][number], of: found[0])
        #expect(stored.reference == references[number])
        #expect(try secret(kim) == .data(Array(["office", "home"][number].utf8)))
        #expect(try keychain.count(kim) == 1)
        #expect(try keychain.conflictVersions(GenericPassword.self, in: nil).isEmpty)
        // What was not chosen can be read in the history.
        let gone = try keychain.deletedItems(GenericPassword.self, where: .service("mail"))
        #expect(gone.map(\.reference) == [references[1 - number]])
    }
}
