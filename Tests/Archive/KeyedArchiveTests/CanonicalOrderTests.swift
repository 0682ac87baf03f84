import KeyedArchive
import TestSupport
import Testing

@Suite("Canonical order") struct CanonicalOrderTests {
    @Test func `a composed and a decomposed letter are different`() {
        #expect(PropertyList.string("\u{E9}") != .string("e\u{301}"))
        #expect(ArchiveValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(("e\u{301}" as String).canonicalOrder(relativeTo: "\u{E9}") == .before)
    }

    @Test func `zero keeps its sign and a NaN equals itself`() {
        #expect(PropertyList.real(0.0) != .real(-0.0))
        #expect(PropertyList.real(.nan) == .real(.nan))
        #expect(ArchiveValue.real(.nan) == .real(.nan))
    }

    @Test func `scalars are ordered by their encoded bytes`() throws {
        let scalars: [PropertyList] = [
            .null, false, true, 0, 255, 256, 65_535, 65_536, 4_294_967_296, -1, 18_446_744_073_709_551_615,
            1.5, .date(secondsSinceReferenceDate: 1), .data([]), .data([1]), .data([0, 0]), "", "b", "aa", "é", "漢",
            .uid(0), .uid(256),
        ]
        let encoded = try scalars.map { try $0.binaryEncoded() }
        for (index, first) in scalars.enumerated() {
            for (otherIndex, second) in scalars.enumerated() {
                let isBefore = encoded[index].lexicographicallyPrecedes(encoded[otherIndex])
                let expected: CanonicalOrder = index == otherIndex ? .same : isBefore ? .before : .after
                #expect(first.canonicalOrder(relativeTo: second) == expected, "\(first) and \(second)")
            }
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `order is total and agrees with equality and hashing`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<6).map { _ in ArchiveValue.random(depth: 2, withObjects: true, using: &generator) }
        for first in values {
            for second in values {
                let order = first.canonicalOrder(relativeTo: second)
                let reverse = second.canonicalOrder(relativeTo: first)
                #expect((order == .before) == (reverse == .after))
                #expect((order == .same) == (first == second))
                if first == second { #expect(first.hashValue == second.hashValue) }
                for third in values where order == .before && second.canonicalOrder(relativeTo: third) == .before {
                    #expect(first.canonicalOrder(relativeTo: third) == .before)
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<500)
    func `texts are ordered by their encoded form, wherever they differ`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("a\u{E9}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}".unicodeScalars)
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<12 { text.append(alphabet.prefix(2 + Int(seed) % 8).randomElement(using: &generator) ?? "a") }
            return String(text)
        }
        let shared = text()
        let first = PropertyList.string(shared + text())
        let second = PropertyList.string(shared + text())
        let isBefore = try first.binaryEncoded().lexicographicallyPrecedes(second.binaryEncoded())
        let expected: CanonicalOrder = first == second ? .same : isBefore ? .before : .after
        #expect(first.canonicalOrder(relativeTo: second) == expected)
    }

    @Test func `objects are ordered by class, then by fields`() {
        func object(_ name: String, _ fields: CanonicalDictionary<String, ArchiveObject.Field>) -> ArchiveValue {
            .object(ArchiveObject(className: name, superclassNames: ["NSObject"], fields: fields))
        }
        let ascending = [
            object("A", [:]), object("A", ["x": .inline(1)]), object("A", ["x": .reference(1)]),
            object("A", ["x": .noObject]), object("A", ["x": .references([])]), object("B", [:]),
        ]
        #expect(Array(CanonicalSet(ascending.reversed())) == ascending)
    }
}

@Suite("Canonical collections") struct CanonicalCollectionTests {
    @Test func `a dictionary iterates in key order, however it was filled`() {
        var dictionary: CanonicalDictionary<String, Int> = ["c": 3, "a": 1]
        dictionary["b"] = 2
        #expect(dictionary.map(\.key) == ["a", "b", "c"])
        #expect(dictionary == ["a": 1, "b": 2, "c": 3])
    }

    @Test func `a dictionary finds, replaces and removes`() {
        var dictionary: CanonicalDictionary<String, Int> = ["a": 1, "b": 2, "c": 3]
        dictionary["b"] = 20
        dictionary["c"] = nil
        dictionary["absent"] = nil
        #expect(dictionary["b"] == 20)
        #expect(dictionary["c"] == nil)
        #expect(dictionary.count == 2)
    }

    @Test func `a dictionary rejects duplicate keys`() {
        #expect(CanonicalDictionary([(key: "a", value: 1), (key: "b", value: 2), (key: "a", value: 3)]) == nil)
        #expect(CanonicalDictionary([(key: "\u{E9}", value: 1), (key: "e\u{301}", value: 2)])?.count == 2)
    }

    @Test func `a literal with a duplicate key stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = ["a": 1, "a": 2] as CanonicalDictionary<String, Int> }
    }

    @Test func `a set keeps each element once, in order`() {
        let set: CanonicalSet<PropertyList> = ["b", "a", "b", 1]
        #expect(Array(set) == [1, "a", "b"])
        #expect(set.contains("a"))
        #expect(!set.contains("c"))
    }

    @Test(arguments: UInt64(0)..<50)
    func `a dictionary has the same content as a reference model`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var dictionary: CanonicalDictionary<String, UInt64> = [:]
        var model: [[UInt8]: UInt64] = [:]
        for _ in 0..<100 {
            let key = String(Int.random(in: 0..<20, using: &generator))
            let value = Bool.random(using: &generator) ? generator.next() : nil
            dictionary[key] = value
            model[Array(key.utf8)] = value
        }
        #expect(dictionary.count == model.count)
        #expect(dictionary.map { Array($0.key.utf8) } == model.keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(dictionary.allSatisfy { model[Array($0.key.utf8)] == $0.value })
    }
}
