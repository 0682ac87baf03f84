import Foundation
import TestSupport
import Testing

/// `Spec/coverage.tsv`: the vectors and tests that demonstrate each rule of the vault format.
///
/// A line consists of the ID of a rule, a tab, and vectors (names with `*` for any characters) and tests (the file
/// name, a slash and the test name in backquotes); a second tab may introduce a remark. `later` marks rules about
/// features that do not exist yet, and requires a remark.
@Suite("Coverage of the rules") struct CoverageTests {
    private struct Line {
        var rule: String
        var patterns: [String]
        var tests: [(file: String, name: String)]
        var remark: String
    }

    private let lines: [Line]

    init() throws {
        let test = /(?<file>\w+)\/`(?<name>[^`]+)`/
        lines = try Self.text("Spec/coverage.tsv").split(separator: "\n").map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            try #require((2...3).contains(columns.count), "\(line)")
            return Line(
                rule: String(columns[0]),
                patterns: columns[1].replacing(test, with: "").split { $0 == " " || $0 == "," }.map(String.init),
                tests: columns[1].matches(of: test).map { (String($0.file), String($0.name)) },
                remark: columns.count > 2 ? String(columns[2]) : ""
            )
        }
    }

    @Test func `the table lists each rule of the specification once, and no others`() throws {
        // A rule added later has the next number, but is placed where it belongs.
        let rules = try Self.text("Spec/vault-format.md").matches(of: /\[VF-(\d+)\]/).map { String($0.output.1) }
        #expect(rules.compactMap { Int($0) }.sorted() == Array(1...99))
        #expect(lines.map(\.rule) == (1...99).map { "VF-\($0)" })
    }

    @Test func `each rule is demonstrated, or a reason is given`() {
        for line in lines {
            if line.patterns == ["later"] {
                #expect(line.tests.isEmpty && !line.remark.isEmpty, "\(line.rule)")
            } else {
                #expect(!line.patterns.isEmpty || !line.tests.isEmpty, "\(line.rule)")
            }
        }
    }

    @Test func `every pattern matches a vector, and every vector is listed`() throws {
        let vectors = try VaultVector.all().map(\.name)
        var named: Set<String> = []
        for line in lines where line.patterns != ["later"] {
            for pattern in line.patterns {
                let matches = vectors.filter { fnmatch(pattern, $0, 0) == 0 }
                #expect(!matches.isEmpty, "\(line.rule) lists \(pattern)")
                named.formUnion(matches)
            }
        }
        #expect(vectors.filter { !named.contains($0) } == [])
    }

    @Test func `every listed test exists`() throws {
        let files = try Repository.swiftFiles(in: "Tests")
        for line in lines {
            for test in line.tests {
                let path = try #require(files.first { $0.hasSuffix("/\(test.file).swift") }, "\(test.file)")
                #expect(try Self.text(path).contains("func `\(test.name)`("), "\(line.rule) lists \(test.name)")
            }
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
}
