import KeyedArchive
import TestSupport
import Testing

@Suite("Python's plistlib", .enabled(if: PythonOracle.isExpected, "Python is missing."))
struct PythonDifferentialTests {
    private static let count = 750

    /// Returns the script's answer to `items`.
    private func answer(to items: [[UInt8]] = [], _ arguments: String...) throws -> [[UInt8]] {
        let script = "Tests/Archive/KeyedArchiveFoundationTests/Oracle/plistlib_oracle.py"
        let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
        return try oracle.answer(to: items, arguments: arguments)
    }

    @Test(.temporaryDirectory, arguments: UInt64(0)..<4)
    func `plistlib rewrites our binary property lists to the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lists = (0..<Self.count).map { _ in
            var form = PythonForm(isForXML: false)
            return form.applied(to: .random(using: &generator))
        }
        let written = try lists.map { try $0.binaryEncoded() }
        let answer = try answer(to: written, "binary")
        try #require(answer.count == Self.count)
        for (index, list) in lists.enumerated() {
            #expect(answer[index] == written[index], "value \(index): \(list.notation)")
        }
    }

    @Test(.temporaryDirectory, arguments: UInt64(0)..<4)
    func `plistlib rewrites our archives to the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<Self.count).map { _ in ArchiveValue.random(using: &generator).withOneZero }
        let written = try values.map { try $0.archived() }
        let answer = try answer(to: written, "archive")
        try #require(answer.count == Self.count)
        for (index, value) in values.enumerated() {
            #expect(answer[index] == written[index], "value \(index): \(value.notation)")
        }
    }

    @Test(.temporaryDirectory, arguments: UInt64(0)..<4)
    func `plistlib writes the lists it reads as the same XML`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lists = (0..<Self.count).map { _ in
            var form = PythonForm(isForXML: true)
            return form.applied(to: .random(using: &generator))
        }
        let answer = try answer(to: lists.map { try $0.binaryEncoded() }, "xml")
        try #require(answer.count == Self.count)
        for (index, list) in lists.enumerated() {
            #expect(try list.xmlEncoded() == answer[index], "value \(index): \(list.notation)")
        }
    }

    @Test(.temporaryDirectory, arguments: UInt64(0)..<4)
    func `lists that plistlib writes in both formats are read as one value and rewritten identically`(
        seed: UInt64
    ) throws {
        let answer = try answer("random", "\(seed)", "\(Self.count)")
        try #require(answer.count == 2 * Self.count)
        for index in 0..<Self.count {
            let (binary, xml) = (answer[2 * index], answer[2 * index + 1])
            let list = try PropertyList(binary: binary)
            #expect(try PropertyList(xml: xml) == list, "value \(index): \(list.notation)")
            #expect(try list.binaryEncoded() == binary, "value \(index): \(list.notation)")
            #expect(try list.xmlEncoded() == xml, "value \(index): \(list.notation)")
        }
    }

    @Test(.temporaryDirectory, arguments: UInt64(0)..<4)
    func `lists that plistlib writes only as binary are read and rewritten identically`(seed: UInt64) throws {
        let answer = try answer("binary-random", "\(seed)", "\(Self.count)")
        try #require(answer.count == Self.count)
        for (index, binary) in answer.enumerated() {
            let list = try PropertyList(binary: binary)
            #expect(try list.binaryEncoded() == binary, "value \(index): \(list.notation)")
        }
    }
}

/// Removes from random values exactly what plistlib lacks or would lose.
private struct PythonForm {
    let isForXML: Bool
    private var zero: Double?

    init(isForXML: Bool) {
        self.isForXML = isForXML
    }

    mutating func applied(to value: PropertyList) -> PropertyList {
        switch value {
        // XML has no null, and plistlib does not write UIDs in it.
        case .null where isForXML: return ""
        case .uid(let value) where isForXML: return .integer(Int128(value))
        // plistlib has no sets.
        case .set(let elements): return .array(elements.map { applied(to: $0) })
        // plistlib writes integers of 64 bits, signed or unsigned.
        case .integer(let value): return .integer(min(max(value, Int128(Int64.min)), Int128(UInt64.max)))
        // plistlib writes numbers that are equal in Python as the first of them.
        case .real(0):
            let first = zero ?? value.zero
            zero = first
            return .real(first)
        // Python's dates are in the years 1 to 9999 and have whole microseconds, which can express quarters of a
        // second; they have only one zero. XML has whole seconds.
        case .date(let seconds):
            let parts = isForXML ? 1.0 : 4
            guard abs(seconds) < 1e10 else { return .date(secondsSinceReferenceDate: 0) }
            return .date(secondsSinceReferenceDate: Double(Int((seconds * parts).rounded(.down))) / parts)
        case .null, .uid, .bool, .real, .data, .string: return value
        case .array(let elements): return .array(elements.map { applied(to: $0) })
        case .dictionary(let entries):
            var dictionary: CanonicalDictionary<String, PropertyList> = [:]
            for (key, value) in entries { dictionary[key] = applied(to: value) }
            return .dictionary(dictionary)
        }
    }
}

extension PropertyList {
    fileprivate var zero: Double {
        if case .real(let value) = self { value } else { 0 }
    }
}

extension ArchiveValue {
    // plistlib writes numbers that are equal in Python as the first of them. Dates in archives are numbers too.
    fileprivate var withOneZero: ArchiveValue {
        switch self {
        case .real(0): .real(0)
        case .date(0): .date(secondsSinceReferenceDate: 0)
        case .array(let elements): .array(elements.map(\.withOneZero))
        case .set(let elements): .set(CanonicalSet(elements.map(\.withOneZero)))
        case .dictionary(let entries): .dictionary(entries.reduce(into: [:]) { $0[$1.key] = $1.value.withOneZero })
        default: self
        }
    }
}
