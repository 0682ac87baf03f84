import Coffer
import Foundation
import Security
import Testing

/// Access groups (`Spec/keychain-behavior.md`, section 7).
@Suite("Calls: access groups", .ownKeychain) struct CallGroupTests {
    private func item(_ group: Any, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        .genp([kSecAttrAccessGroup: group]).with(more)
    }

    @Test func `a program without groups: errSecMissingEntitlement, before any other check`() throws {
        try CallSample.asProgram { () throws in
            #expect(Call.all(.genp()) == .four(-34018))
            #expect(Call.all(["nonsense": 1]) == .four(-34018))
        }
    }

    @Test func `a new item goes to the first group`() throws {
        try CallSample.asProgram("T.first", "T.second") { () throws in
            #expect(Call.add(.genp()) == 0)
            #expect(try Call.attributes(.genp())["agrp"] as? String == "T.first")
        }
    }

    @Test func `all calls can name a group of the program`() throws {
        try CallSample.asProgram("T.first", "T.second") { #expect(Call.all(item("T.second")) == .four(0)) }
    }

    @Test func `a group of another program: errSecMissingEntitlement, whatever it contains`() throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item("T.other")) == .four(-34018)) }
        try CallSample.asProgram("T.other") { #expect(Call.add(item("T.other")) == 0) }
        try CallSample.asProgram("T.first") { () throws in
            #expect(Call.all(item("T.other")) == .four(-34018))
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: "T.other"]) == -34018)
        }
    }

    @Test(arguments: ["T.firs", "T.first.", "t.first", "T.*", "", " T.first"])
    func `group names must match exactly: errSecMissingEntitlement`(name: String) throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item(name)) == .four(-34018)) }
        try CallSample.asProgram("T.\u{E9}") { #expect(Call.all(item("T.e\u{301}")) == .four(-34018)) }
    }

    @Test func `a query without a group searches all groups of the program and no others`() throws {
        try CallSample.asProgram("T.other") { #expect(Call.add(.genp("others")) == 0) }
        try CallSample.asProgram("T.first", "T.second") { () throws in
            #expect(Call.find(.genp()) == -25300)
            #expect(Call.add(.genp("kim", [kSecAttrAccessGroup: "T.second"])) == 0)
            #expect(Call.add(.genp("kim", [kSecAttrAccessGroup: "T.first"])) == 0)
            #expect(try Call.texts(kSecAttrAccessGroup, .genp()) == ["T.second", "T.first"])
            #expect(Call.update(.genp(), [kSecAttrLabel: "L"]) == 0)
            #expect(Call.delete(.genp()) == 0)
        }
        try CallSample.asProgram("T.other") { () throws in
            #expect(try Call.texts(kSecAttrAccount, .genp()) == ["others"])
            #expect(Call.find(.genp([kSecAttrLabel: "L"])) == -25300)
        }
    }

    @Test func `a star opens all groups, and new items go to the group of that name`() throws {
        for group in ["T.one", "T.two"] { try CallSample.asProgram(group) { #expect(Call.add(.genp()) == 0) } }
        try CallSample.asProgram("*") { () throws in
            #expect(try Call.texts(kSecAttrAccessGroup, .genp()) == ["T.one", "T.two"])
            #expect(Call.add(.genp()) == 0)
            #expect(Call.add(item("T.three")) == 0)
            #expect(try Call.texts(kSecAttrAccessGroup, .genp()) == ["T.one", "T.two", "*", "T.three"])
            #expect(Call.delete(.genp()) == 0)
        }
    }

    @Test func `the token group is read-only: errSecMissingEntitlement to write, errSecItemNotFound to read`() throws {
        let token = kSecAttrAccessGroupToken as String
        try CallSample.asProgram("T.first", token) { () throws in
            #expect(Call.all(item(token)) == [-34018, -25300, -34018, -34018])
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: token]) == -34018)
        }
        try CallSample.asProgram(token) { #expect(Call.all(.genp()) == [-34018, -25300, -34018, -34018]) }
    }

    @Test(arguments: [1, true, .null, .date(0)] as [CallValue])
    func `a group that is not a string: errSecParam in additions and queries, else errSecMissingEntitlement`(
        value: CallValue
    ) throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item(value.object)) == [-50, -50, -34018, -34018]) }
    }

    @Test func `data can name a group only in a query: errSecMissingEntitlement elsewhere`() throws {
        try CallSample.asProgram("T.first") { () throws in
            #expect(Call.add(.genp()) == 0)
            #expect(Call.all(item(Data("T.first"))) == [-34018, 0, -34018, -34018])
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: Data("T.first")]) == -34018)
            #expect(Call.find(item(Data([0xFF]))) == -50)
        }
    }

    @Test func `an item does not move onto an equal one: errSecDuplicateItem`() throws {
        try CallSample.asProgram("T.first", "T.second") { () throws in
            for group in ["T.first", "T.second"] {
                #expect(Call.add(item(group, [kSecValueData: Data(group)])) == 0)
            }
            #expect(Call.update(item("T.first"), [kSecAttrAccessGroup: "T.second"]) == -25299)
            #expect(try Call.text(item("T.first")) == "T.first")
            #expect(try Call.text(item("T.second")) == "T.second")
        }
    }

    @Test func `a program without declared groups can name any group, and sees its own`() throws {
        try CallSample.asProgram("T.first") { #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0) }
        #expect(Call.find(.genp()) == -25300)
        #expect(try Call.text(item("T.first")) == "x")
        #expect(Call.add(.genp()) == 0)
        #expect(try Call.attributes(.genp())["agrp"] as? String == "com.example.app")
        #expect(Call.delete(.genp()) == 0)
        #expect(Call.find(item("T.first")) == 0)
    }

    @Test func `a program without declared groups that is called star sees its own group`() throws {
        let keychain = try CallSample.current.vault.keychain(for: AccessGroups(application: "*"))
        Keychain.withDefault(keychain) {
            #expect(Call.add(item("T.first")) == 0)
            #expect(Call.find(.genp()) == -25300)
        }
    }

    @Test func `a program without declared groups and without a name has no group: errSecMissingEntitlement`() throws {
        let keychain = try CallSample.current.vault.keychain(for: AccessGroups(application: ""))
        Keychain.withDefault(keychain) { #expect(Call.add(.genp()) == -34018) }
    }

    @Test func `a name of more than 1,024 bytes: errSecDataTooLarge, and errSecItemNotFound in a query`() {
        let (longest, longer) = (String(repeating: "x", count: 1024), String(repeating: "x", count: 1025))
        #expect([Call.add(item(longest)), Call.add(item(longer)), Call.find(item(longer))] == [0, -25302, -25300])
        #expect(Call.update(item(longest), [kSecAttrAccessGroup: longer]) == -25302)
        #expect(Call.find(item(longest)) == 0)
    }

    @Test func `a group with an empty name: errSecMissingEntitlement`() throws {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.all(item("")) == .four(-34018))
        #expect(Call.update(.genp(), [kSecAttrAccessGroup: ""]) == -34018)
        for group in ["*", ""] {
            try CallSample.asProgram(group) { #expect(Call.all(item("")) == .four(-34018)) }
        }
    }
}
