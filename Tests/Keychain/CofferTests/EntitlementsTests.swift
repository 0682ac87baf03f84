import Coffer
import CofferSecurity
import KeyedArchive
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 8: which groups entitlements give, and in which order.
@Suite("Entitlements", .temporaryDirectory) struct EntitlementsTests {
    private static let all: PropertyList = [
        "com.apple.security.application-groups": ["group.x", "T.y"],
        "application-identifier": "T.app",
        "com.apple.developer.associated-application-identifier": ["T.mac"],
        "keychain-access-groups": ["T.shared", "T.other"],
    ]
    private static let groups = ["T.shared", "T.other", "T.mac", "T.app", "group.x", "T.y"]

    private func groups(_ names: [PropertyList], app: PropertyList = "T.app") throws -> [String] {
        try Entitlements(["application-identifier": app, "keychain-access-groups": .array(names)]).accessGroups
    }

    // MARK: - Order

    @Test func `shared groups come first, then associated names, the program, and application groups`() throws {
        #expect(try Entitlements(Self.all).accessGroups == Self.groups)
    }

    @Test func `XML and binary files give the same entitlements`() throws {
        let entitlements = try Entitlements(Self.all)
        #expect(try Entitlements(Self.all.xmlEncoded()) == entitlements)
        #expect(try Entitlements(Self.all.binaryEncoded()) == entitlements)
    }

    @Test func `each list is also available separately`() throws {
        let entitlements = try Entitlements(Self.all)
        #expect(entitlements.applicationIdentifier == "T.app")
        #expect(entitlements.prefix == "T.")
        #expect(entitlements.keychainAccessGroups == ["T.shared", "T.other"])
        #expect(entitlements.associatedApplicationIdentifiers == ["T.mac"])
        #expect(entitlements.applicationGroups == ["group.x", "T.y"])
    }

    @Test func `a program that declares only its name has that name as its group`() throws {
        #expect(try Entitlements(["application-identifier": "T.app"]).accessGroups == ["T.app"])
    }

    @Test func `a list can be empty`() throws {
        #expect(try groups([]) == ["T.app"])
    }

    @Test func `duplicate groups are kept`() throws {
        #expect(try groups(["T.a", "T.app", "T.a"]) == ["T.a", "T.app", "T.a", "T.app"])
    }

    @Test func `the token group comes last`() throws {
        let names = try groups(["com.apple.token", "T.a"])
        #expect(names == ["T.a", "T.app", "com.apple.token"])
    }

    @Test func `keys unrelated to groups are ignored`() throws {
        let list: PropertyList = [
            "application-identifier": "T.app", "get-task-allow": true, "keychain-access-group": ["X.y"], "": [1],
        ]
        #expect(try Entitlements(list).accessGroups == ["T.app"])
    }

    @Test func `the example in the documentation works`() throws {
        let entitlements = try Entitlements([
            "application-identifier": "TEAM.com.example.mail",
            "keychain-access-groups": ["$(AppIdentifierPrefix)com.example.shared"],
        ])
        #expect(entitlements.accessGroups == ["TEAM.com.example.shared", "TEAM.com.example.mail"])
    }

    // MARK: - The name of the program

    @Test func `a macOS program has its name under another key`() throws {
        #expect(try Entitlements(["com.apple.application-identifier": "T.mac"]).applicationIdentifier == "T.mac")
    }

    @Test func `the key without com.apple takes precedence`() throws {
        let list: PropertyList = ["application-identifier": "T.app", "com.apple.application-identifier": "U.mac"]
        #expect(try Entitlements(list).applicationIdentifier == "T.app")
    }

    @Test func `the prefix ends at the first dot`() throws {
        let entitlements = try Entitlements(["application-identifier": "ABCDE12345.com.example.app"])
        #expect(entitlements.prefix == "ABCDE12345.")
    }

    @Test func `a dot with an accent is a dot`() throws {
        let name = "T.\u{301}app"
        #expect(Array(try Entitlements(["application-identifier": .string(name)]).prefix.utf8) == Array("T.".utf8))
        #expect(try groups([.string(name)]).map { Array($0.utf8) }.first == Array(name.utf8))
    }

    // MARK: - Variables

    @Test(arguments: ["AppIdentifierPrefix", "TeamIdentifierPrefix"])
    func `a variable is replaced by the prefix`(variable: String) throws {
        #expect(try groups([.string("$(\(variable))com.example.shared")]) == ["T.com.example.shared", "T.app"])
    }

    @Test func `variables are replaced in all lists`() throws {
        let name: PropertyList = ["$(AppIdentifierPrefix)x"]
        let entitlements = try Entitlements([
            "application-identifier": "T.app", "keychain-access-groups": name,
            "com.apple.developer.associated-application-identifier": name,
            "com.apple.security.application-groups": name,
        ])
        #expect(entitlements.accessGroups == ["T.x", "T.x", "T.app", "T.x"])
    }

    @Test func `the whole declaration has the names in place of variables, and the name that signing adds`() throws {
        let name: PropertyList = ["$(AppIdentifierPrefix)x", "com.apple.token"]
        let list: PropertyList = [
            "keychain-access-groups": name, "com.apple.security.application-groups": ["group.$(TeamIdentifierPrefix)y"],
            "com.apple.security.app-sandbox": true, "com.example.text": "$(AppIdentifierPrefix)",
        ]
        let entitlements = try Entitlements(list, bundleIdentifier: "com.example.app")
        #expect(
            try PropertyList(binary: entitlements.binaryEncoded()) == [
                "application-identifier": "LOCAL.com.example.app",
                "keychain-access-groups": ["LOCAL.x", "com.apple.token"],
                "com.apple.security.application-groups": ["group.LOCAL.y"],
                "com.apple.security.app-sandbox": true, "com.example.text": "$(AppIdentifierPrefix)",
            ]
        )
        let named: PropertyList = ["com.apple.application-identifier": "T.$(CFBundleIdentifier)"]
        let mac = try Entitlements(named, bundleIdentifier: "a")
        #expect(try PropertyList(binary: mac.binaryEncoded()) == ["com.apple.application-identifier": "T.a"])
    }

    @Test func `the bundle identifier is substituted if there is one`() throws {
        let list: PropertyList = [
            "application-identifier": "T.$(CFBundleIdentifier)",
            "keychain-access-groups": ["$(AppIdentifierPrefix)$(CFBundleIdentifier).shared"],
        ]
        let entitlements = try Entitlements(list, bundleIdentifier: "com.example.app")
        #expect(entitlements.accessGroups == ["T.com.example.app.shared", "T.com.example.app"])
        #expect(throws: EntitlementsError(.unknownVariable("CFBundleIdentifier"), key: EntitlementKey.application)) {
            try Entitlements(list)
        }
    }

    @Test func `substituted text is not scanned for variables`() throws {
        let list: PropertyList = ["application-identifier": "T.$(CFBundleIdentifier)"]
        let entitlements = try Entitlements(list, bundleIdentifier: "$(CFBundleIdentifier)")
        #expect(entitlements.applicationIdentifier == "T.$(CFBundleIdentifier)")
    }

    @Test func `a dollar sign without a bracket is literal`() throws {
        #expect(try groups(["T.a$b", "T.$"]) == ["T.a$b", "T.$", "T.app"])
    }

    // MARK: - Wildcard

    @Test func `a star allows all groups, and can be detected`() throws {
        let entitlements = try Entitlements(["application-identifier": "T.app", "keychain-access-groups": ["*"]])
        #expect(entitlements.opensAllGroups)
        #expect(entitlements.accessGroups == ["*", "T.app"])
        let sample = try KeychainSample(AccessGroups(declared: ["U.other"]))
        try sample.keychain.add(password)
        #expect(try sample.keychain(AccessGroups(entitlements)).count(password) == 1)
    }

    @Test func `without a star, not all groups are allowed`() throws {
        #expect(try !Entitlements(Self.all).opensAllGroups)
    }

    @Test func `a star within a name is literal`() throws {
        let entitlements = try Entitlements(["application-identifier": "T.app", "keychain-access-groups": ["T.*"]])
        #expect(!entitlements.opensAllGroups)
        let sample = try KeychainSample(AccessGroups(declared: ["T.other"]))
        try sample.keychain.add(password)
        #expect(try sample.keychain(AccessGroups(entitlements)).count(password) == 0)
    }

    @Test func `a star from a variable is not a wildcard`() throws {
        let list: PropertyList = [
            "application-identifier": "T.app", "keychain-access-groups": ["$(CFBundleIdentifier)"],
        ]
        #expect(throws: EntitlementsError(.wrongPrefix(allowed: ["T."]), key: EntitlementKey.groups)) {
            try Entitlements(list, bundleIdentifier: "*")
        }
    }

    // MARK: - Use

    @Test func `a keychain uses the declared groups, the first one for new items`() throws {
        let groups = AccessGroups(try Entitlements(Self.all))
        #expect(groups == AccessGroups(declared: Self.groups))
        let keychain = try KeychainSample(groups).keychain
        try keychain.add(password)
        #expect(try keychain.attributes(password)["agrp"] == "T.shared")
        #expect(throws: KeychainError.notEntitled(.group("T.none"))) {
            try keychain.find(password.with(["agrp": "T.none"]))
        }
    }
}
