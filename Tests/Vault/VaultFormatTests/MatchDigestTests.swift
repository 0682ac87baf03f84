import CofferBasics
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Section 9.3, compared with Python.
@Suite("Match digests") struct MatchDigestTests {
    private let cipher: Cipher
    private let digestKey: [UInt8]
    private let keys: MatchKeys

    init() throws {
        cipher = Cipher(vault: .sample, random: try SystemRandom())
        let matchKey = try Key(countingBytes(from: 5, count: 32))
        digestKey = matchKey.hash(32, .digest, [])
        keys = try MatchKeys(matchKey, cipher: cipher)
    }

    /// An attribute as the oracle reads it.
    private func described(_ name: String, _ value: ArchiveValue?, _ kind: AttributeKind) throws -> [UInt8] {
        let letters: [AttributeKind: Character] = [.blob: "b", .data: "d", .number: "n", .string: "s", .date: "t"]
        let head = Array(name.utf8) + Array(String(try #require(letters[kind])).utf8)
        return switch value {
        case nil: head + Array("-".utf8)
        case .integer(let number): head + Array("i\(number)".utf8)
        case .real(let number): head + Array("r".utf8) + littleEndian(number.bitPattern)
        case .string(let text): head + Array("s\(text)".utf8)
        case .data(let bytes): head + Array("d".utf8) + bytes
        case .date(let seconds): head + Array("t".utf8) + littleEndian(seconds.bitPattern)
        default: []
        }
    }

    private func expectPython(
        _ itemClass: ItemClass,
        _ values: CanonicalDictionary<ArchiveValue, ArchiveValue>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let names = itemClass.primaryKey + ItemClass.sharedPrimaryKey
        let items = try names.map { name in
            try described(name, values[.string(name)], try #require(itemClass.attributes[name]))
        }
        let answer = try formatOracleAnswer(to: [digestKey, [itemClass.rawValue]] + items, task: "match")
        let digests = try MatchDigests(ItemAttributes(itemClass, values), keys: keys)
        #expect(digests.primaryKey.bytes == answer[0], sourceLocation: sourceLocation)
        #expect(digests.attributes.map { littleEndian($0) } == Array(answer[1...]), sourceLocation: sourceLocation)
    }

    @Test(
        .temporaryDirectory,
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        arguments: UInt64(0)..<UInt64(Trials.count(5, whole: 24))
    )
    func `the digests of every class match Python's`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for itemClass in ItemClass.allCases {
            var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
            for name in itemClass.primaryKey + ItemClass.sharedPrimaryKey where Bool.random(using: &generator) {
                values[.string(name)] = .random(try #require(itemClass.attributes[name]), using: &generator)
            }
            try expectPython(itemClass, values)
        }
    }

    @Test(
        .temporaryDirectory,
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        arguments: ["42", "+1", "080", "", 80.0, -0.0, 9_007_199_254_740_994.0, .real(.nan), "x", "-", -1]
            as [ArchiveValue]
    )
    func `the digests of numbers match Python's`(port: ArchiveValue) throws {
        try expectPython(.internetPassword, ["port": port, "acct": 7, "path": .data([1])])
    }

    @Test func `values that Apple treats as equal have the same digest`() throws {
        func digests(_ values: CanonicalDictionary<ArchiveValue, ArchiveValue>) throws -> MatchDigests {
            try MatchDigests(ItemAttributes(.internetPassword, values), keys: keys)
        }
        let reference = try digests(["acct": "kim", "port": 80])
        #expect(try digests(["acct": .data(Array("kim".utf8)), "port": 80.0]) == reference)
        #expect(try digests(["acct": "kim", "port": "080", "srvr": "", "sync": 0, "labl": "other"]) == reference)
        #expect(try digests(["acct": "kim", "port": 81]) != reference)
        #expect(try digests(["acct": "kim", "port": ""]) != digests(["acct": "kim"]))
        #expect(try digests(["acct": "kim", "port": 80, "sync": 1]).attributes == reference.attributes)
        #expect(try digests(["acct": "kim", "port": 80, "sync": 1]).primaryKey != reference.primaryKey)
    }

    @Test func `values cannot move from one attribute to the next`() throws {
        func digest(_ account: String, _ service: String) throws -> PrimaryKeyDigest {
            let attributes = try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": .string(service)])
            return MatchDigests(attributes, keys: keys).primaryKey
        }
        #expect(try digest("ab", "c") != digest("a", "bc"))
        #expect(try digest("ab", "") != digest("", "ab"))
    }

    @Test func `the digests of two groups differ`() throws {
        let attributes = try ItemAttributes(.genericPassword, ["acct": "kim"])
        let other = try MatchKeys(try Key(countingBytes(from: 6, count: 32)), cipher: cipher)
        let mine = MatchDigests(attributes, keys: keys)
        let theirs = MatchDigests(attributes, keys: other)
        #expect(mine.primaryKey != theirs.primaryKey)
        #expect(Set(mine.attributes).isDisjoint(with: theirs.attributes))
    }
}
