import CofferBasics
import TestSupport
import Testing

@testable import VaultFormat

/// Sections 8.1 and 10.1: what was seen is a place for each writer, listed or not.
@Suite("Seen places") struct SeenPlacesTests {
    private static let writers = (0..<12).map { WriterID([UInt8](repeating: $0, count: 8).span) }

    private static func random(_ random: inout SeededGenerator) -> SeenPlaces {
        var seen = SeenPlaces()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            // Writer 0 stands for the floor; the last one is never listed.
            let writer = writers.dropLast().randomElement(using: &random) ?? .none
            seen.insert(Origin(writer: writer, place: UInt64.random(in: 1...40, using: &random)))
        }
        return seen
    }

    private static func count(_ seen: SeenPlaces) -> Int { seen.origins.count(where: { $0.writer != .none }) }

    private static func places(_ seen: SeenPlaces) -> [UInt64] { writers.map { seen[$0] } }

    @Test(arguments: UInt64(1)...50) func `a union has the greater place of each writer`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (one, other) = (Self.random(&random), Self.random(&random))
        var union = one
        union.formUnion(other)
        #expect(Self.places(union) == zip(Self.places(one), Self.places(other)).map { max($0, $1) })
        #expect(union.floor == max(one.floor, other.floor))
        #expect(SeenPlaces(union.origins) == union)
        var reversed = other
        reversed.formUnion(one)
        #expect(reversed == union)
    }

    @Test(arguments: UInt64(1)...50) func `forgetting keeps the writers with the greatest places`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let seen = Self.random(&random)
        let kept = seen.remembering(3)
        #expect(Self.count(kept) <= 3)
        if Self.count(seen) <= 3 { #expect(kept == seen) }
        for writer in Self.writers where kept[writer] != seen[writer] {
            #expect(kept[writer] > seen[writer])
            #expect(kept[writer] == kept.floor)
        }
        #expect(kept.origins.dropFirst(kept.floor > 0 ? 1 : 0).allSatisfy { $0.place > kept.floor })
    }

    // A writer with the match key can choose its places, and must not make the group unusable.
    @Test func `places after the greatest floor are forgotten without raising it further`() {
        var seen = SeenPlaces()
        let last: UInt64 = 1 << 63 - 1
        for (number, writer) in Self.writers.dropFirst().enumerated() {
            seen.insert(Origin(writer: writer, place: last - UInt64(number)))
        }
        let kept = seen.remembering(2)
        #expect(kept.floor == 1 << 62)
        #expect(Self.count(kept) == 2)
        #expect(kept[Self.writers[1]] == last)
        #expect(kept[Self.writers[11]] == 1 << 62)
    }
}
