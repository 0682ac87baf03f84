import Coffer
import Foundation
import TestSupport
import Testing

/// Files as Xcode's capabilities *Keychain Sharing* and *App Groups* make and extend them.
@Suite("Text of entitlements", .temporaryDirectory) struct EntitlementsTextTests {
    private let path: String

    init() throws {
        path = try TemporaryDirectory.current.path + "/Mail.entitlements"
    }

    private var environment: ProgramEnvironment { ProgramEnvironment(variables: [:], isSetUserID: false) }

    /// The text of a file with `entries` on lines of their own.
    private func xml(_ entries: String...) -> String {
        let lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
            #"<plist version="1.0">"#, "<dict>",
        ]
        return (lines + entries + ["</dict>", "</plist>", ""]).joined(separator: "\n")
    }

    private func list(_ key: String, _ groups: String...) -> String {
        let strings = groups.map { "\t\t<string>\($0)</string>\n" }.joined()
        return "\t<key>\(key)</key>\n\t<array>\n\(strings)\t</array>"
    }

    private func text(_ content: String) throws -> EntitlementsText {
        try Data(content.utf8).write(to: URL(filePath: path))
        return try EntitlementsText(file: path, environment: environment)
    }

    /// The text of a file with this content after groups are added.
    private func added(_ groups: String..., to content: String) throws -> String {
        String(decoding: try text(content).adding(groups).bytes, as: UTF8.self)
    }

    @Test func `a new file has the group of the program`() throws {
        let new = try EntitlementsText(newFile: path, environment: environment)
        #expect(
            String(decoding: new.bytes, as: UTF8.self) == xml(list(EntitlementKey.groups, "$(AppIdentifierPrefix)Mail"))
        )
        var bundle = environment
        bundle.bundleIdentifier = "com.example.mail"
        let named = try EntitlementsText(newFile: path, environment: bundle)
        #expect(named.entitlements.accessGroups == ["LOCAL.com.example.mail", "LOCAL.com.example.mail"])
    }

    @Test func `a group gets the prefix that its name lacks`() throws {
        let start = xml(list(EntitlementKey.groups, "$(AppIdentifierPrefix)Mail"))
        #expect(
            try added("shared", "$(TeamIdentifierPrefix)b", "*", "ABCDE12345.c", to: start)
                == xml(
                    list(
                        EntitlementKey.groups,
                        "$(AppIdentifierPrefix)Mail",
                        "$(AppIdentifierPrefix)shared",
                        "$(TeamIdentifierPrefix)b",
                        "*",
                        "ABCDE12345.c"
                    )
                )
        )
    }

    @Test func `a group with the prefix in the file is taken as it is`() throws {
        let app = "\t<key>application-identifier</key>\n\t<string>team.app</string>"
        #expect(
            try added("team.shared", to: xml(app, list(EntitlementKey.groups, "team.app")))
                == xml(app, list(EntitlementKey.groups, "team.app", "team.shared"))
        )
    }

    @Test func `a group is added once, in any spelling`() throws {
        let start = xml(list(EntitlementKey.groups, "$(AppIdentifierPrefix)Mail", "ABCDE12345.shared"))
        #expect(try added("shared", "$(AppIdentifierPrefix)Mail", "ABCDE12345.Mail", to: start) == start)
        #expect(
            try added("b", "b", to: start)
                == xml(
                    list(
                        EntitlementKey.groups,
                        "$(AppIdentifierPrefix)Mail",
                        "ABCDE12345.shared",
                        "$(AppIdentifierPrefix)b"
                    )
                )
        )
    }

    @Test(arguments: [
        "<plist><dict/></plist>", "<plist><dict><key>keychain-access-groups</key><array/></dict></plist>",
    ])
    func `the first group follows that of the program, which stays the default`(start: String) throws {
        #expect(
            try added("shared", to: start)
                == xml(list(EntitlementKey.groups, "$(AppIdentifierPrefix)Mail", "$(AppIdentifierPrefix)shared"))
        )
        let app = "<plist><dict><key>application-identifier</key><string>T.com.example</string></dict></plist>"
        #expect(
            try text(app).adding(["shared"]).entitlements.accessGroups == [
                "T.com.example", "T.shared", "T.com.example",
            ]
        )
    }

    @Test func `application groups have a list of their own, and other keys stay`() throws {
        let sandbox = "\t<key>com.apple.security.app-sandbox</key>\n\t<true/>"
        let date = "\t<key>x</key>\n\t<date>2024-01-02T03:04:05Z</date>"
        #expect(
            try added("group.com.example", to: xml(date, sandbox))
                == xml(sandbox, list(EntitlementKey.applicationGroups, "group.com.example"), date)
        )
    }

    @Test func `a name that no group of the program can have is an error`() throws {
        let start = xml(list(EntitlementKey.groups, "ABCDE12345.a"))
        for (name, kind) in [
            ("", .emptyName), ("OTHER.b", .ambiguousPrefix), ("$(X)", .unknownVariable("X")),
            (String(repeating: "x", count: 2_000), .nameTooLong(byteCount: 2_011, limit: 1_024)),
        ] as [(String, EntitlementsError.Kind)] {
            #expect(throws: EntitlementsError(kind, file: path, key: EntitlementKey.groups)) {
                try text(start).adding([name])
            }
        }
    }

    @Test func `an invalid file is an error with its path`() throws {
        let error = EntitlementsError(.notAnArray, file: path, line: 1, key: EntitlementKey.groups)
        #expect(throws: error) {
            try text("<plist><dict><key>keychain-access-groups</key><string>a</string></dict></plist>")
        }
    }

    @Test func `comments are noticed, since adding drops them`() throws {
        #expect(try text("<plist><!-- mine --><dict/></plist>").hasComments)
        #expect(try !text("<plist><dict/></plist>").hasComments)
    }
}
