import Foundation
import Security
import Testing

/// Duplicates (`Spec/keychain-behavior.md`, section 3).
@Suite("Calls: duplicates", .ownKeychain("T.one", "T.two"))
struct CallDuplicateTests {
    static let primaryKeys: [(itemClass: String, names: [String: CallValue])] = [
        ("genp", ["acct": "x", "svce": "x"]),
        ("inet", ["acct": "x", "sdmn": "x", "srvr": "x", "ptcl": "http", "atyp": "form", "port": 7, "path": "x"]),
        ("cert", ["ctyp": 3, "issr": .data("x"), "slnr": .data("x")]),
        (
            "keys",
            [
                "kcls": 1, "klbl": .data("x"), "atag": "x", "crtr": 7, "type": 42, "bsiz": 7, "esiz": 7,
                "sdat": .date(7), "edat": .date(7),
            ]
        ),
    ]

    @Test(arguments: primaryKeys.flatMap { row in row.names.map { (row.itemClass, $0.key, $0.value) } })
    func `items differ by each attribute of the primary key, and an equal one is errSecDuplicateItem`(
        itemClass: String,
        name: String,
        value: CallValue
    ) throws {
        let other: [CFString: Any] = .item(itemClass, [name as CFString: value.object])
        #expect([.item(itemClass), other, other].map(Call.add) == [0, 0, -25299])
        #expect(try Call.count(.item(itemClass)) == 2)
    }

    @Test(arguments: ["labl", "gena", "desc", "icmt", "type", "crtr", "invi"])
    func `attributes outside the primary key do not make a new item, and the existing one stays`(name: String) throws {
        #expect(Call.add(.genp("kim", [kSecValueData: Data("old")])) == 0)
        let before = try Call.attributes(.genp())
        #expect(Call.add(.genp("kim", [kSecValueData: Data("new"), name as CFString: "7"])) == -25299)
        #expect(try Call.attributes(.genp()) as NSDictionary == before as NSDictionary)
        #expect(try Call.text(.genp()) == "old")
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `a different protection class does not make a new item`(protection: String) {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.add(.genp([kSecAttrAccessible: protection])) == -25299)
    }

    @Test func `items that differ only in their group or in being synchronizable are separate items`() throws {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.add(.genp([kSecAttrSynchronizable: true])) == 0)
        #expect(Call.add(.genp([kSecAttrSynchronizable: 1])) == -25299)
        #expect(Call.add(.genp([kSecAttrAccessGroup: "T.two"])) == 0)
        #expect(Call.add(.genp([kSecAttrAccessGroup: "T.one"])) == -25299)
        #expect(try Call.count(.genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == 3)
    }

    @Test func `the same attributes in another class make a separate item`() {
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.add(.inet([kSecAttrAccount: "kim"])) == 0)
    }

    @Test(arguments: [false, true]) func `a deleted item can be added again`(isSynchronizable: Bool) throws {
        let item: [CFString: Any] = .genp([kSecAttrSynchronizable: isSynchronizable])
        #expect([Call.add(item), Call.delete(item), Call.add(item), Call.add(item)] == [0, 0, 0, -25299])
    }

    @Test func `a duplicate with a locked protection class: errSecInteractionNotAllowed`() throws {
        let item: [CFString: Any] = .genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
        #expect(Call.add(item) == 0)
        try CallSample.lock()
        #expect(Call.add(item) == -25308)
        try CallSample.unlock()
        #expect(Call.add(item) == -25299)
    }
}
