import Coffer
import KeyedArchive
import Testing
import VaultCrypto

/// Errors in entitlements are never treated as entitlements that declare less.
@Suite("Entitlement errors") struct EntitlementFaultTests {
    private typealias Key = EntitlementKey

    // MARK: - The file

    @Test(arguments: ["", " \n\t\r\n"]) func `an empty file is an error`(text: String) {
        EntitlementFault(Array(text.utf8), .empty, line: nil, key: nil).expect()
    }

    @Test(arguments: ["hello", "{ \"application-identifier\": \"T.app\" }", "\u{7F}ELF", "\0", "\u{FEFF}x"])
    func `a file that is not a property list is an error`(text: String) {
        EntitlementFault(Array(text.utf8), .notAPropertyList, line: nil, key: nil).expect()
    }

    @Test func `malformed XML is an error with line and key`() {
        EntitlementFault(
            entitlementsFile(ofApp: "<key>keychain-access-groups</key>\n<array><strin>T.a</strin></array>"),
            .malformed(xml: .unknownElement("strin")),
            line: 6,
            key: Key.groups
        ).expect()
        EntitlementFault(
            entitlementsFile(ofApp: "<key>application-identifier</key><string>U.app</string>"),
            .malformed(xml: .duplicateKey),
            line: 5,
            key: Key.application
        ).expect()
        EntitlementFault(Array("<plist/>".utf8), .malformed(xml: .noValue), line: 1, key: nil).expect()
        EntitlementFault([0xFF, 0xFE, 0x3C, 0], .malformed(xml: .utf16), line: 1, key: nil).expect()
    }

    @Test func `names in invalid UTF-8 are an error`() {
        let bytes = entitlementsFile(ofApp: list(Key.groups, "T.~"))
        let broken = bytes.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 }
        EntitlementFault(broken, .malformed(xml: .invalidUTF8), line: 6, key: nil).expect()
    }

    @Test func `a damaged binary property list is an error`() throws {
        let bytes = try (["application-identifier": "T.app"] as PropertyList).binaryEncoded()
        EntitlementFault(Array(bytes.prefix(20)), .malformed(binary: .tooShort(byteCount: 20)), line: nil, key: nil)
            .expect()
        // Half of a surrogate pair in place of a name.
        let text = try (["application-identifier": "T.\u{E9}"] as PropertyList).binaryEncoded()
        let broken = Array(text).replacing([0x00, 0xE9], with: [0xD8, 0x00])
        // The text begins after the byte with its type and length.
        let offset = try #require(text.firstRange(of: [0x63, 0x00, 0x54])).lowerBound + 1
        EntitlementFault(broken, .malformed(binary: .invalidString(offset: offset)), line: nil, key: nil).expect()
    }

    @Test func `a file over 64 KiB is an error`() throws {
        let start = entitlementsFile(ofApp: "")
        let most = start + [UInt8](repeating: UInt8(ascii: "\n"), count: 65_536 - start.count)
        #expect(try Entitlements(most).accessGroups == ["T.app"])
        EntitlementFault(most + [UInt8(ascii: "\n")], .tooLarge(limit: 65_536), line: nil, key: nil).expect()
    }

    @Test func `a root that is not a dictionary is an error`() throws {
        EntitlementFault(Array("<plist>\n<array/></plist>".utf8), .notADictionary, line: 2, key: nil).expect()
        EntitlementFault(try (["T.app"] as PropertyList).binaryEncoded(), .notADictionary, line: nil, key: nil).expect()
    }

    // MARK: - The name of the program

    @Test func `a missing program name is an error`() {
        EntitlementFault(
            entitlementsFile(list(Key.groups, "T.a")),
            .noApplicationIdentifier,
            line: nil,
            key: Key.application
        ).expect()
    }

    @Test(arguments: ["app", ".app", "T.", "."]) func `a name without a prefix is an error`(name: String) {
        for key in [Key.application, Key.macApplication] {
            EntitlementFault(
                entitlementsFile("<key>\(key)</key>\n<string>\(name)</string>"),
                .malformedApplicationIdentifier,
                line: 5,
                key: key
            ).expect()
        }
    }

    @Test func `a name that is not text is an error, even if another key has one`() {
        let other = "<key>com.apple.application-identifier</key><string>T.app</string>"
        EntitlementFault(
            entitlementsFile("<key>application-identifier</key>\n<array/>" + other),
            .notText,
            line: 5,
            key: Key.application
        ).expect()
    }

    @Test(arguments: ["AppIdentifierPrefix", "TeamIdentifierPrefix"])
    func `a prefix variable in the program name is an error`(variable: String) {
        EntitlementFault(
            entitlementsFile("<key>application-identifier</key>\n<string>$(\(variable))app</string>"),
            .unknownVariable(variable),
            line: 5,
            key: Key.application
        ).expect()
    }

    // MARK: - Lists

    /// Expects an error about the third name of each list, which is on line 8.
    private func expect(_ kind: EntitlementsError.Kind, ofName name: String, in keys: [String] = Key.lists) {
        for key in keys {
            EntitlementFault(entitlementsFile(ofApp: list(key, "T.a", "T.b", name)), kind, line: 8, key: key).expect()
        }
    }

    @Test(arguments: EntitlementKey.lists, ["<string>T.a</string>", "<dict/>", "<true/>"])
    func `a value other than a list is an error, even for one name`(key: String, value: String) {
        EntitlementFault(entitlementsFile(ofApp: "<key>\(key)</key>\n\(value)"), .notAnArray, line: 6, key: key)
            .expect()
    }

    @Test(arguments: EntitlementKey.lists, ["<integer>1</integer>", "<array/>", "<data>VC5h</data>"])
    func `an element that is not text is an error`(key: String, element: String) {
        let value = "<array><string>T.a</string>\n\(element)</array>"
        EntitlementFault(entitlementsFile(ofApp: "<key>\(key)</key>\(value)"), .notText, line: 6, key: key).expect()
    }

    @Test func `an empty name is an error`() {
        expect(.emptyName, ofName: "T.")
        expect(.emptyName, ofName: "$(AppIdentifierPrefix)")
        expect(.emptyName, ofName: "")
        expect(.emptyName, ofName: "group.", in: [Key.applicationGroups])
        EntitlementFault(
            entitlementsFile("<key>application-identifier</key>\n<string/>"),
            .emptyName,
            line: 5,
            key: Key.application
        ).expect()
    }

    @Test func `a NUL byte in a name is an error`() throws {
        let list: PropertyList = ["application-identifier": "T.app", "keychain-access-groups": ["T.a\0b"]]
        let error = EntitlementsError(.zeroByte, key: Key.groups)
        #expect(throws: error) { try Entitlements(list) }
        #expect(throws: error) { try Entitlements(list.binaryEncoded()) }
        #expect(throws: EntitlementsError(.zeroByte, key: Key.application)) {
            try Entitlements(["application-identifier": "T.app\0"])
        }
    }

    @Test func `a name has at most 1,024 bytes after substitution`() throws {
        let most = "T." + String(repeating: "\u{E9}", count: 511)
        #expect(try Entitlements(entitlementsFile(ofApp: list(Key.groups, most))).accessGroups == [most, "T.app"])
        expect(.nameTooLong(byteCount: 1025, limit: 1024), ofName: most + "x")
        let written = String(repeating: "x", count: 1022)
        let fitting = entitlementsFile(ofApp: list(Key.groups, "$(AppIdentifierPrefix)" + written))
        #expect(try Entitlements(fitting).accessGroups.first == "T." + written)
        expect(.nameTooLong(byteCount: 1025, limit: 1024), ofName: "$(AppIdentifierPrefix)" + written + "x")
        EntitlementFault(
            entitlementsFile("<key>application-identifier</key>\n<string>\(most)x</string>"),
            .nameTooLong(byteCount: 1025, limit: 1024),
            line: 5,
            key: Key.application
        ).expect()
    }

    // MARK: - Prefixes

    @Test(arguments: ["U.a", "a", "T", "t.a", "TT.a", ".a", " T.a", "group", "T\u{301}.a", "x$(AppIdentifierPrefix)a"])
    func `a group with another prefix or none is an error`(name: String) {
        expect(.wrongPrefix(allowed: ["T."]), ofName: name, in: [Key.groups, Key.associated])
        expect(.wrongPrefix(allowed: ["group.", "T."]), ofName: name, in: [Key.applicationGroups])
    }

    @Test func `the group prefix is allowed for application groups only`() {
        expect(.wrongPrefix(allowed: ["T."]), ofName: "group.a", in: [Key.groups, Key.associated])
    }

    @Test(arguments: ["*", "com.apple.token"])
    func `a star and the token group are allowed for keychain groups only`(name: String) {
        expect(.wrongPrefix(allowed: ["T."]), ofName: name, in: [Key.associated])
        expect(.wrongPrefix(allowed: ["group.", "T."]), ofName: name, in: [Key.applicationGroups])
    }

    @Test func `an accent after the dot does not change the prefix`() throws {
        let file = entitlementsFile(ofApp: list(Key.groups, "T.\u{301}a"))
        #expect(try Entitlements(file).accessGroups.count == 2)
    }

    // MARK: - Variables

    @Test(arguments: [
        ("$(PRODUCT_NAME)", "PRODUCT_NAME"), ("T.$(x)", "x"), ("$()a", ""),
        ("$(appidentifierprefix)a", "appidentifierprefix"),
        ("$(AppIdentifierPrefix", "AppIdentifierPrefix"), ("${AppIdentifierPrefix}a", "AppIdentifierPrefix"),
        ("T.$(CFBundleIdentifier:lower)", "CFBundleIdentifier:lower"), ("T.${", ""), ("T.$(", ""),
        ("T.$($(AppIdentifierPrefix))", "$(AppIdentifierPrefix"), ("T.$(CFBundleIdentifier)", "CFBundleIdentifier"),
    ])
    func `an unknown variable is an error`(name: String, variable: String) {
        expect(.unknownVariable(variable), ofName: name)
    }

    // MARK: - Messages

    @Test func `an error says where, what and how to fix it`() {
        let wrong = EntitlementsError(.notAnArray, file: "/opt/a.entitlements", line: 7, key: Key.groups)
        #expect(
            wrong.description == """
                /opt/a.entitlements, line 7, key "keychain-access-groups": \
                this is not a list; write an <array> of <string>, even for one name
                """
        )
        #expect(
            EntitlementsError(.empty).description
                == "the file is empty; write the entitlements into it, or remove it to declare nothing"
        )
    }

    @Test func `control characters from the file are escaped in messages`() {
        let hostile = "\u{1B}[2J\n"
        let kinds: [EntitlementsError.Kind] = [.unknownVariable(hostile), .wrongPrefix(allowed: [hostile])]
        for kind in kinds + [.malformed(xml: .unknownElement(hostile))] {
            let text = EntitlementsError(kind, file: hostile, line: 1, key: hostile).description
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
            #expect(text.contains("\\u{1B}[2J\\u{A}"))
        }
    }

    @Test func `an error names a long variable by its first 64 characters`() {
        expect(
            .unknownVariable(String(repeating: "x", count: 64)),
            ofName: "$(" + String(repeating: "x", count: 65) + ")"
        )
    }
}

extension EntitlementsError.Kind {
    fileprivate static func malformed(xml kind: XMLPropertyListError.Kind) -> Self { .malformedXML(kind.description) }
    fileprivate static func malformed(binary error: PropertyListError) -> Self { .malformedBinary(error.description) }
}
