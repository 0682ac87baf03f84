import KeyedArchive
import TestSupport
import Testing

@Suite("Errors of Codable types") struct ArchiveCodableErrorTests {
    private struct Card: Codable {
        struct Owner: Codable {
            var name: String
            var ages: [Int]
        }

        var owner: Owner
        var tags: [String: Bool]
    }

    private enum Level: String, Codable {
        case low
    }

    private static let card: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
        "owner": ["name": "kim", "ages": [1, 2]], "tags": ["a": true],
    ]

    @Test(
        arguments: [
            ("owner", "kim", CodingFailure(.typeMismatch("Dictionary<String, Any>"), at: ["owner"])),
            ("owner", .null, CodingFailure(.typeMismatch("Dictionary<String, Any>"), at: ["owner"])),
            ("owner", ["name": "kim"], CodingFailure(.keyNotFound("ages"), at: ["owner"])),
            ("owner", ["name": 1, "ages": []], CodingFailure(.typeMismatch("String"), at: ["owner", "name"])),
            ("owner", ["name": .null, "ages": []], CodingFailure(.valueNotFound("String"), at: ["owner", "name"])),
            ("owner", ["name": "kim", "ages": 1], CodingFailure(.typeMismatch("Array<Any>"), at: ["owner", "ages"])),
            (
                "owner", ["name": "kim", "ages": [1, "2"]],
                CodingFailure(.typeMismatch("Int"), at: ["owner", "ages", "Index 1"])
            ),
            (
                "owner", ["name": "kim", "ages": [1.5]],
                CodingFailure(.dataCorrupted, at: ["owner", "ages", "Index 0"])
            ),
            ("tags", ["a": true, "b": 1], CodingFailure(.typeMismatch("Bool"), at: ["tags", "b"])),
            ("tags", [1: true], CodingFailure(.typeMismatch("String"), at: ["tags", "Key 0"])),
        ] as [(ArchiveValue, ArchiveValue, CodingFailure)]
    )
    func `an error says what is wrong and where`(key: ArchiveValue, value: ArchiveValue, failure: CodingFailure) throws
    {
        var card = Self.card
        card[key] = value
        let bytes = try ArchiveValue.dictionary(card).archived()
        #expect(throws: failure) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Card.self, from: bytes) }
        }
    }

    @Test func `a raw value without a case is an error`() {
        #expect(throws: CodingFailure(.dataCorrupted, at: ["Index 0"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode([Level].self, from: ["high"]) }
        }
    }

    @Test func `a list that ends too early is an error`() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        #expect(throws: CodingFailure(.valueNotFound("Int"), at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Pair.self, from: .array([1])) }
        }
    }

    @Test func `bytes that are not an archive give an archive error`() {
        #expect(throws: KeyedArchiveError.self) { try ArchiveDecoder().decode(Int.self, from: [1, 2, 3] as [UInt8]) }
    }

    // MARK: Secrets

    private struct Forgetful: Codable, Hashable {
        enum CodingKeys: CodingKey { case kept }
        var kept = "sesame"
        var lost = 0
    }

    /// All the ways to fail at the text "sesame" or at a value that contains it.
    @Test func `decoder errors do not reveal the value`() throws {
        func check<Value: Decodable>(_ type: Value.Type, _ value: ArchiveValue) throws {
            let error = #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(type, from: value) }
            let text = String(describing: try #require(error)) + String(reflecting: error)
            #expect(!text.contains("sesame"), "\(type)")
        }
        let bytes = ArchiveValue.data(Array("sesame".utf8))
        try check(Int.self, "sesame")
        try check(Bool.self, "sesame")
        try check([Int].self, ["sesame"])
        try check([String: Int].self, ["a": "sesame"])
        try check(Set<Int>.self, .set(["sesame"]))
        try check(Card.self, "sesame")
        try check([Card].self, [["owner": ["name": "sesame"]]])
        try check(String.self, bytes)
        try check(String.self, ["sesame"])
        try check(Int.self, .url(ArchiveURL("sesame")))
        try check(
            Int.self,
            .object(ArchiveObject(className: "A", superclassNames: [], fields: ["a": .inline("sesame")]))
        )
        try check(Set<String>.self, .set(["sesame\u{E9}", "sesamee\u{301}"]))
        try check([Int: String].self, [1: "sesame", 1.0: "sesame"])
    }

    @Test func `encoder errors do not reveal the value`() throws {
        func check(_ value: some Encodable) throws {
            let error = #expect(throws: (any Error).self) { try ArchiveEncoder().encode(value) }
            let text = String(describing: try #require(error)) + String(reflecting: error)
            #expect(!text.contains("sesame"))
            #expect(!text.contains("\(UInt128.max)"))
        }
        try check([Forgetful(lost: 1): "sesame", Forgetful(lost: 2): "sesame"])
        try check(["sesame": UInt128.max])
        try check(Nesting(levels: 10_000))
    }

    // MARK: Depth

    /// A type that encodes itself `levels` times; it takes no memory until it is encoded.
    private struct Nesting: Encodable {
        enum Key: CodingKey { case next }
        var levels: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            if levels > 1 { try container.encode(Nesting(levels: levels - 1), forKey: .next) }
        }
    }

    private struct ListNesting: Encodable {
        var levels: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if levels > 1 { try container.encode(ListNesting(levels: levels - 1)) }
        }
    }

    /// A type that encodes another value of itself in its place, so it adds no depth but uses stack.
    private struct Wrapping: Encodable {
        var levels: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Wrapping(levels: levels - 1))
        }
    }

    /// A type that nests containers without having a type for each level.
    struct ContainerNesting: Encodable {
        enum Key: CodingKey { case next }
        enum Way: CaseIterable { case keyed, unkeyed, superEncoder }
        var levels: Int
        var way: Way

        func encode(to encoder: any Encoder) throws {
            switch way {
            case .keyed:
                var container = encoder.container(keyedBy: Key.self)
                for _ in 1..<levels { container = container.nestedContainer(keyedBy: Key.self, forKey: .next) }
            case .unkeyed:
                var container = encoder.unkeyedContainer()
                for _ in 1..<levels { container = container.nestedUnkeyedContainer() }
            case .superEncoder:
                var container = encoder.container(keyedBy: Key.self)
                for _ in 1..<levels { container = container.superEncoder().container(keyedBy: Key.self) }
            }
        }
    }

    @Test func `a type may nest itself up to the limit`() throws {
        _ = try ArchiveEncoder().encode(Nesting(levels: 64))
        _ = try ArchiveEncoder().encode(ListNesting(levels: 64))
        let limits = DecodingLimits(byteCount: 1 << 20, depth: 5, objectCount: 100, nodeCount: 100)
        _ = try ArchiveEncoder(limits: limits).encode(Nesting(levels: 5))
        #expect(throws: KeyedArchiveError.tooDeep(limit: 5)) {
            try ArchiveEncoder(limits: limits).encode(Nesting(levels: 6))
        }
    }

    @Test(arguments: [65, 10_000])
    func `a type that nests itself beyond the limit is an error`(levels: Int) {
        #expect(throws: KeyedArchiveError.tooDeep(limit: 64)) { try ArchiveEncoder().encode(Nesting(levels: levels)) }
        #expect(throws: KeyedArchiveError.tooDeep(limit: 64)) {
            try ArchiveEncoder().value(of: Nesting(levels: levels))
        }
        #expect(throws: KeyedArchiveError.tooDeep(limit: 64)) {
            try ArchiveEncoder().encode(ListNesting(levels: levels))
        }
        #expect(throws: KeyedArchiveError.tooDeep(limit: 64)) { try ArchiveEncoder().encode(Wrapping(levels: levels)) }
    }

    @Test(arguments: ContainerNesting.Way.allCases, [65, 10_000])
    func `containers nested beyond the limit are an error`(way: ContainerNesting.Way, levels: Int) throws {
        _ = try ArchiveEncoder().encode(ContainerNesting(levels: 64, way: way))
        #expect(throws: KeyedArchiveError.tooDeep(limit: 64)) {
            try ArchiveEncoder().encode(ContainerNesting(levels: levels, way: way))
        }
    }
}
