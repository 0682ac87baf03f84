import Foundation
import Security
import Testing

/// The items that a deletion removes (`Spec/keychain-behavior.md`, section 5).
@Suite("Calls: deletions", .ownKeychain("T.one", "T.two")) struct CallDeletingTests {
    private func fill() {
        let items: [[CFString: Any]] = [
            .genp("kim"), .genp("lee"), .genp("kim", [kSecAttrSynchronizable: true]), .inet([kSecAttrAccount: "kim"]),
            .genp("kim", [kSecAttrAccessGroup: "T.two"]),
        ]
        for item in items { #expect(Call.add(item) == 0) }
    }

    /// The numbers of local and of synchronizable passwords.
    private func counts() throws -> [Int] {
        [try Call.count(.genp()), try Call.count(.genp([kSecAttrSynchronizable: true]))]
    }

    @Test func `a deletion removes all matching items in all groups, and no others`() throws {
        fill()
        #expect(Call.delete(.genp("kim")) == 0)
        #expect(try counts() == [1, 1])
        #expect(Call.find(.inet()) == 0)
    }

    @Test func `a class alone deletes all its items that are not synchronizable`() throws {
        fill()
        #expect(Call.delete(.genp()) == 0)
        #expect(try counts() == [0, 1])
        #expect(Call.delete(.genp()) == -25300)
    }

    @Test func `synchronizable items are deleted on request`() throws {
        fill()
        #expect(Call.delete(.genp([kSecAttrSynchronizable: true])) == 0)
        #expect(try counts() == [3, 0])
        #expect(Call.delete(.genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == 0)
        #expect(try counts() == [0, 0])
    }

    @Test func `a group limits the deletion to its items`() throws {
        fill()
        #expect(Call.delete(.genp([kSecAttrAccessGroup: "T.two"])) == 0)
        #expect(try Call.texts(kSecAttrAccount, .genp()) == ["kim", "lee"])
    }

    @Test func `no matching item: errSecItemNotFound`() {
        fill()
        #expect(Call.delete(.genp("zoe")) == -25300)
        #expect(Call.delete(.keys()) == -25300)
        #expect(Call.delete(.cert()) == -25300)
    }

    @Test func `a limit of all, which macOS needs for several items, is ignored`() throws {
        fill()
        #expect(Call.delete(.genp([kSecMatchLimit: kSecMatchLimitAll])) == 0)
        #expect(try counts() == [0, 1])
    }

    @Test(arguments: ["m_LimitOne", 1, 0, -1, "5", .null] as [CallValue])
    func `any other limit: errSecParam`(limit: CallValue) throws {
        fill()
        #expect(Call.delete(.genp([kSecMatchLimit: limit.object])) == -50)
        #expect(try counts() == [3, 1])
    }

    @Test(
        arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map(String.init),
        [true, false]
    )
    func `return keys are ignored`(key: String, flag: Bool) {
        fill()
        #expect(Call.delete(.genp("lee", [key as CFString: flag])) == 0)
        #expect(Call.find(.genp("lee")) == -25300)
    }

    @Test func `data is ignored`() {
        fill()
        #expect(Call.delete(.genp("lee", [kSecValueData: Data("x")])) == 0)
    }

    @Test func `an attribute of another class: errSecNoSuchAttr`() {
        #expect(Call.delete(.cert([kSecAttrApplicationTag: "x"])) == -25303)
    }

    @Test func `a reference deletes its item only if the other attributes match`() throws {
        fill()
        let reference: [CFString: Any] = [kSecValuePersistentRef: try Call.reference(.genp("lee"))]
        #expect(Call.delete(reference.with([kSecAttrAccount: "kim"])) == -25300)
        #expect(Call.delete(reference.with([kSecAttrAccount: "lee"])) == 0)
        #expect(Call.delete(reference) == -25300)
        #expect(try counts() == [2, 1])
    }

    @Test func `an item with conditions is deleted without a prompt`() throws {
        #expect(Call.add(.genp([kSecAttrAccessControl: try CallCheckTests.control(.userPresence)])) == 0)
        #expect(Call.delete(.genp()) == 0)
    }

    @Test func `an item in another program's group: errSecItemNotFound`() throws {
        fill()
        try CallSample.asProgram("T.other") { #expect(Call.delete(.genp()) == -25300) }
        #expect(try counts() == [3, 1])
    }
}
