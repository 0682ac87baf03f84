import Foundation
import Security
import Testing

/// Synchronizable items (`Spec/keychain-behavior.md`, sections 3 and 4).
@Suite("Calls: synchronizable items", .ownKeychain) struct CallSynchronizableTests {
    private static var any: [CFString: Any] { .genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) }

    /// The effect of a value: the number that is stored, and how many of a local and a synchronizable item it finds.
    static let states: [(value: CallValue, number: Int, finds: Int)] = [
        (false, 0, 1), (0, 0, 1), ("0", 0, 1), (true, 1, 1), (1, 1, 1), ("1", 1, 1), ("syna", 0, 2),
    ]

    @Test(arguments: states) func `a value in an addition, and its stored form`(
        value: CallValue,
        number: Int,
        finds: Int
    ) throws {
        #expect(Call.add(.genp([kSecAttrSynchronizable: value.object])) == 0)
        let found = try Call.attributes(Self.any)["sync"]
        #expect(found as? Int == number)
        #expect(found as? Bool == (number == 1))
    }

    @Test(arguments: states) func `a value in a query, an update and a deletion`(
        value: CallValue,
        number: Int,
        finds: Int
    ) throws {
        for flag in [false, true] { #expect(Call.add(.genp([kSecAttrSynchronizable: flag])) == 0) }
        let query: [CFString: Any] = .genp([kSecAttrSynchronizable: value.object])
        #expect(try Call.count(query) == finds)
        #expect(Call.update(query, [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.count(Self.any.with([kSecAttrLabel: "L"])) == finds)
        #expect(Call.delete(query) == 0)
        #expect(try Call.count(Self.any) == 2 - finds)
    }

    @Test(arguments: [(true, 1), (1, 1), ("1", 1), (false, 0), (0, 0), ("syna", 0)] as [(CallValue, Int)])
    func `a value in a change`(value: CallValue, number: Int) throws {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [kSecAttrSynchronizable: value.object]) == 0)
        #expect(try Call.attributes(Self.any)["sync"] as? Int == number)
    }

    @Test func `kSecAttrSynchronizableAny in a change leaves the item unchanged`() throws {
        let shared: [CFString: Any] = .genp([kSecAttrSynchronizable: true])
        #expect([Call.add(shared), Call.update(shared, [kSecAttrSynchronizable: "syna"])] == [0, 0])
        #expect(Call.find(shared) == 0)
    }

    @Test func `another string matches nothing`() throws {
        for flag in [false, true] { #expect(Call.add(.genp([kSecAttrSynchronizable: flag])) == 0) }
        let query: [CFString: Any] = .genp([kSecAttrSynchronizable: "other"])
        #expect([Call.find(query), Call.update(query), Call.delete(query)] == [-25300, -25300, -25300])
        #expect(try Call.count(Self.any) == 2)
    }

    @Test func `a change that makes two items equal: errSecDuplicateItem`() {
        for flag in [false, true] { #expect(Call.add(.genp([kSecAttrSynchronizable: flag])) == 0) }
        #expect(Call.update(.genp(), [kSecAttrSynchronizable: true]) == -25299)
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `items of every class can be synchronizable, and are found only on request`(itemClass: String) {
        #expect(Call.add(.item(itemClass, [kSecAttrSynchronizable: true])) == 0)
        #expect(Call.find(.item(itemClass)) == -25300)
        #expect(Call.update(.item(itemClass)) == -25300)
        #expect(Call.delete(.item(itemClass)) == -25300)
        #expect(Call.find(.item(itemClass, [kSecAttrSynchronizable: true])) == 0)
    }
}
