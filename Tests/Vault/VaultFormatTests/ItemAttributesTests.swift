import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("Item attributes") struct ItemAttributesTests {
    /// The table of section 9.1, by kind, written out once more.
    private static let shared =
        "b:labl pcsk pcsi alis d:musr n:sync tomb sysb pcss s:vwht tkid ggrp t:cdat mdat a:accc"
    private static let password = "b:desc icmt prot n:crtr type scrp invi nega cusi"
    private static let table: [ItemClass: String] = [
        .genericPassword: "\(shared) \(password) b:acct svce gena",
        .internetPassword: "\(shared) \(password) b:acct sdmn srvr atyp path n:ptcl port",
        .certificate: "\(shared) n:ctyp cenc d:subj issr slnr skid pkhh",
        .key: """
        \(shared) b:atag d:klbl t:sdat edat n:kcls crtr type bsiz esiz perm priv modi sens asen extr next encr decr \
        drve sign vrfy snrc vyrc wrap unwp
        """,
    ]
    private static let kinds: [Character: AttributeKind] = [
        "b": .blob, "d": .data, "n": .number, "s": .string, "t": .date, "a": .accessControl,
    ]

    @Test(arguments: ItemClass.allCases) func `each class has the attributes of the table`(itemClass: ItemClass) throws
    {
        var expected: [String: AttributeKind] = [:]
        var kind: AttributeKind?
        for word in try #require(Self.table[itemClass]).split(separator: " ") {
            if word.dropFirst().first == ":" { kind = word.first.flatMap { Self.kinds[$0] } }
            expected[String(word.suffix(4))] = kind
        }
        #expect(itemClass.attributes == expected)
    }

    @Test(arguments: ["agrp", "pdmn", "sha1", "v_Data", "bini", "class", "", "ACCT", "acct ", "pkhh"])
    func `names that are not attributes of the class are rejected`(name: String) {
        #expect(throws: Fault(.badValue)) { try ItemAttributes(.genericPassword, [.string(name): "x"]) }
    }

    @Test func `a name is a string, and a value has the kind of its name`() {
        #expect(throws: Fault(.badValue)) { try ItemAttributes(.genericPassword, [1: "x"]) }
        #expect(throws: Fault(.badValue)) { try ItemAttributes(.genericPassword, ["sync": true]) }
        #expect(throws: Fault(.badValue)) { try ItemAttributes(.genericPassword, ["acct": 1.5]) }
    }

    @Test func `values are kept as given`() throws {
        let attributes = try ItemAttributes(
            .internetPassword,
            ["port": "080", "acct": .data([1]), "cdat": .date(secondsSinceReferenceDate: -0.0)]
        )
        #expect(attributes["port"] == "080")
        #expect(attributes["acct"] == .data([1]))
        #expect(attributes["srvr"] == nil)
        #expect(try attributes.canonicalValue("port") == [1, 80, 0, 0, 0, 0, 0, 0, 0])
        #expect(throws: Fault(.badValue)) { try attributes.canonicalValue("svce") }
    }

    // MARK: - Flags

    private static let everything: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
        "sync": 1, "tkid": "a", "tomb": 2, "accc": ["flags": 1],
    ]

    private static let flags: [(ArchiveValue, MatchFlags)] = [
        ([:], []), (["sync": 0], []), (["sync": 0.0], []), (["sync": ""], .synchronizable),
        (["sync": 1], .synchronizable),
        (["sync": "1"], .synchronizable), (["sync": "x"], .synchronizable), (["sync": 0.5], .synchronizable),
        (["vwht": ""], []), (["vwht": "a"], .extendedKey), (["tkid": "a"], .extendedKey),
        (["musr": .data([])], []), (["musr": .data([0])], .extendedKey), (["ggrp": "a"], .extendedKey),
        (["tomb": 0], []), (["tomb": 1], .tombstone), (["accc": ["flags": 0]], []),
        (["accc": ["flags": 2]], .hasConditions), (.dictionary(everything), MatchFlags(rawValue: 15)),
    ]

    @Test(arguments: flags)
    func `flags follow from the attributes`(values: ArchiveValue, flags: MatchFlags) throws {
        let values = try #require(values.dictionary)
        for itemClass in ItemClass.allCases {
            #expect(try MatchFlags(ItemAttributes(itemClass, values)) == flags)
        }
    }
}
