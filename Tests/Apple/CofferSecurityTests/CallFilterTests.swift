import Foundation
import Security
import Testing

/// The items that a query matches (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: filters", .ownKeychain) struct CallFilterTests {
    private func fill() {
        let items: [[CFString: Any]] = [
            .genp("kim", [kSecAttrLabel: "L", kSecAttrComment: "C", kSecValueData: Data("1")]),
            .genp("lee", [kSecAttrLabel: "L", kSecAttrAccessible: "ck", kSecValueData: Data("2")]),
            .genp("kim", [kSecAttrSynchronizable: true, kSecValueData: Data("3")]),
            .inet([kSecAttrAccount: "kim"]),
        ]
        for item in items { #expect(Call.add(item) == 0) }
    }

    @Test(arguments: [
        (["labl": "L", "icmt": "C"], ["kim"]), (["labl": "L", "icmt": "D"], []), (["labl": "L"], ["kim", "lee"]),
        (["acct": "lee", "labl": "L"], ["lee"]), (["acct": "lee", "icmt": "C"], []), (["svce": ""], ["kim", "lee"]),
        (["svce": "x"], []), ([:], ["kim", "lee"]),
    ])
    func `all attributes must match`(attributes: [String: String], accounts: [String]) throws {
        fill()
        let query = attributes.reduce(into: [CFString: Any].genp()) { $0[$1.key as CFString] = $1.value }
        #expect(try Call.texts(kSecAttrAccount, query) == accounts)
    }

    @Test func `a query matches only items that are not synchronizable by default`() throws {
        fill()
        #expect(try Call.text(.genp("kim")) == "1")
        #expect(try Call.text(.genp("kim", [kSecAttrSynchronizable: true])) == "3")
        #expect(try Call.count(.genp("kim", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == 2)
    }

    @Test func `an item marked as deleted is found only by queries that name the mark`() throws {
        #expect(Call.add(.genp(["tomb": true])) == 0)
        #expect(Call.all(.genp()) == [-25299, -25300, -25300, -25300])
        #expect(Call.find(.genp(["tomb": 0])) == -25300)
        #expect(Call.find(.genp(["tomb": true])) == 0)
        #expect(Call.delete(.genp(["tomb": true])) == 0)
    }

    @Test func `data in a query is not a condition`() throws {
        fill()
        #expect(try Call.text(.genp("kim", [kSecValueData: Data("other")])) == "1")
    }

    @Test(arguments: ["x", 1, .null, true] as [CallValue])
    func `data in a query of another type: errSecParam`(value: CallValue) {
        fill()
        #expect(Call.find(.genp("kim", [kSecValueData: value.object])) == -50)
        #expect(Call.update(.genp("kim", [kSecValueData: value.object])) == -50)
        #expect(Call.delete(.genp("kim", [kSecValueData: value.object])) == -50)
    }

    @Test func `a protection class is a condition`() throws {
        fill()
        #expect(try Call.texts(kSecAttrAccount, .genp([kSecAttrAccessible: "ck"])) == ["lee"])
        #expect(try Call.texts(kSecAttrAccount, .genp([kSecAttrAccessible: "ak"])) == ["kim"])
        #expect(Call.find(.genp("kim", [kSecAttrAccessible: "dk"])) == -25300)
    }

    @Test func `an access control is not a condition`() throws {
        fill()
        let control = try CallCheckTests.control(.userPresence)
        #expect(try Call.texts(kSecAttrAccount, .genp([kSecAttrAccessControl: control])) == ["kim", "lee"])
    }

    @Test(arguments: ["cdat", "mdat", "sha1"]) func `dates and digests are conditions`(name: String) throws {
        fill()
        let value = try #require(try Call.attributes(.genp("kim"))[name])
        #expect(Call.find(.genp("kim", [name as CFString: value])) == 0)
        let other: Any = name == "sha1" ? Data(count: 20) : Date(timeIntervalSinceReferenceDate: 1)
        #expect(Call.find(.genp("kim", [name as CFString: other])) == -25300)
    }

    private static let user = CallValue.data([UInt8](repeating: 1, count: 16))

    @Test(arguments: [("musr", user), ("UUID", "x"), ("UUID", "")] as [(String, CallValue)])
    func `another user or an identifier for synchronization matches nothing`(name: String, value: CallValue) throws {
        fill()
        let query: [CFString: Any] = .genp([name as CFString: value.object])
        // If it were ignored, everything would be deleted.
        #expect([Call.find(query), Call.update(query), Call.delete(query)] == [-25300, -25300, -25300])
        #expect(try Call.count(.genp()) == 2)
    }

    @Test func `a list of items to use: errSecParam in queries and updates, ignored by deletions`() {
        fill()
        let query: [CFString: Any] = .genp("lee", [kSecUseItemList: [Data("x")]])
        #expect(Call.find(query) == -50)
        #expect(Call.update(query) == -50)
        #expect(Call.delete(query) == 0)
        #expect(Call.find(.genp("lee")) == -25300)
        #expect(Call.find(.genp("kim")) == 0)
    }

    @Test func `a query without return keys reports whether a match exists`() {
        fill()
        #expect(Call.find(.genp("kim")) == 0)
        #expect(Call.find(.genp("zoe")) == -25300)
        #expect(Call.find(.keys()) == -25300)
        #expect(Call.find(.cert()) == -25300)
        #expect(Call.find(.idnt()) == -25300)
    }

    @Test func `classes are separate`() throws {
        fill()
        #expect(Call.delete(.inet()) == 0)
        #expect(try Call.texts(kSecAttrAccount, .genp()) == ["kim", "lee"])
    }
}
