import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultStore

/// `Spec/keychain-behavior.md`, section 7, and the open level, which is the simulator's.
@Suite("Access groups", .temporaryDirectory) struct AccessGroupTests {
    private static let (app, shared, other) = ("T.app", "T.shared", "T.other")
    private static let declared = AccessGroups(declared: [shared, app])

    private func item(_ group: String) -> ItemRequest { password.with(["agrp": .string(group)]) }

    // MARK: - Declared

    @Test func `a new item goes into the first group`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        try keychain.add(password)
        #expect(try keychain.attributes(password)["agrp"] == .string(Self.shared))
    }

    @Test func `a declared group can be named`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        try keychain.add(item(Self.app))
        #expect(try keychain.count(item(Self.app)) == 1)
        #expect(try keychain.count(item(Self.shared)) == 0)
    }

    @Test func `an undeclared group is rejected whatever it contains`() throws {
        let sample = try KeychainSample(Self.declared)
        try sample.keychain(AccessGroups(declared: [Self.other])).add(item(Self.other))
        let error = KeychainError.notEntitled(.group(Self.other))
        #expect(throws: error) { try sample.keychain.add(item(Self.other)) }
        #expect(throws: error) { try sample.keychain.find(item(Self.other)) }
        #expect(throws: error) { try sample.keychain.update(item(Self.other), with: [:]) }
        #expect(throws: error) { try sample.keychain.delete(item(Self.other)) }
        try sample.keychain.add(password)
        #expect(throws: error) { try sample.keychain.update(password, with: ["agrp": .string(Self.other)]) }
    }

    @Test func `a query without a group searches exactly the declared groups`() throws {
        let sample = try KeychainSample(Self.declared)
        for group in [Self.app, Self.shared] { try sample.keychain.add(item(group)) }
        let others = sample.keychain(AccessGroups(declared: [Self.other]))
        try others.add(password)
        #expect(try sample.keychain.count(password) == 2)
        #expect(try others.count(password) == 1)
        try sample.keychain.delete(password)
        #expect(try sample.keychain.count(password) == 0)
        #expect(try others.count(password) == 1)
    }

    @Test func `group names are compared byte by byte`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.\u{E9}"])).keychain
        #expect(throws: KeychainError.notEntitled(.group("T.e\u{301}"))) { try keychain.find(item("T.e\u{301}")) }
    }

    @Test func `without groups every request is rejected`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: [])).keychain
        let error = KeychainError.notEntitled(.anyGroup)
        #expect(throws: error) { try keychain.add(["nonsense": 1]) }
        #expect(throws: error) { try keychain.find(["nonsense": 1]) }
        #expect(throws: error) { try keychain.update(["nonsense": 1], with: [:]) }
        #expect(throws: error) { try keychain.delete(["nonsense": 1]) }
    }

    @Test func `a wildcard allows all groups, and new items go into the first declared name`() throws {
        let sample = try KeychainSample(Self.declared)
        for group in [Self.app, Self.shared] { try sample.keychain.add(item(group)) }
        let all = sample.keychain(AccessGroups(declared: ["*"]))
        #expect(try all.count(password) == 2)
        try all.add(item(Self.other))
        try all.add(password)
        #expect(try all.count(item("*")) == 1)
        #expect(try all.count(password) == 4)
    }

    @Test func `the token group is read-only`() throws {
        let token = "com.apple.token"
        let keychain = try KeychainSample(AccessGroups(declared: [Self.app, token])).keychain
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(item(token)) }
        #expect(throws: KeychainError.notEntitled(.group(token))) { try keychain.add(item(token)) }
        #expect(throws: KeychainError.notEntitled(.group(token))) { try keychain.update(item(token), with: [:]) }
        #expect(throws: KeychainError.notEntitled(.group(token))) { try keychain.delete(item(token)) }
        let alone = try KeychainSample(AccessGroups(declared: [token])).keychain
        #expect(throws: KeychainError.notEntitled(.anyGroup)) { try alone.add(password) }
        #expect(throws: KeychainError.itemNotFound) { try alone.find(password) }
    }

    // MARK: - Values

    @Test(arguments: [AccessGroups(application: "app"), AccessGroups(declared: ["*"]), AccessGroups(declared: [""])])
    func `an empty group name is rejected`(groups: AccessGroups) throws {
        let keychain = try KeychainSample(groups).keychain
        let error = KeychainError.notEntitled(.group(""))
        #expect(throws: error) { try keychain.add(item("")) }
        #expect(throws: error) { try keychain.find(item("")) }
        #expect(throws: error) { try keychain.update(item(""), with: [:]) }
        #expect(throws: error) { try keychain.delete(item("")) }
    }

    @Test func `a program without a name has no group of its own`() throws {
        let keychain = try KeychainSample(AccessGroups(application: "")).keychain
        #expect(throws: KeychainError.notEntitled(.group(""))) { try keychain.add(password) }
    }

    @Test func `a group name has at most 1,024 bytes`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(item(String(repeating: "x", count: 1024)))
        let name = String(repeating: "x", count: 1025)
        let changes: [(Keychain) throws -> Void] = [
            { try $0.add(item(name)) }, { try $0.update(item(String(name.dropLast())), with: ["agrp": .string(name)]) },
        ]
        for change in changes {
            guard
                case .vault(let problem) = try #require(
                    throws: KeychainError.self,
                    performing: { try change(keychain) }
                )
            else {
                Issue.record("another error")
                continue
            }
            #expect(problem.kind == .tooLarge)
        }
        #expect(try keychain.count(item(name)) == 0)
    }

    @Test(arguments: [ItemValue.integer(1), .bool(true), .null]) func `a group must be text`(value: ItemValue) throws {
        let keychain = try KeychainSample(Self.declared).keychain
        let request = password.with(["agrp": value])
        #expect(throws: KeychainError.invalid(.value(of: "agrp"))) { try keychain.add(request) }
        #expect(throws: KeychainError.invalid(.value(of: "agrp"))) { try keychain.find(request) }
        #expect(throws: KeychainError.notEntitled(.groupNotText)) { try keychain.update(request, with: [:]) }
        #expect(throws: KeychainError.notEntitled(.groupNotText)) { try keychain.delete(request) }
        try keychain.add(password)
        #expect(throws: KeychainError.notEntitled(.groupNotText)) {
            try keychain.update(password, with: ["agrp": value])
        }
    }

    @Test func `bytes can name a group in queries only`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        try keychain.add(password)
        let request = password.with(["agrp": data(Self.shared)])
        #expect(try keychain.count(request) == 1)
        #expect(throws: KeychainError.notEntitled(.groupNotText)) { try keychain.add(request) }
        #expect(throws: KeychainError.notEntitled(.groupNotText)) { try keychain.delete(request) }
    }

    // MARK: - Moving

    @Test func `an item that moves to another group keeps its data and reference`() throws {
        let sample = try KeychainSample(Self.declared)
        let keychain = sample.keychain
        try keychain.add(item(Self.app).with(["v_Data": data("x"), "labl": "L"]))
        let reference = try keychain.reference(password)
        try keychain.update(item(Self.app), with: ["agrp": .string(Self.shared)])
        #expect(try keychain.count(item(Self.app)) == 0)
        #expect(try keychain.text(item(Self.shared)) == "x")
        #expect(try keychain.attributes(item(Self.shared))["labl"] == "L")
        #expect(try keychain.text(["v_PersistentRef": reference]) == "x")
        try sample.store.compact()
        try keychain.update(item(Self.shared), with: ["agrp": .string(Self.app), "v_Data": data("y")])
        #expect(try keychain.text(["v_PersistentRef": reference]) == "y")
        #expect(try keychain.count(password) == 1)
    }

    @Test func `an item cannot move to a group that has an equal item`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        for group in [Self.app, Self.shared] { try keychain.add(item(group).with(["v_Data": data(group)])) }
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.update(item(Self.app), with: ["agrp": .string(Self.shared)])
        }
        #expect(try keychain.text(item(Self.app)) == Self.app)
        #expect(try keychain.text(item(Self.shared)) == Self.shared)
    }

    @Test func `moving an item to its own group changes nothing`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        try keychain.add(item(Self.app))
        try keychain.update(item(Self.app), with: ["agrp": .string(Self.app)])
        #expect(try keychain.count(item(Self.app)) == 1)
    }

    // MARK: - Open

    @Test func `a program without declarations can name any group and sees its own by default`() throws {
        let keychain = try KeychainSample(AccessGroups(application: "app")).keychain
        try keychain.add(password)
        try keychain.add(item("elsewhere"))
        #expect(try keychain.attributes(password)["agrp"] == "app")
        #expect(try keychain.count(password) == 1)
        #expect(try keychain.count(item("elsewhere")) == 1)
        try keychain.delete(password)
        #expect(try keychain.count(item("elsewhere")) == 1)
    }

    @Test func `without declarations, a star is an ordinary group`() throws {
        let keychain = try KeychainSample(AccessGroups(application: "*")).keychain
        try keychain.add(item("elsewhere"))
        #expect(try keychain.count(password) == 0)
    }
}
