import KeyedArchive
import Testing

/// Returns `value` after a round trip through the bytes of an archive.
func throughArchive<Value: Codable>(_ value: Value) throws -> Value {
    try ArchiveDecoder().decode(Value.self, from: ArchiveEncoder().encode(value))
}

@Suite("Codable types") struct ArchiveCodableTests {
    // MARK: Structures and enumerations

    private struct Login: Codable, Equatable {
        struct Attempt: Codable, Equatable {
            var isGood: Bool
            var weight: Double
        }

        var account: String
        var count: Int
        var last: Attempt
        var attempts: [Attempt]
    }

    private static let login = Login(
        account: "kim",
        count: 2,
        last: Login.Attempt(isGood: true, weight: 0.5),
        attempts: [Login.Attempt(isGood: false, weight: -0.0), Login.Attempt(isGood: true, weight: .infinity)]
    )

    @Test func `a structure becomes a dictionary of its coding keys`() throws {
        #expect(
            try ArchiveEncoder().value(of: Self.login) == [
                "account": "kim", "count": 2, "last": ["isGood": true, "weight": 0.5],
                "attempts": [["isGood": false, "weight": -0.0], ["isGood": true, "weight": .real(.infinity)]],
            ]
        )
        #expect(try throughArchive(Self.login) == Self.login)
    }

    @Test func `encoding gives the bytes of the archived value`() throws {
        #expect(try ArchiveEncoder().encode(Self.login) == ArchiveEncoder().value(of: Self.login).archived())
    }

    @Test func `a type that encodes nothing becomes an empty dictionary`() throws {
        struct Empty: Codable, Equatable {}
        #expect(try ArchiveEncoder().value(of: Empty()) == [:])
        #expect(try throughArchive([Empty(), Empty()]) == [Empty(), Empty()])
    }

    private enum Level: String, Codable, CaseIterable {
        case low
        case high = "hoch"
    }

    private enum Rank: Int, Codable, CaseIterable {
        case first = 1
        case last = -1
    }

    private indirect enum Rule: Codable, Equatable {
        case none
        case named(String)
        case range(from: Int, to: Int?)
        case not(Rule)
    }

    @Test func `an enumeration with raw values becomes its raw value`() throws {
        #expect(try ArchiveEncoder().value(of: Level.allCases) == ["low", "hoch"])
        #expect(try ArchiveEncoder().value(of: Rank.allCases) == [1, -1])
        #expect(try throughArchive(Level.allCases) == Level.allCases)
        #expect(try throughArchive(Rank.allCases) == Rank.allCases)
    }

    @Test func `an enumeration with associated values becomes a dictionary keyed by the case`() throws {
        let rules = [Rule.none, .named("a"), .range(from: 1, to: nil), .range(from: 1, to: 2), .not(.named("b"))]
        #expect(
            try ArchiveEncoder().value(of: rules) == [
                ["none": [:]], ["named": ["_0": "a"]], ["range": ["from": 1]], ["range": ["from": 1, "to": 2]],
                ["not": ["_0": ["named": ["_0": "b"]]]],
            ]
        )
        #expect(try throughArchive(rules) == rules)
    }

    // MARK: Optionals

    private struct Note: Codable, Equatable {
        var text: String?
        var pages: [Int?]
        var place: [String: Int?]
    }

    @Test func `a nil optional is left out of structures and is null in collections`() throws {
        let note = Note(text: nil, pages: [1, nil], place: ["a": nil, "b": 2])
        #expect(try ArchiveEncoder().value(of: note) == ["pages": [1, .null], "place": ["a": .null, "b": 2]])
        #expect(try throughArchive(note) == note)
    }

    @Test func `an explicit null reads as a nil optional`() throws {
        let value: ArchiveValue = ["text": .null, "pages": [], "place": [:]]
        #expect(try ArchiveDecoder().decode(Note.self, from: value) == Note(text: nil, pages: [], place: [:]))
    }

    @Test func `an optional can be the root`() throws {
        #expect(try throughArchive(Int?.none) == nil)
        #expect(try throughArchive(Int?.some(1)) == 1)
        #expect(try ArchiveEncoder().value(of: String?.none) == .null)
    }

    @Test func `a type may encode null itself`() throws {
        struct Explicit: Encodable {
            enum Key: CodingKey { case a }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encodeNil(forKey: .a)
            }
        }
        #expect(try ArchiveEncoder().value(of: Explicit()) == ["a": .null])
    }

    // MARK: Classes

    private class Animal: Codable {
        let name: String
        init(name: String) { self.name = name }
    }

    private final class Dog: Animal {
        private enum Key: CodingKey { case trick }
        let trick: String

        init(name: String, trick: String) {
            self.trick = trick
            super.init(name: name)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            trick = try container.decode(String.self, forKey: .trick)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(trick, forKey: .trick)
            try super.encode(to: container.superEncoder())
        }
    }

    private final class Cat: Animal {
        enum Key: CodingKey { case animal }

        required init(from decoder: any Decoder) throws {
            try super.init(from: decoder.container(keyedBy: Key.self).superDecoder(forKey: .animal))
        }

        override init(name: String) { super.init(name: name) }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder(forKey: .animal))
        }
    }

    @Test func `a subclass keeps what its superclass encodes under a separate key`() throws {
        let dog = Dog(name: "Rex", trick: "roll")
        #expect(try ArchiveEncoder().value(of: dog) == ["trick": "roll", "super": ["name": "Rex"]])
        let again = try throughArchive(dog)
        #expect(again.name == "Rex" && again.trick == "roll")

        #expect(try ArchiveEncoder().value(of: Cat(name: "Tom")) == ["animal": ["name": "Tom"]])
        #expect(try throughArchive(Cat(name: "Tom")).name == "Tom")
    }

    // MARK: Nested containers

    private struct Layout: Codable, Equatable {
        enum Key: CodingKey { case frame, rows, size }
        var size = 3
        var cells = [1, 2]
        var label = "x"

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            size = try container.nestedContainer(keyedBy: Key.self, forKey: .frame).decode(Int.self, forKey: .size)
            var rows = try container.nestedUnkeyedContainer(forKey: .rows)
            var first = try rows.nestedUnkeyedContainer()
            cells = []
            while !first.isAtEnd { cells.append(try first.decode(Int.self)) }
            label = try rows.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .size)
            guard try rows.decodeNil(), rows.isAtEnd else { throw rows.unexpectedElement }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var frame = container.nestedContainer(keyedBy: Key.self, forKey: .frame)
            var rows = container.nestedUnkeyedContainer(forKey: .rows)
            var first = rows.nestedUnkeyedContainer()
            var second = rows.nestedContainer(keyedBy: Key.self)
            try rows.encodeNil()
            // Containers may be filled in any order.
            try second.encode(label, forKey: .size)
            for cell in cells { try first.encode(cell) }
            try frame.encode(size, forKey: .size)
        }
    }

    @Test func `nested containers may be filled in any order`() throws {
        #expect(
            try ArchiveEncoder().value(of: Layout()) == [
                "frame": ["size": 3], "rows": [[1, 2], ["size": "x"], .null],
            ]
        )
        #expect(try throughArchive(Layout()) == Layout())
    }

    @Test func `containers that stay empty are encoded`() throws {
        struct Hollow: Encodable {
            enum Key: CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                _ = container.nestedUnkeyedContainer(forKey: .b)
            }
        }
        #expect(try ArchiveEncoder().value(of: Hollow()) == ["a": [:], "b": []])
    }

    @Test func `a key that is set twice keeps the last value`() throws {
        struct Twice: Encodable {
            enum Key: CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try container.encode(2, forKey: .b)
                try container.encode(3, forKey: .a)
            }
        }
        #expect(try ArchiveEncoder().value(of: Twice()) == ["a": 3, "b": 2])
    }

    // MARK: What types see

    private struct Witness: Codable, Equatable {
        var info: String
        var path: [String]

        init(info: String, path: [String]) {
            self.info = info
            self.path = path
        }

        init(from decoder: any Decoder) throws {
            info = try decoder.userInfo[Self.key] as? String ?? ""
            path = decoder.codingPath.map(\.stringValue)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            let info = try encoder.userInfo[Self.key] as? String ?? ""
            let path = encoder.codingPath.map(\.stringValue).joined(separator: "/")
            try container.encode("\(info) at \(path)")
        }

        static var key: CodingUserInfoKey {
            get throws { try #require(CodingUserInfoKey(rawValue: "note")) }
        }
    }

    @Test func `types see the user info and their coding path`() throws {
        let witness = Witness(info: "", path: [])
        let value = try ArchiveEncoder(userInfo: [try Witness.key: "hello"]).value(of: ["list": [witness, witness]])
        #expect(value == ["list": ["hello at Index 0/Index 0", "hello at Index 0/Index 1"]])

        let decoder = ArchiveDecoder(userInfo: [try Witness.key: "there"])
        let again = try decoder.decode([String: [Witness]].self, from: value)
        #expect(again["list"]?.map(\.path) == [["list", "Index 0"], ["list", "Index 1"]])
        #expect(again["list"]?.map(\.info) == ["there", "there"])
    }

    // MARK: Objects

    private struct Badge: Decodable, Equatable {
        enum CodingKeys: String, CodingKey {
            case title, level, made, next, parts, absent
            case price = "$$price"
        }

        var title: String
        var level: Int
        var price: Double
        var made: [String: Bool]
        var next: String?
        var parts: [Int]
        var absent: Int?
    }

    private static let badge = ArchiveObject(
        className: "Badge",
        superclassNames: ["Token", "NSObject"],
        fields: [
            "title": .reference("Founder"), "level": .inline(3), "$$price": .inline(1.5),
            "made": .reference(["a": true]), "next": .noObject, "parts": .references([1, 2]),
        ]
    )

    @Test func `a structure is read from an object of an allowed class`() throws {
        let bytes = try ArchiveValue.object(Self.badge).archived()
        let expected = Badge(title: "Founder", level: 3, price: 1.5, made: ["a": true], next: nil, parts: [1, 2])
        #expect(try ArchiveDecoder(allowing: .named(["Badge"])).decode(Badge.self, from: bytes) == expected)
        #expect(throws: KeyedArchiveError.classNotAllowed("Badge", uid: 9)) {
            try ArchiveDecoder().decode(Badge.self, from: bytes)
        }
    }

    @Test func `the names of an object's fields are its keys`() throws {
        struct Names: Decodable {
            var names: [String]
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Badge.CodingKeys.self).allKeys.map(\.stringValue)
            }
        }
        let names = try ArchiveDecoder().decode(Names.self, from: .object(Self.badge)).names
        #expect(names == ["$$price", "level", "made", "next", "parts", "title"])
    }
}

extension UnkeyedDecodingContainer {
    fileprivate var unexpectedElement: DecodingError {
        .dataCorruptedError(in: self, debugDescription: "Expected another element.")
    }
}

@Suite("Encoders asked twice") struct RepeatedContainerTests {
    private enum Key: String, CodingKey { case part, first, second }

    private struct Continued: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var part = container.nestedContainer(keyedBy: Key.self, forKey: .part)
            try part.encode(1, forKey: .first)
            var again = container.nestedContainer(keyedBy: Key.self, forKey: .part)
            try again.encode(2, forKey: .second)
        }
    }

    private struct Mixed: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .first)
            _ = encoder.unkeyedContainer()
        }
    }

    @Test func `requesting a nested container again continues it`() throws {
        #expect(try ArchiveEncoder().value(of: Continued()) == ["part": ["first": 1, "second": 2]])
    }

    @Test func `requesting containers of different kinds stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = try ArchiveEncoder().value(of: Mixed()) }
    }
}

@Suite("Coders and their limits") struct CoderLimitTests {
    private enum Colour: String, Codable { case red }

    private struct Repeating: Encodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for round in 0..<3 {
                for key in ["b", "a", "c"] { try container.encode(round, forKey: Key(stringValue: key)) }
            }
        }
    }

    private struct Chain: Codable, Equatable {
        var next: [Chain?] = []
    }

    @Test func `an unknown raw value is not shown`() throws {
        #expect {
            try ArchiveDecoder().decode([Colour].self, from: ["hunter2"])
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.codingPath.count == 1 && !"\(error)".contains("hunter2")
        }
    }

    @Test func `an unsigned 128-bit integer can be read from a real with the same value`() throws {
        #expect(try ArchiveDecoder().decode(UInt128.self, from: .real(5)) == 5)
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(UInt128.self, from: .real(5.5)) }
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(UInt128.self, from: .real(-5)) }
    }

    @Test func `keys that are set repeatedly keep the last value`() throws {
        #expect(try ArchiveEncoder().value(of: Repeating()) == ["a": 2, "b": 2, "c": 2])
    }

    @Test func `optionals do not reduce the depth available to their values`() throws {
        var chain = Chain()
        for _ in 0..<31 { chain = Chain(next: [chain]) }
        let bytes = try ArchiveEncoder().encode(chain)
        #expect(try ArchiveDecoder().decode(Chain.self, from: bytes) == chain)
    }

    @Test func `descriptions do not reveal values`() throws {
        let secret: ArchiveValue = ["account": "hunter2", "hunter2": .data(Array("hunter2".utf8))]
        let list: PropertyList = ["hunter2": "hunter2", "list": ["hunter2"]]
        #expect("\(secret)" == "a dictionary of 2")
        #expect("\(list)" == "a dictionary of 2")
        #expect(!String(reflecting: [secret]).contains("hunter2"))
        #expect(!String(reflecting: [list]).contains("hunter2"))
    }
}
