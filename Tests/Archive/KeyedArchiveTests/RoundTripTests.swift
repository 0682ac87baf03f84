import KeyedArchive
import TestSupport
import Testing

@Suite("Round trips") struct RoundTripTests {
    @Test(arguments: UInt64(0)..<500)
    func `a property list survives a round trip with identical bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = PropertyList.random(using: &generator)
        let bytes = try value.binaryEncoded()
        let again = try PropertyList(binary: bytes)
        #expect(again == value)
        #expect(try again.binaryEncoded() == bytes)
    }

    @Test(arguments: UInt64(0)..<500)
    func `an archive survives a round trip with identical bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.random(withObjects: true, using: &generator)
        let bytes = try value.archived()
        let again = try ArchiveValue(archive: bytes, allowing: .any)
        #expect(again == value)
        #expect(try again.archived() == bytes)
    }

    @Test(arguments: UInt64(0)..<200)
    func `equal values give equal bytes in whatever order they were built`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = (0..<20).map { _ in ArchiveValue.random(depth: 1, using: &generator) }
        let shuffled = keys.shuffled(using: &generator)
        func value(_ keys: [ArchiveValue]) -> ArchiveValue {
            var dictionary: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
            for key in keys { dictionary[key] = key }
            return [.set(CanonicalSet(keys)), .dictionary(dictionary)]
        }
        #expect(try value(keys).archived() == value(shuffled).archived())
    }

    @Test(arguments: [255, 256, 257, 65_535, 65_536, 70_000])
    func `references widen with the number of objects`(count: Int) throws {
        let list = PropertyList.array((0..<count).map { .integer(Int128($0)) })
        let bytes = try list.binaryEncoded()
        #expect(try PropertyList(binary: bytes) == list)
        // One more object for the array itself; the size must be able to hold the count, not only the highest number.
        #expect(bytes[bytes.count - 25] == (count + 1 < 0x100 ? 1 : count + 1 < 0x1_0000 ? 2 : 4))
    }

    @Test(arguments: UInt64(0)..<2000)
    func `damaged bytes give an error or a value that survives a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try ArchiveValue.random(withObjects: true, using: &generator).archived()
        for _ in 0...Int.random(in: 0...2, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
        if let list = try? PropertyList(binary: bytes) {
            #expect(try PropertyList(binary: list.binaryEncoded()) == list)
        }
        if let value = try? ArchiveValue(archive: bytes, allowing: .any) {
            #expect(try ArchiveValue(archive: value.archived(), allowing: .any) == value)
        }
    }

    @Test func `every prefix of an archive is an error`() throws {
        let bytes = try (["a": [1, .data([1, 2, 3])]] as ArchiveValue).archived()
        for count in 0..<bytes.count {
            #expect(throws: KeyedArchiveError.self) { try ArchiveValue(archive: Array(bytes[..<count])) }
        }
    }
}

@Suite("Limits of values") struct LimitTests {
    private static let limits = DecodingLimits(byteCount: 4096, depth: 4, objectCount: 60, nodeCount: 20)

    private static func nested(_ depth: Int) -> ArchiveValue {
        (1..<depth).reduce(.array([])) { value, _ in [value] }
    }

    @Test func `written data can be read under the same limits`() throws {
        let deepest = Self.nested(4)
        #expect(try ArchiveValue(archive: deepest.archived(limits: Self.limits), limits: Self.limits) == deepest)
        #expect(throws: KeyedArchiveError.tooDeep(limit: 4)) { try Self.nested(5).archived(limits: Self.limits) }
        #expect(throws: KeyedArchiveError.tooDeep(limit: 4)) {
            try ArchiveValue(archive: Self.nested(5).archived(), limits: Self.limits)
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `writer and reader agree on the limits`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.random(depth: 5, withObjects: true, using: &generator)
        let list = PropertyList.random(depth: 5, using: &generator)
        if let bytes = try? value.archived(limits: Self.limits) {
            #expect(try ArchiveValue(archive: bytes, allowing: .any, limits: Self.limits) == value)
        } else {
            #expect(throws: KeyedArchiveError.self) {
                try ArchiveValue(archive: value.archived(), allowing: .any, limits: Self.limits)
            }
        }
        if let bytes = try? list.binaryEncoded(limits: Self.limits) {
            #expect(try PropertyList(binary: bytes, limits: Self.limits) == list)
        } else {
            #expect(throws: PropertyListError.self) {
                try PropertyList(binary: list.binaryEncoded(), limits: Self.limits)
            }
        }
    }

    @Test func `text and data count by their size`() throws {
        // Nineteen full blocks of 64 bytes plus the value itself are exactly the twenty nodes allowed.
        let fitting = [UInt8](repeating: 0, count: 19 * 64 + 63)
        let tooLong = fitting + [0]
        let value = ArchiveValue.data(fitting)
        #expect(try ArchiveValue(archive: value.archived(limits: Self.limits), limits: Self.limits) == value)
        #expect(throws: KeyedArchiveError.tooManyNodes(limit: 20)) {
            try ArchiveValue.data(tooLong).archived(limits: Self.limits)
        }
        #expect(throws: KeyedArchiveError.tooManyNodes(limit: 20)) {
            try ArchiveValue(archive: ArchiveValue.data(tooLong).archived(), limits: Self.limits)
        }

        let list = PropertyList.data(fitting)
        #expect(try PropertyList(binary: list.binaryEncoded(limits: Self.limits), limits: Self.limits) == list)
        let text = PropertyList.string(String(repeating: "é", count: 20 * 32))
        #expect(throws: PropertyListError.tooManyNodes(limit: 20)) { try text.binaryEncoded(limits: Self.limits) }
    }

    @Test func `input beyond the byte limit is not parsed`() throws {
        let bytes = [UInt8](repeating: 0, count: 4097)
        #expect(throws: PropertyListError.tooLarge(byteCount: 4097, limit: 4096)) {
            try PropertyList(binary: bytes, limits: Self.limits)
        }
    }

    @Test func `a file beyond the byte limit is not written`() throws {
        var limits = Self.limits
        limits.byteCount = 100
        let list: PropertyList = .data(Array(repeating: 0, count: 100))
        #expect(throws: PropertyListError.tooLarge(byteCount: 144, limit: 100)) {
            try list.binaryEncoded(limits: limits)
        }
    }

    @Test func `objects beyond the limit are neither written nor read`() throws {
        var limits = Self.limits
        limits.objectCount = 5
        let list: PropertyList = [1, 2, 3, 4, 5]
        #expect(throws: PropertyListError.tooManyObjects(count: 6, limit: 5)) {
            try list.binaryEncoded(limits: limits)
        }
        #expect(throws: PropertyListError.tooManyObjects(count: 6, limit: 5)) {
            try PropertyList(binary: list.binaryEncoded(), limits: limits)
        }
    }
}
