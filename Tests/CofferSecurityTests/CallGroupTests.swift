import Foundation
import Security
import Testing

/// Section 7.2 of Apple's behaviour: access groups.
@Suite("Calls: access groups", .ownKeychain) struct CallGroupTests {
    private func item(_ group: Any, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        .genp([kSecAttrAccessGroup: group]).with(more)
    }

    @Test func `without any group: errSecMissingEntitlement, before anything else is looked at`() throws {
        try CallSample.asProgram { () throws in
            #expect(Call.all(.genp()) == .four(-34018))
            #expect(Call.all(["nonsense": 1]) == .four(-34018))
        }
    }

    @Test func `an item goes to the first group`() throws {
        try CallSample.asProgram("T.first", "T.second") { () throws in
            #expect(Call.add(.genp()) == 0)
            #expect(try Call.attributes(.genp())["agrp"] as? String == "T.first")
        }
    }

    @Test func `a group that is the program's may be named in all calls`() throws {
        try CallSample.asProgram("T.first", "T.second") { #expect(Call.all(item("T.second")) == .four(0)) }
    }

    @Test func `a group that is not the program's: errSecMissingEntitlement, whatever is in it`() throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item("T.other")) == .four(-34018)) }
        try CallSample.asProgram("T.other") { #expect(Call.add(item("T.other")) == 0) }
        try CallSample.asProgram("T.first") { () throws in
            #expect(Call.all(item("T.other")) == .four(-34018))
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: "T.other"]) == -34018)
        }
    }

    @Test(arguments: ["T.firs", "T.first.", "t.first", "T.*", "", " T.first"])
    func `names of groups are whole strings: errSecMissingEntitlement`(name: String) throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item(name)) == .four(-34018)) }
    }

    @Test func `a query without a group searches all of the program's, and no other`() throws {
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

    @Test func `a star opens all groups, and new items go to the first name as it stands`() throws {
        for group in ["T.one", "T.two"] { try CallSample.asProgram(group) { #expect(Call.add(.genp()) == 0) } }
        try CallSample.asProgram("*") { () throws in
            #expect(try Call.texts(kSecAttrAccessGroup, .genp()) == ["T.one", "T.two"])
            #expect(Call.add(.genp()) == 0)
            #expect(Call.add(item("T.three")) == 0)
            #expect(try Call.texts(kSecAttrAccessGroup, .genp()) == ["T.one", "T.two", "*", "T.three"])
            #expect(Call.delete(.genp()) == 0)
        }
    }

    @Test func `tokens are read only: errSecMissingEntitlement for writing, errSecItemNotFound for reading`() throws {
        let token = kSecAttrAccessGroupToken as String
        try CallSample.asProgram("T.first", token) { () throws in
            #expect(Call.all(item(token)) == [-34018, -25300, -34018, -34018])
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: token]) == -34018)
        }
        try CallSample.asProgram(token) { #expect(Call.all(.genp()) == [-34018, -25300, -34018, -34018]) }
    }

    @Test(arguments: [1, true, .null, .date(0)] as [CallValue])
    func `a group is text: errSecParam where one is added or found, else errSecMissingEntitlement`(
        value: CallValue
    ) throws {
        try CallSample.asProgram("T.first") { #expect(Call.all(item(value.object)) == [-50, -50, -34018, -34018]) }
    }

    @Test func `bytes name a group in a query only: errSecMissingEntitlement elsewhere`() throws {
        try CallSample.asProgram("T.first") { () throws in
            #expect(Call.add(.genp()) == 0)
            #expect(Call.all(item(Data("T.first"))) == [-34018, 0, -34018, -34018])
            #expect(Call.update(.genp(), [kSecAttrAccessGroup: Data("T.first")]) == -34018)
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

    @Test func `a program that has declared nothing may name any group, and sees its own`() throws {
        try CallSample.asProgram("T.first") { #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0) }
        #expect(Call.find(.genp()) == -25300)
        #expect(try Call.text(item("T.first")) == "x")
        #expect(Call.add(.genp()) == 0)
        #expect(try Call.attributes(.genp())["agrp"] as? String == "com.example.app")
    }

    @Test func `a group without a name is nobody's: errSecMissingEntitlement`() throws {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.all(item("")) == .four(-34018))
        #expect(Call.update(.genp(), [kSecAttrAccessGroup: ""]) == -34018)
        try CallSample.asProgram("*") { #expect(Call.all(item("")) == .four(-34018)) }
    }
}
