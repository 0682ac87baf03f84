import Coffer
import Foundation
import KeyedArchive
import TestSupport
import Testing

/// Entitlements in the section of a program.
///
/// That builds embed them is tested with the example programs, in the suite of an app and its widget.
@Suite("Embedded entitlements", .temporaryDirectory) struct EmbeddedEntitlementsTests {
    private let place: String

    init() throws {
        place = try TemporaryDirectory.current.resolvingSymlinksInPath().path
    }

    /// A file in the section of a program (kind 1) or a test target (kind 2).
    private func entry(_ kind: UInt64, _ file: [UInt8]) -> [UInt64] {
        let padded = file + [UInt8](repeating: 0, count: (8 - file.count % 8) % 8)
        let words = stride(from: 0, to: padded.count, by: 8).map { start in
            padded[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return [kind, UInt64(file.count)] + words
    }

    private func entry(_ kind: UInt64, group: String) -> [UInt64] {
        entry(kind, entitlementsFile(list(EntitlementKey.groups, "$(AppIdentifierPrefix)\(group)")))
    }

    private func groups(
        _ section: [UInt64],
        of program: String = "Mail",
        variables: [String: String] = [:],
        isSetUserID: Bool = false
    ) throws -> [String]? {
        let environment = ProgramEnvironment(variables: variables, isSetUserID: isSetUserID)
        return try Entitlements.declared(
            environment: environment,
            executable: place + "/" + program,
            embedded: section
        )?.accessGroups
    }

    @Test func `a program has the groups in its section, under the name of its file`() throws {
        #expect(try groups([]) == nil)
        #expect(try groups(entry(1, group: "shared")) == ["LOCAL.shared", "LOCAL.Mail"])
        #expect(try groups(entry(1, group: "shared"), of: "Post", isSetUserID: true) == ["LOCAL.shared", "LOCAL.Post"])
    }

    @Test(arguments: 0..<9) func `a file of any length is read without what pads it`(spaces: Int) throws {
        let file = try (["application-identifier": "T.app"] as PropertyList).binaryEncoded()
        #expect(try groups(entry(1, file)) == ["T.app"])
        let text = Array("<plist><dict/></plist>".utf8) + [UInt8](repeating: 0x20, count: spaces)
        #expect(try groups(entry(1, text)) == ["LOCAL.Mail"])
    }

    @Test func `the file beside the program and the one in the variable take precedence`() throws {
        let named = place + "/named"
        try Data(entitlementsFile(ofApp: "")).write(to: URL(filePath: named))
        #expect(try groups(entry(1, group: "a"), variables: ["COFFER_ENTITLEMENTS": named]) == ["T.app"])
        #expect(
            try groups(entry(1, group: "a"), variables: ["COFFER_ENTITLEMENTS": named], isSetUserID: true)
                == ["LOCAL.a", "LOCAL.Mail"]
        )
        // Files are found beside programs that exist.
        try Data().write(to: URL(filePath: place + "/Mail"))
        try Data(entitlementsFile(list(EntitlementKey.groups, "$(AppIdentifierPrefix)beside")))
            .write(to: URL(filePath: place + "/Mail.entitlements"))
        #expect(try groups(entry(1, group: "a")) == ["LOCAL.beside", "LOCAL.Mail"])
    }

    @Test(arguments: ["MailPackageTests.xctest", "Mail-test-runner"])
    func `in a test bundle only the files of tests count`(name: String) throws {
        let section = entry(1, group: "app") + entry(1, group: "widget") + entry(2, group: "tests")
        #expect(try groups(section, of: name) == ["LOCAL.tests", "LOCAL.\(name)"])
        #expect(try groups(entry(1, group: "app"), of: name) == nil)
        #expect(try groups(entry(2, group: "tests")) == nil)
    }

    @Test func `the same file twice is one, and different files are an error`() throws {
        #expect(try groups(entry(1, group: "a") + entry(1, group: "a")) == ["LOCAL.a", "LOCAL.Mail"])
        #expect(throws: EntitlementsError(.differentEmbedded, file: place + "/Mail")) {
            try groups(entry(1, group: "a") + entry(1, group: "b"))
        }
    }

    @Test func `an invalid file is an error with the path of the program`() throws {
        let error = EntitlementsError(.notAnArray, file: place + "/Mail", line: 4, key: EntitlementKey.groups)
        let file = entitlementsFile("<key>keychain-access-groups</key><string>a</string>")
        #expect(throws: error) { try groups(entry(1, file)) }
        #expect(throws: EntitlementsError(.empty, file: place + "/Mail")) { try groups(entry(1, [])) }
    }

    @Test(arguments: [[3, 0], [1], [1, 9, 0], [1, 1], [1, .max, 0], [0]] as [[UInt64]])
    func `a section that is not made of files is an error`(section: [UInt64]) {
        let reason = "the section coffer_entitlements is invalid"
        #expect(throws: EntitlementsError(.unreadable(reason), file: place + "/Mail")) { try groups(section) }
    }
}
