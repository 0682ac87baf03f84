import KeyedArchive
import TestSupport
import Testing

@Suite("Codable collections") struct ArchiveCodableCollectionTests {
    private enum Color: String, Codable, CaseIterable {
        case red, green
    }

    private enum Mark: String, Codable, CodingKeyRepresentable {
        case good, bad
    }

    private struct Point: Codable, Hashable {
        var x: Int
        var y: Int
    }

    /// A key that other encoders write as its coding key, but that encodes itself as something else.
    private struct Tag: Codable, Hashable, CodingKeyRepresentable {
        var name: String

        init(_ name: String) { self.name = name }

        init?(codingKey: some CodingKey) { name = codingKey.stringValue }

        var codingKey: any CodingKey { TagKey(stringValue: name) }

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard text.hasPrefix("#") else {
                let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no tag")
                throw DecodingError.dataCorrupted(context)
            }
            name = String(text.dropFirst())
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("#\(name)")
        }
    }

    private struct TagKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A key that loses part of itself when it is encoded.
    private struct Forgetful: Codable, Hashable {
        enum CodingKeys: CodingKey { case kept }
        var kept: Int
        var lost = 0
    }

    // MARK: Forms

    @Test func `an array becomes an array and a set a set`() throws {
        #expect(try ArchiveEncoder().value(of: [[1], []]) == [[1], []])
        #expect(try ArchiveEncoder().value(of: Set([2, 1])) == .set([1, 2]))
        #expect(
            try throughArchive([Set([Point(x: 1, y: 2), Point(x: 3, y: 4)])]) == [
                [Point(x: 1, y: 2), Point(x: 3, y: 4)]
            ]
        )
        #expect(try throughArchive([Set<Int>()]) == [[]])
    }

    @Test func `a set can be read as an array, and an array as a set`() throws {
        #expect(try ArchiveDecoder().decode([Int].self, from: .set([2, 1])) == [1, 2])
        #expect(try ArchiveDecoder().decode(Set<Int>.self, from: .array([2, 1])) == [1, 2])
    }

    @Test func `dictionary keys keep their type`() throws {
        #expect(try ArchiveEncoder().value(of: ["a": 1, "b": 2]) == ["a": 1, "b": 2])
        #expect(try ArchiveEncoder().value(of: [7: "a", -1: "b"]) == [7: "a", -1: "b"])
        #expect(try ArchiveEncoder().value(of: [Color.red: 1]) == ["red": 1])
        #expect(try ArchiveEncoder().value(of: [Mark.good: 1]) == ["good": 1])
        #expect(try ArchiveEncoder().value(of: [Point(x: 1, y: 2): true]) == [["x": 1, "y": 2]: true])
        #expect(try ArchiveEncoder().value(of: [Tag("a"): 1]) == ["#a": 1])
    }

    @Test func `a dictionary survives a round trip with keys of any type`() throws {
        #expect(try throughArchive(["a": 1, "": 2]) == ["a": 1, "": 2])
        #expect(try throughArchive([7: "a", -1: "b"]) == [7: "a", -1: "b"])
        #expect(try throughArchive([true: [1], false: []]) == [true: [1], false: []])
        #expect(try throughArchive([Color.red: 1, .green: 2]) == [.red: 1, .green: 2])
        #expect(try throughArchive([Mark.good: 1, .bad: 2]) == [.good: 1, .bad: 2])
        #expect(try throughArchive([Point(x: 1, y: 2): "a"]) == [Point(x: 1, y: 2): "a"])
        #expect(try throughArchive([[1]: ["a": Set([1])]]) == [[1]: ["a": [1]]])
        #expect(try throughArchive([Int: String]()) == [:])
    }

    @Test func `a key that differs from its coding key survives a round trip`() throws {
        #expect(try throughArchive([Tag("a"): 1, Tag("#b"): 2]) == [Tag("a"): 1, Tag("#b"): 2])
    }

    @Test func `a dictionary keyed by the text of coding keys is read`() throws {
        #expect(try ArchiveDecoder().decode([Int: Int].self, from: ["1": 2, "-3": 4]) == [1: 2, -3: 4])
        #expect(try ArchiveDecoder().decode([Mark: Int].self, from: ["bad": 2]) == [.bad: 2])
        #expect(try ArchiveDecoder().decode([Tag: Int].self, from: ["a": 2]) == [Tag("a"): 2])
    }

    @Test func `a dictionary is read from the list of keys and values that other encoders write`() throws {
        let list: ArchiveValue = [["x": 1, "y": 2], "a"]
        #expect(try ArchiveDecoder().decode([Point: String].self, from: list) == [Point(x: 1, y: 2): "a"])
    }

    // MARK: Order

    @Test(arguments: UInt64(0)..<50)
    func `equal collections give equal bytes however they were filled`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = (0..<20).map { "\($0) \(String.random(using: &generator))" }
        let shuffled = words.shuffled(using: &generator)
        // A larger capacity means a larger table, and so a different hash order.
        var roomy = Set<String>(minimumCapacity: 500)
        roomy.formUnion(shuffled)
        #expect(try ArchiveEncoder().encode(Set(words)) == ArchiveEncoder().encode(roomy))

        var roomyDictionary = [String: Int](minimumCapacity: 500)
        for word in shuffled { roomyDictionary[word] = word.utf8.count }
        let dictionary = Dictionary(uniqueKeysWithValues: words.map { ($0, $0.utf8.count) })
        #expect(try ArchiveEncoder().encode(dictionary) == ArchiveEncoder().encode(roomyDictionary))
    }

    // MARK: Twins

    // "é" composed and decomposed: one string in Swift, two in an archive.
    private static let twins: ArchiveValue = ["\u{E9}": 1, "e\u{301}": 2]

    @Test func `keys that are equal in Swift but differ in bytes are an error`() throws {
        let bytes = try Self.twins.archived()
        #expect(throws: CodingFailure(.dataCorrupted, at: ["e\u{301}"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode([String: Int].self, from: bytes) }
        }
    }

    @Test func `coding keys that are equal in Swift but differ in bytes are an error`() throws {
        let bytes = try Self.twins.archived()
        #expect(throws: CodingFailure(.dataCorrupted, at: ["e\u{301}"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode([Tag: Int].self, from: bytes) }
        }
    }

    @Test func `set elements that are equal in Swift but differ in bytes are an error`() throws {
        let value = ArchiveValue.set(["\u{E9}", "e\u{301}"])
        #expect(throws: CodingFailure(.dataCorrupted, at: ["Index 1"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Set<String>.self, from: value) }
        }
        #expect(try ArchiveDecoder().decode([String].self, from: value).count == 2)
    }

    @Test func `numbers that read as the same key are an error`() {
        #expect(throws: CodingFailure(.dataCorrupted, at: ["Key 1"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode([Int: Int].self, from: [1: 1, 1.0: 2]) }
        }
    }

    @Test func `keys that encode to the same value are an error`() {
        struct Holder: Encodable {
            var entries: [Forgetful: Int]
        }
        let holder = Holder(entries: [Forgetful(kept: 1, lost: 1): 1, Forgetful(kept: 1, lost: 2): 2])
        #expect(throws: CodingFailure(.invalidValue, at: ["entries"])) {
            try CodingFailure.translating { try ArchiveEncoder().encode(holder) }
        }
    }

    @Test func `set elements that encode to the same value are not lost silently`() {
        let set: Set = [Forgetful(kept: 1, lost: 1), Forgetful(kept: 1, lost: 2)]
        #expect(throws: CodingFailure(.invalidValue, at: [])) {
            try CodingFailure.translating { try ArchiveEncoder().encode(set) }
        }
    }
}
