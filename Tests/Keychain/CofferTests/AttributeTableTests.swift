import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFormat

/// `Spec/keychain-behavior.md`, section 2: which attributes each class has, and their kinds.
@Suite("Attributes of classes", .temporaryDirectory) struct AttributeTableTests {
    struct Attribute: Sendable, CustomTestStringConvertible {
        let itemClass: String
        let name: String
        let kind: String

        var testDescription: String { "\(itemClass).\(name)" }
        var item: ItemRequest { ["class": .string(itemClass)] }

        /// Two different values, neither of which is the default.
        var values: (ItemValue, ItemValue) {
            switch kind {
            case "number": (3, 4)
            case "date": (.date(secondsSinceReferenceDate: 3), .date(secondsSinceReferenceDate: 4))
            case "data": (data("one"), data("other"))
            default: ("one", "other")
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
        let keychain = try KeychainSample().keychain
        let (one, other) = attribute.values
        let (item, name) = (attribute.item, attribute.name)
        try keychain.add(item.with([name: one]))
        #expect(try keychain.attributes(item)[name] == one)
        #expect(try keychain.count(item.with([name: one])) == 1)
        #expect(try keychain.count(item.with([name: other])) == 0)
        try keychain.update(item.with([name: one]), with: [name: other])
        #expect(try keychain.attributes(item)[name] == other)
        #expect(try keychain.count(item.with([name: one])) == 0)
        try keychain.delete(item.with([name: other]))
        #expect(try keychain.count(item) == 0)
    }

    @Test(arguments: own.keys.sorted()) func `a class has no other attributes`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        let names = Set(Self.all.filter { $0.itemClass == itemClass }.map(\.name))
        for name in Set(Self.all.map(\.name)).subtracting(names) {
            let request: ItemRequest = ["class": .string(itemClass), name: 1]
            let error = KeychainError.noSuchAttribute(name)
            #expect(throws: error) { try keychain.add(request.with(name == "issr" ? [name: data("x")] : [:])) }
            #expect(throws: error) { try keychain.find(request.with(name == "issr" ? [name: data("x")] : [:])) }
            #expect(throws: error) {
                try keychain.update(["class": .string(itemClass)], with: [name: data("x")])
            }
        }
    }

    @Test(arguments: ["vwht", "tkid"], ["genp", "inet", "cert", "keys"])
    func `the view hint and token ID are part of every primary key`(name: String, itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(itemClass)]
        try keychain.add(item)
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(item.with([name: ""])) }
        try keychain.add(item.with([name: "x"]))
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(item.with([name: data("x")])) }
        #expect(throws: KeychainError.duplicateItem) { try keychain.update(item.with([name: "x"]), with: [name: ""]) }
        #expect(try keychain.count(item) == 2)
        #expect(try keychain.count(item.with([name: ""])) == 1)
    }

    @Test(arguments: own.keys.sorted())
    func `returned attributes find their item and no other`(itemClass: String) throws {
        let sample = try KeychainSample()
        let item: ItemRequest = ["class": .string(itemClass)]
        var all = item
        for attribute in Self.all where attribute.itemClass == itemClass { all[attribute.name] = attribute.values.0 }
        try sample.keychain.add(item.with(["v_Data": data("bare")]))
        sample.time.advance(nanoseconds: 1_000_000)
        try sample.keychain.add(all.with(["v_Data": data("full")]))
        for expected in ["bare", "full"] {
            let found = try sample.keychain.all(item.with(["r_Attributes": true, "r_Data": true]))
            var values = try #require(found.map(\.values).first { $0["v_Data"] == data(expected) })
            values["v_Data"] = nil
            let answers = try sample.keychain.all(ItemRequest(values).with(item).with(["r_Data": true]))
            #expect(answers == [.data(Array(expected.utf8))])
        }
    }

    /// An attribute without a name would be lost when its item is changed.
    @Test(arguments: ItemClass.allCases) func `every attribute has a name`(itemClass: ItemClass) {
        #expect(itemClass.attributes.keys.filter { AttributeName(rawValue: $0) == nil } == [])
    }
}
