import Foundation
import Security
import Testing

/// Section 6 of Apple's behaviour: what a deletion takes.
@Suite("Calls: deletions", .ownKeychain("T.one", "T.two")) struct CallDeletingTests {
    private func fill() {
        let items: [[CFString: Any]] = [
            .genp("kim"), .genp("lee"), .genp("kim", [kSecAttrSynchronizable: true]), .inet([kSecAttrAccount: "kim"]),
            .genp("kim", [kSecAttrAccessGroup: "T.two"]),
        ]
        for item in items { #expect(Call.add(item) == 0) }
    }

    /// How many passwords are there: local ones, and synchronizable ones.
    private func counts() throws -> [Int] {
        [try Call.count(.genp()), try Call.count(.genp([kSecAttrSynchronizable: true]))]
    }

    @Test func `all that match go, in all groups, and nothing else`() throws {
        fill()
        #expect(Call.delete(.genp("kim")) == 0)
        #expect(try counts() == [1, 1])
        #expect(Call.find(.inet()) == 0)
    }

    @Test func `a class takes every item of it that is not synchronizable`() throws {
        fill()
        #expect(Call.delete(.genp()) == 0)
        #expect(try counts() == [0, 1])
        #expect(Call.delete(.genp()) == -25300)
    }

    @Test func `what is synchronizable goes if it is named`() throws {
        fill()
        #expect(Call.delete(.genp([kSecAttrSynchronizable: true])) == 0)
        #expect(try counts() == [3, 0])
        #expect(Call.delete(.genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == 0)
        #expect(try counts() == [0, 0])
    }

    @Test func `a group takes what is in it`() throws {
        fill()
        #expect(Call.delete(.genp([kSecAttrAccessGroup: "T.two"])) == 0)
        #expect(try Call.texts(kSecAttrAccount, .genp()) == ["kim", "lee"])
    }

    @Test func `nothing that matches: errSecItemNotFound`() {
        fill()
        #expect(Call.delete(.genp("zoe")) == -25300)
        #expect(Call.delete(.keys()) == -25300)
        #expect(Call.delete(.cert()) == -25300)
    }

    @Test(arguments: ["m_LimitAll", "m_LimitOne", 1, 0, -1, "5", .null] as [CallValue])
    func `a limit, whatever its value: errSecParam`(limit: CallValue) throws {
        fill()
        #expect(Call.delete(.genp([kSecMatchLimit: limit.object])) == -50)
        #expect(try counts() == [3, 1])
    }

    @Test(
        arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map(String.init),
        [true, false]
    )
    func `what to return means nothing`(key: String, flag: Bool) {
        fill()
        #expect(Call.delete(.genp("lee", [key as CFString: flag])) == 0)
        #expect(Call.find(.genp("lee")) == -25300)
    }

    @Test func `data mean nothing`() {
        fill()
        #expect(Call.delete(.genp("lee", [kSecValueData: Data("x")])) == 0)
    }

    @Test func `an attribute of another class: errSecNoSuchAttr`() {
        #expect(Call.delete(.cert([kSecAttrApplicationTag: "x"])) == -25303)
    }

    @Test func `a reference takes its item, and attributes beside it must be equal`() throws {
        fill()
        let reference: [CFString: Any] = [kSecValuePersistentRef: try Call.reference(.genp("lee"))]
        #expect(Call.delete(reference.with([kSecAttrAccount: "kim"])) == -25300)
        #expect(Call.delete(reference.with([kSecAttrAccount: "lee"])) == 0)
        #expect(Call.delete(reference) == -25300)
        #expect(try counts() == [2, 1])
    }

    @Test func `conditions need no prompt to be deleted`() throws {
        #expect(Call.add(.genp([kSecAttrAccessControl: try CallCheckTests.control(.userPresence)])) == 0)
        #expect(Call.delete(.genp()) == 0)
    }

    @Test func `what is in a group of others is not there: errSecItemNotFound`() throws {
        fill()
        try CallSample.asProgram("T.other") { #expect(Call.delete(.genp()) == -25300) }
        #expect(try counts() == [3, 1])
    }
}
