import Coffer
import Foundation
import TestSupport
import Testing

/// Entitlements as Xcode keeps them in a project: without the application identifier, which signing adds.
@Suite("Entitlements without an application identifier", .temporaryDirectory) struct UnsignedEntitlementsTests {
    private let executable: String

    init() throws {
        executable = try TemporaryDirectory.current.resolvingSymlinksInPath().path + "/Mail"
        try Data().write(to: URL(filePath: executable))
    }

    private var path: String { executable + ".entitlements" }

    private func groups(
        _ names: String...,
        bundle: String? = nil,
        variables: [String: String] = [:]
    ) throws -> [String]? {
        let strings = names.map { "<string>\($0)</string>" }.joined(separator: "\n")
        let file = entitlementsFile("<key>keychain-access-groups</key><array>\n\(strings)\n</array>")
        try Data(file).write(to: URL(filePath: path))
        let environment = ProgramEnvironment(variables: variables, bundleIdentifier: bundle, isSetUserID: false)
        return try Entitlements.declared(environment: environment, executable: executable)?.accessGroups
    }

    @Test func `the program is named by its bundle identifier, else by its file`() throws {
        let shared = "$(AppIdentifierPrefix)com.example.shared"
        #expect(try groups(shared, bundle: "com.example.a") == ["LOCAL.com.example.shared", "LOCAL.com.example.a"])
        #expect(try groups(shared) == ["LOCAL.com.example.shared", "LOCAL.Mail"])
        #expect(try groups() == ["LOCAL.Mail"])
    }

    @Test func `a file checked without its program names the program`() throws {
        _ = try groups("$(AppIdentifierPrefix)com.example.shared")
        let environment = ProgramEnvironment(variables: [:], isSetUserID: false)
        #expect(try Entitlements.inFile(path, environment: environment).applicationIdentifier == "LOCAL.Mail")
    }

    @Test func `the prefix is the one shared by all written-out groups`() throws {
        #expect(
            try groups("ABCDE12345.a", "$(AppIdentifierPrefix)b", "*", variables: ["COFFER_TEAM": "OTHER"])
                == ["ABCDE12345.a", "ABCDE12345.b", "*", "ABCDE12345.Mail"]
        )
    }

    @Test func `without a shared prefix, the team in the environment is used`() throws {
        let variables = ["COFFER_TEAM": "ABCDE12345"]
        #expect(try groups("$(AppIdentifierPrefix)a", variables: variables) == ["ABCDE12345.a", "ABCDE12345.Mail"])
        let error = EntitlementsError(
            .wrongPrefix(allowed: ["ABCDE12345."]),
            file: path,
            line: 6,
            key: EntitlementKey.groups
        )
        #expect(throws: error) { try groups("ABCDE12345.a", "OTHER.b", variables: variables) }
    }

    @Test(arguments: ["OTHER.b", "com.example.b", "b", "ÀBC.b", ""])
    func `a group without a derivable prefix is an error with its line`(other: String) {
        let error = EntitlementsError(.ambiguousPrefix, file: path, line: 6, key: EntitlementKey.groups)
        #expect(throws: error) { try groups("ABCDE12345.a", other) }
    }

    @Test(arguments: ["", "abc", "A.B", "ABC."]) func `an invalid team in the environment is an error`(team: String) {
        #expect(throws: EntitlementsError(.malformedTeam, file: path)) {
            try groups("$(AppIdentifierPrefix)a", variables: ["COFFER_TEAM": team])
        }
    }

    @Test func `the team in the environment is ignored in a set-user-ID program`() throws {
        _ = try groups("$(AppIdentifierPrefix)a")
        let environment = ProgramEnvironment(variables: ["COFFER_TEAM": "EVIL"], isSetUserID: true)
        let found = try Entitlements.declared(environment: environment, executable: executable)
        #expect(found?.prefix == "LOCAL.")
    }
}
