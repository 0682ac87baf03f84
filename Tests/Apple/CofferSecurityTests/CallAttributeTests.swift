import Coffer
import Foundation
import Security
import Testing

/// The attributes that each class has, and their kinds (`Spec/keychain-behavior.md`, section 2).
@Suite("Calls: attributes of classes", .ownKeychain) struct CallAttributeTests {
    struct Attribute: Sendable, CustomTestStringConvertible {
        let itemClass: String
        let name: String
        let kind: String

        var testDescription: String { "\(itemClass).\(name)" }

        /// Two different values, neither of which is the default.
        var values: (one: NSObject, other: NSObject) {
            switch kind {
            case "number": (NSNumber(value: 3), NSNumber(value: 4))
            case "date": (NSDate(timeIntervalSinceReferenceDate: 3), NSDate(timeIntervalSinceReferenceDate: 4))
            case "data": (Data("one") as NSData, Data("other") as NSData)
            default: ("one" as NSString, "other" as NSString)
            }
        }
    }

    private static let shared = ["blob": "labl alis", "string": "vwht tkid"]
    private static let own: [String: [String: String]] = [
        "genp": ["blob": "desc icmt prot acct svce gena", "number": "crtr type scrp invi nega cusi"],
        "inet": [
            "blob": "desc icmt prot acct sdmn srvr atyp path",
            "number": "crtr type scrp invi nega cusi ptcl port",
        ],
        "cert": ["number": "ctyp cenc", "data": "subj issr slnr skid pkhh"],
        "keys": [
            "blob": "atag", "data": "klbl", "date": "sdat edat",
            "number":
                "kcls perm priv modi crtr type bsiz esiz sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp",
        ],
    ]

    static let all: [Attribute] = own.keys.sorted().flatMap { itemClass in
        [shared, own[itemClass] ?? [:]].flatMap { table in
            table.sorted { $0.key < $1.key }.flatMap { kind, names in
                names.split(separator: " ").map { Attribute(itemClass: itemClass, name: String($0), kind: kind) }
            }
        }
    }

    @Test(arguments: all)
    func `each attribute can be stored, returned, changed and queried`(attribute: Attribute) throws {
        let (name, item) = (attribute.name as CFString, [CFString: Any].item(attribute.itemClass))
        let (one, other) = (item.with([name: attribute.values.one]), item.with([name: attribute.values.other]))
        func stored() throws -> NSDictionary {
            try Call.attributes(item).filter { $0.key == attribute.name } as NSDictionary
        }
        #expect([Call.add(one), Call.find(one), Call.find(other)] == [0, 0, -25300])
        #expect(try stored() == [attribute.name: attribute.values.one] as NSDictionary)
        #expect(Call.update(one, [name: attribute.values.other]) == 0)
        #expect(try stored() == [attribute.name: attribute.values.other] as NSDictionary)
        #expect([Call.find(one), Call.delete(other), Call.find(item)] == [-25300, 0, -25300])
    }

    @Test(arguments: own.keys.sorted()) func `an attribute that only other classes have: errSecNoSuchAttr`(
        itemClass: String
    ) {
        let names = Self.all.filter { $0.itemClass == itemClass }.map(\.name)
        #expect(Call.add(.item(itemClass)) == 0)
        for name in Set(Self.all.map(\.name)).subtracting(names) {
            let attribute: [CFString: Any] = [name as CFString: name == "issr" ? Data("x") : 1]
            #expect(Call.all(.item(itemClass, attribute)) == .four(-25303), "\(name)")
            #expect(Call.update(.item(itemClass), attribute) == -25303, "\(name)")
        }
    }

    @Test(arguments: ["vwht", "tkid"], ["genp", "inet", "cert", "keys"])
    func `the view hint and the token are part of every primary key`(name: String, itemClass: String) async throws {
        let item: [CFString: Any] = .item(itemClass)
        let (empty, named) = (item.with([name as CFString: ""]), item.with([name as CFString: "x"]))
        let same = item.with([name as CFString: Data("x")])
        #expect([item, empty, named, same].map(Call.add) == [0, -25299, 0, -25299])
        _ = try await CallSample.current.vault.compaction().report()
        #expect(Call.update(named, [name as CFString: ""]) == -25299)
        #expect(try [item, empty, named].map(Call.count) == [2, 1, 1])
    }

    @Test(arguments: own.keys.sorted())
    func `the attributes of an item find it and no other`(itemClass: String) throws {
        let all = Self.all.filter { $0.itemClass == itemClass }
            .reduce(into: [CFString: Any]()) { $0[$1.name as CFString] = $1.values.one }
        #expect(Call.add(.item(itemClass, [kSecValueData: Data("bare")])) == 0)
        #expect(Call.add(.item(itemClass, all.with([kSecValueData: Data("full")]))) == 0)
        let wanted: [CFString: Any] = [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]
        let query: [CFString: Any] = .item(itemClass, wanted.with([kSecReturnAttributes: true]))
        let found = try #require(try Call.found(query) as? [[String: Any]])
        for text in ["bare", "full"] {
            let values = try #require(found.first { $0["v_Data"] as? Data == Data(text) })
            let again = values.filter { $0.key != "v_Data" }
                .reduce(into: [CFString: Any].item(itemClass)) { $0[$1.key as CFString] = $1.value }
            #expect(try Call.found(again.with(wanted)) as? [Data] == [Data(text)])
        }
    }
}
