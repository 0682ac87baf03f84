import KeyedArchive
import TestSupport
import Testing

private typealias Entries = CanonicalDictionary<ArchiveValue, ArchiveValue>

extension ArchiveValue {
    /// The archive as the writer for all values makes it: `archived()` has a shorter way for some dictionaries.
    fileprivate func generallyArchived(limits: DecodingLimits = .record) throws -> [UInt8] {
        try Archive(top: ["root": .reference(self)]).encoded(limits: limits)
    }

    /// A dictionary of scalars and dates, some of which repeat each other or what all archives contain.
    fileprivate static func randomFlat(using generator: inout SeededGenerator) -> ArchiveValue {
        let texts = ["acct", "svce", "kim", "", "größer", "😀", "root", "$null", "NSDate", "NS.time", "$class"]
        var entries: Entries = [:]
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            let number = Int.random(in: -2...3, using: &generator)
            let key = Bool.random(using: &generator) ? texts.randomElement(using: &generator) : "k\(number)"
            entries[.string(key ?? "")] =
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: .bool(number > 0)
                case 1: .integer([0, -1, 255, 256, 70_000, 100_000, 1 << 40, -1 << 70][number + 2])
                case 2: .real(Double(number) / 2)
                case 3: .date(secondsSinceReferenceDate: Double(number) / 2)
                case 4: .data(Array(repeating: 7, count: number + 2))
                case 5: .string(String(repeating: "long ", count: 20 * (number + 2)))
                case 6: .integer(Int128(number) << 60)
                default: .string(texts.randomElement(using: &generator) ?? "")
                }
        }
        return .dictionary(entries)
    }
}

@Suite("Dictionaries of scalars") struct FlatArchiveTests {
    @Test(arguments: UInt64(0)..<1000)
    func `the shorter way of writing gives the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.randomFlat(using: &generator)
        #expect(try value.archived(limits: .record) == value.generallyArchived())
    }

    @Test(arguments: 0...64)
    func `so it does for each number of entries`(count: Int) throws {
        var entries: Entries = [:]
        for number in 0..<count { entries[.string("key \(number)")] = .date(secondsSinceReferenceDate: Double(number)) }
        #expect(try ArchiveValue.dictionary(entries).archived() == ArchiveValue.dictionary(entries).generallyArchived())
    }

    @Test func `limits are the same`() throws {
        let value: ArchiveValue = ["acct": "kim", "labl": .string(String(repeating: "a", count: 640))]
        for nodeCount in 1...300 {
            let limits = DecodingLimits(byteCount: 1 << 16, depth: 2, objectCount: 4_096, nodeCount: nodeCount)
            #expect((try? value.archived(limits: limits)) == (try? value.generallyArchived(limits: limits)))
        }
        for byteCount in [100, 900, 1_000, 1_100, 8_191, 8_192] {
            let limits = DecodingLimits(byteCount: byteCount, depth: 2, objectCount: 4_096, nodeCount: 4_096)
            #expect((try? value.archived(limits: limits)) == (try? value.generallyArchived(limits: limits)))
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `a dictionary is read from exactly those bytes that writing it gives`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.randomFlat(using: &generator)
        let bytes = try value.archived(limits: .record)
        #expect(CanonicalDictionary(canonicalArchive: bytes, limits: .record) == value.dictionary)
        for _ in 0..<50 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            let read = CanonicalDictionary(canonicalArchive: changed, limits: .record)
            let expected = try? ArchiveValue(archive: changed, limits: .record)
            let isCanonical = (try? expected?.generallyArchived()) == changed
            #expect(read == (isCanonical ? expected?.dictionary : nil))
        }
    }

    @Test func `other archives are read too, and other values refused`() throws {
        let nested: ArchiveValue = ["accc": ["flags": 1], "acct": "kim"]
        #expect(CanonicalDictionary(canonicalArchive: try nested.archived(), limits: .record) == nested.dictionary)
        for other: ArchiveValue in [["kim"], "kim", 1] {
            #expect(CanonicalDictionary(canonicalArchive: try other.archived(), limits: .record) == nil)
        }
        #expect(CanonicalDictionary(canonicalArchive: [], limits: .record) == nil)
    }
}
