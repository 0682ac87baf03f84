import TestSupport
import Testing

/// `Spec/archive-coverage.tsv`: the vectors and tests that demonstrate each rule of keyed archives.
@Suite("Specification of keyed archives") struct SpecificationTests {
    private let table: CoverageTable

    init() throws {
        table = try CoverageTable("Spec/archive-coverage.tsv")
    }

    @Test func `the table lists each rule of the specification once, and no others`() throws {
        #expect(try CoverageTable.ruleNumbers(in: "Spec/keyed-archive.md", prefix: "KA") == Array(1...61))
        #expect(table.rules == (1...61).map { "KA-\($0)" })
    }

    @Test func `each rule is demonstrated, or a reason is given`() {
        table.expectDemonstrations()
    }

    @Test func `every pattern matches a vector, and every vector is listed`() throws {
        var names: [String] = []
        for directory in ["plist", "archive", "xml"] {
            names += try Vector.all(in: directory).map { "\(directory)/\($0.name)" }
        }
        table.expectVectors(names)
    }

    @Test func `every listed test exists`() throws {
        try table.expectTests()
    }
}
