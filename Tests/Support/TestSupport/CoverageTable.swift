import Foundation
import Testing

/// The vectors and tests that demonstrate each rule of a specification, such as `Spec/coverage.tsv`.
///
/// A line consists of the ID of a rule, a tab, and vectors (names with `*` for any characters) and tests (the file
/// name, a slash and the test name in backquotes); a second tab may introduce a remark. `later` marks rules about
/// features that do not exist yet, and requires a remark.
package struct CoverageTable {
    private struct Line {
        var rule: String
        var patterns: [String]
        var tests: [(file: String, name: String)]
        var remark: String
    }

    private let lines: [Line]

    /// The IDs of the rules in the order of the table.
    package var rules: [String] { lines.map(\.rule) }

    /// Reads the table at `path`, relative to the repository.
    package init(_ path: String) throws {
        let test = /(?<file>\w+)\/`(?<name>[^`]+)`/
        lines = try Self.text(path).split(separator: "\n").map { line in
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

    /// Returns the numbers of the rules in the document at `path` whose IDs begin with `prefix`, in ascending order.
    package static func ruleNumbers(in path: String, prefix: String) throws -> [Int] {
        let rule = try Regex("\\[\(prefix)-([0-9]+)\\]", as: (Substring, Substring).self)
        return try text(path).matches(of: rule).compactMap { Int($0.output.1) }.sorted()
    }

    /// Checks that each rule has a vector or a test, or a reason why it has none.
    package func expectDemonstrations() {
        for line in lines {
            if line.patterns == ["later"] {
                #expect(line.tests.isEmpty && !line.remark.isEmpty, "\(line.rule)")
            } else {
                #expect(!line.patterns.isEmpty || !line.tests.isEmpty, "\(line.rule)")
            }
        }
    }

    /// Checks that every pattern matches one of `vectors`, and that each of these is listed.
    package func expectVectors(_ vectors: [String]) {
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

    /// Checks that every listed test exists.
    package func expectTests() throws {
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
