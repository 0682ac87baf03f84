import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Which group answers when a search names none, in a vault with a grant whose holder has planted items.
@Suite("The group that answers", .temporaryDirectory) struct AnsweringGroupTests {
    private let owner: VaultSample
    private let vault: Vault
    private let holder: Keychain

    private static let login = GenericPassword(service: "mail", account: "kim")

    init() throws {
        owner = try VaultSample()
        vault = try owner.created(VaultProtection(passphrase: Passphrase("right")))
        let credential = try vault.issueGrant(named: "web server", for: ["web", "shop"])
        holder = try VaultSample(machine: "service").opened(
            with: UnlockLadder(variables: [:], secret: .grant(credential))
        ).keychain(for: AccessGroups(application: "any"))
        // Planted first, so that it is the oldest.
        try holder.add(Self.login, secret: "planted")
    }

    /// A search by a name, and what it finds: secrets or groups.
    struct Search: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let found: @Sendable (Keychain) throws -> [String]

        init(_ name: String, _ found: @escaping @Sendable (Keychain) throws -> [String]) {
            (testDescription, self.found) = (name, found)
        }

        static let all = [
            Search("secretText") { keychain in
                try [keychain.secretText(GenericPassword.self, where: .service("mail"))].compactMap(\.self)
            },
            Search("items") { keychain in
                try keychain.items(GenericPassword.self, where: .service("mail")).map {
                    try keychain.secretText(of: $0.reference) ?? ""
                }
            },
            Search("item") { keychain in
                try [keychain.item(GenericPassword.self, where: .service("mail"))].compactMap(\.self).map {
                    try keychain.secretText(of: $0.reference) ?? ""
                }
            },
            Search("count") { keychain in
                Array(repeating: "own", count: try keychain.count(GenericPassword.self, where: .service("mail")))
            },
            Search("items at a date") { keychain in
                let now = KeychainDate(secondsSince1970: Date().timeIntervalSince1970 + 60)
                return try keychain.items(GenericPassword.self, at: now, where: .service("mail")).items.map {
                    String(decoding: try keychain.secret(of: $0) ?? [], as: UTF8.self)
                }
            },
            Search("transaction") { keychain in
                try keychain.transaction { transaction in
                    try transaction.items(GenericPassword.self, where: .service("mail")).map {
                        let secret = try transaction.withSecret(of: $0.reference) { [UInt8](copying: $0) }
                        return String(decoding: secret ?? [], as: UTF8.self)
                    }
                }
            },
            Search("itemsByReadability") { keychain in
                try keychain.itemsByReadability(GenericPassword.self, where: .service("mail")).items.map {
                    try keychain.secretText(of: $0.reference) ?? ""
                }
            },
        ]
    }

    private func ownKeychain(_ groups: [String]) -> Keychain { vault.keychain(for: AccessGroups(declared: groups)) }

    @Test(arguments: Search.all, [["home", "*"], ["home", "web"]])
    func `the default group alone`(search: Search, groups: [String]) throws {
        let keychain = ownKeychain(groups)
        #expect(try search.found(keychain).isEmpty)
        try keychain.add(Self.login, secret: "own")
        #expect(try search.found(keychain) == ["own"])
    }

    @Test(arguments: Search.all)
    func `for the holder of a grant, the first of its groups that has a match`(search: Search) throws {
        let keychain = ownKeychain(["shop"])
        let isCount = search.testDescription == "count"
        #expect(try search.found(holder) == [isCount ? "own" : "planted"])
        try keychain.add(Self.login, secret: "own")
        // The groups of the grant are web and shop, in this order.
        #expect(try search.found(holder) == [isCount ? "own" : "planted"])
        var item = Self.login
        item.service = "only in shop"
        try keychain.add(item, secret: "x")
        #expect(try holder.secretText(GenericPassword.self, where: .service("only in shop")) == "x")
    }

    @Test func `deleting and looking for deleted items leaves others alone`() throws {
        let keychain = ownKeychain(["home", "*"])
        #expect(try keychain.deleteAll(GenericPassword.self, where: .service("mail")) == 0)
        #expect(try holder.deleteAll(GenericPassword.self, where: .service("mail")) == 1)
        #expect(try keychain.deletedItems(GenericPassword.self, where: .service("mail")).isEmpty)
    }

    @Test func `requests by Apple's names are about all declared groups, and the first of them comes first`() throws {
        let keychain = ownKeychain(["home", "web"])
        try keychain.add(Self.login, secret: "own")
        let query: ItemRequest = ["class": "genp", "svce": "mail", "r_Data": true]
        #expect(try keychain.find(query) == .data(Array("own".utf8)))
        var all = query
        all["m_Limit"] = "m_LimitAll"
        #expect(try keychain.find(all) == .list([.data(Array("own".utf8)), .data(Array("planted".utf8))]))
        try keychain.update(["class": "genp", "svce": "mail"], with: ["labl": "L"])
        #expect(try holder.item(GenericPassword.self, where: .label("L")) != nil)
    }

    // MARK: - References

    /// Returns the path of a copy of the vault in which the item was changed.
    private func copyChangedElsewhere(_ reference: KeychainReference<GenericPassword>) throws -> String {
        let office = try VaultSample(machine: "office")
        try FileManager.default.createDirectory(at: office.directory, withIntermediateDirectories: true)
        let path = office.directory.appending(path: "copy.coffer").path
        try FileManager.default.copyItem(atPath: vault.path, toPath: path)
        let keychain = try Vault.open(at: path, with: .passphrase("right"), options: office.options)
            .keychain(for: AccessGroups(declared: ["web"]))
        for secret in ["planted 1", "planted 2", "planted 3"] { try keychain.setSecret(secret, of: reference) }
        return path
    }

    /// Lets the holder change an item in a copy of the vault while the owner moves it to another group, and merges.
    private func twins(in group: String) async throws -> PersistentReference {
        let all = ownKeychain([group, "*"])
        var item = GenericPassword(service: "moved", account: "kim")
        item.accessGroup = "web"
        let reference = try all.add(item, secret: "before").reference
        let path = try copyChangedElsewhere(reference)
        try all.update(reference) { $0.accessGroup = group }
        try all.setSecret("own", of: reference)
        let copy = try Vault.openCopy(at: path, with: .passphrase("right"), options: owner.options)
        _ = try await vault.merge(with: copy).report()
        let persistent = reference.persistentReference
        let web = ownKeychain(["web"])
        #expect(try web.secretText(of: #require(KeychainReference<GenericPassword>(persistent))) == "planted 3")
        return try #require(PersistentReference(persistent.bytes))
    }

    @Test func `a reference that several groups have is the item of the default group`() async throws {
        let reference = try #require(KeychainReference<GenericPassword>(try await twins(in: "home")))
        let keychain = ownKeychain(["home", "*"])
        #expect(try keychain.secretText(of: reference) == "own")
        try keychain.setSecret("new", of: reference)
        try keychain.undo(reference)
        #expect(try keychain.history(of: reference).revisions.allSatisfy { $0.accessGroup == "home" })
        try keychain.update(
            ["class": "genp", "v_PersistentRef": .data(reference.persistentReference.bytes)],
            with: ["v_Data": .data(Array("newer".utf8))]
        )
        #expect(try keychain.secretText(of: reference) == "newer")
        #expect(try ownKeychain(["web"]).secretText(of: reference) == "planted 3")
        #expect(try keychain.conflicts(GenericPassword.self).isEmpty)
    }

    @Test func `it is ambiguous if the default group does not have it, unless the item was found`() async throws {
        let reference = try #require(KeychainReference<GenericPassword>(try await twins(in: "home")))
        let keychain = ownKeychain(["third", "*"])
        #expect(throws: KeychainError.ambiguousReference) { try keychain.setSecret("new", of: reference) }
        #expect(throws: KeychainError.ambiguousReference) { try keychain.secretText(of: reference) }
        #expect(throws: KeychainError.ambiguousReference) { try keychain.history(of: reference) }
        let found = try #require(try keychain.item(GenericPassword.self, where: .service("moved"), .group("home")))
        #expect(found.reference == reference)
        #expect(try keychain.secretText(of: found.reference) == "own")
        #expect(try keychain.setSecret("new", of: found.reference).item.accessGroup == "home")
        #expect(try keychain.history(of: found.reference).revisions.first?.accessGroup == "home")
        #expect(try ownKeychain(["web"]).secretText(of: reference) == "planted 3")
    }
}
