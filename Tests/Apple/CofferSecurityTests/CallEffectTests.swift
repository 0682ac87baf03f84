import Foundation
import Security
import Testing

/// The effects of an update on the items that match (`Spec/keychain-behavior.md`, section 5).
@Suite("Calls: effects of updates", .ownKeychain("T.one", "T.two"))
struct CallEffectTests {
    private func fill() {
        for name in ["kim", "lee"] { #expect(Call.add(.genp(name, [kSecValueData: Data(name)])) == 0) }
    }

    @Test func `another item's primary key: errSecDuplicateItem, and nothing changes`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecAttrAccount: "lee", kSecValueData: Data("x")]) == -25299)
        #expect(try Call.text(.genp("kim")) == "kim")
        #expect(try Call.text(.genp("lee")) == "lee")
    }

    @Test func `an item's own primary key is not a duplicate`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecAttrAccount: Data("kim"), kSecAttrLabel: "L"]) == 0)
        #expect(try Call.attributes(.genp("kim"))["acct"] as? Data == Data("kim"))
    }

    @Test func `items that would become equal are not changed: errSecDuplicateItem`() throws {
        fill()
        #expect(Call.update(.genp(), [kSecAttrAccount: "zoe", kSecAttrLabel: "L"]) == -25299)
        #expect(try Call.texts(kSecAttrAccount, .genp()) == ["kim", "lee"])
        #expect(Call.find(.genp([kSecAttrLabel: "L"])) == -25300)
    }

    @Test(arguments: [["sync": true], ["agrp": "T.two"]] as [[String: CallValue]])
    func `an item does not move onto an equal one: errSecDuplicateItem`(place: [String: CallValue]) throws {
        fill()
        let place = place.objects
        #expect(Call.add(.genp("kim", place)) == 0)
        #expect(Call.update(.genp("kim", [kSecAttrAccessGroup: "T.one"]), place) == -25299)
    }

    @Test func `a former primary key no longer finds the item, and can be used again`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecAttrAccount: "zoe"]) == 0)
        #expect(Call.update(.genp("kim"), [kSecAttrAccount: "zoe"]) == -25300)
        #expect(Call.delete(.genp("kim")) == -25300)
        #expect(try Call.text(.genp("zoe")) == "kim")
        #expect(Call.add(.genp("kim")) == 0)
    }

    @Test func `a renamed synchronizable item leaves its former primary key free`() throws {
        let item: [CFString: Any] = .genp("kim", [kSecAttrSynchronizable: true])
        #expect([Call.add(item), Call.update(item, [kSecAttrAccount: "lee"]), Call.add(item)] == [0, 0, 0])
    }

    @Test func `the persistent reference stays the same even if the primary key changes`() throws {
        fill()
        let reference = try Call.reference(.genp("kim"))
        #expect(Call.update(.genp("kim"), [kSecAttrAccount: "zoe", kSecAttrService: "s"]) == 0)
        #expect(try Call.reference(.genp("zoe")) == reference)
    }

    @Test func `the digest changes with every update`() throws {
        fill()
        let before = try Call.attributes(.genp("kim"))["sha1"] as? Data
        #expect(Call.update(.genp("kim"), [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.attributes(.genp("kim"))["sha1"] as? Data != before)
    }

    @Test func `an update of attributes keeps the data, even if none exists`() throws {
        fill()
        #expect(Call.add(.genp("max")) == 0)
        #expect(Call.update(.genp(), [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.text(.genp("kim")) == "kim")
        #expect(try Call.found(.genp("max", [kSecReturnData: true])) == nil)
    }
}
