import Foundation
import TestSupport
import Testing

@Suite("Specification of keyed archives") struct SpecificationTests {
    private let text: String

    init() throws {
        text = try String(contentsOf: Repository.root.appending(path: "Spec/keyed-archive.md"), encoding: .utf8)
    }

    @Test func `rules are numbered without gaps, and the table lists each`() {
        let rules = text.matches(of: /\[KA-(\d+)\]/).compactMap { Int($0.1) }
        #expect(rules.count > 20)
        #expect(rules == Array(1...rules.count))
        let listed = vectorRows.flatMap { $0.matches(of: /KA-(\d+)/).compactMap { Int($0.1) } }
        #expect(listed == rules)
    }

    @Test func `the table lists every vector, and every vector it lists exists`() throws {
        let patterns = vectorRows.flatMap { $0.matches(of: /`([a-z]+)\/([^`]+)`/).map { ($0.1, $0.2) } }
        #expect(patterns.count > 40)
        for directory in ["plist", "archive"] {
            let names = try Vector.all(in: directory).map(\.name)
            let globs = patterns.filter { $0.0 == directory }.map(\.1)
            #expect(globs.filter { glob in !names.contains { matches($0, glob: glob) } } == [])
            #expect(names.filter { name in !globs.contains { matches(name, glob: $0) } } == [])
        }
    }

    /// The rows of the vector table.
    private var vectorRows: [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("| KA-") || $0.hasPrefix("| section ") }
    }

    private func matches(_ name: String, glob: Substring) -> Bool {
        let pattern = glob.map { $0 == "*" ? ".*" : $0 == "?" ? "." : String($0) }.joined()
        return name.range(of: "^\(pattern)$", options: .regularExpression) != nil
    }
}
