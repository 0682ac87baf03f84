import KeyedArchive
import TestSupport
import Testing

@Suite("XML round trip") struct XMLRoundTripTests {
    @Test(arguments: UInt64(0)..<200)
    func `a value survives a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = randomValue(depth: 0, using: &generator)
        let document = try value.xmlEncoded()
        let again = try PropertyList(xml: document)
        #expect(again == value)
        #expect(try again.xmlEncoded() == document)
    }

    @Test(arguments: UInt64(0)..<200)
    func `every date of whole seconds survives a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let seconds = Double(Int.random(in: -63_113_904_000...252_423_993_599, using: &generator))
        let date = PropertyList.date(secondsSinceReferenceDate: seconds)
        #expect(try PropertyList(xml: date.xmlEncoded()) == date)
    }

    @Test(arguments: UInt64(0)..<200)
    func `damaged documents give an error or a value that survives a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var document = try randomValue(depth: 0, using: &generator).xmlEncoded()
        let index = Int.random(in: 0..<document.count, using: &generator)
        document[index] = UInt8.random(in: .min ... .max, using: &generator)
        let lineCount = document.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        do throws(XMLPropertyListError) {
            let value = try PropertyList(xml: document)
            #expect(try PropertyList(xml: value.xmlEncoded()) == value)
        } catch {
            #expect((1...lineCount).contains(error.line ?? 0))
        }
    }

    private func randomValue(depth: Int, using generator: inout SeededGenerator) -> PropertyList {
        switch Int.random(in: depth < 4 ? 0...9 : 3...9, using: &generator) {
        case 0, 1:
            let count = Int.random(in: 0...5, using: &generator)
            return .array((0..<count).map { _ in randomValue(depth: depth + 1, using: &generator) })
        case 2:
            var entries: CanonicalDictionary<String, PropertyList> = [:]
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                entries[randomString(using: &generator)] = randomValue(depth: depth + 1, using: &generator)
            }
            return .dictionary(entries)
        case 3: return .bool(.random(using: &generator))
        case 4: return .integer(.random(in: .min ... .max, using: &generator))
        case 5:
            let number = Double(bitPattern: generator.next())
            // A NaN has no payload in XML.
            return .real(number.isNaN ? .nan : number)
        case 6: return .uid(.random(in: .min ... .max, using: &generator))
        case 7: return .data(Array(randomString(using: &generator).utf8))
        default: return .string(randomString(using: &generator))
        }
    }

    private func randomString(using generator: inout SeededGenerator) -> String {
        let characters = Array("ab \t\n\r<>&;]\"'\u{E9}\u{301}\u{85}\u{2028}\u{1F600}\u{FEFF}".unicodeScalars)
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            string.append(characters.randomElement(using: &generator) ?? "a")
        }
        return String(string)
    }
}
