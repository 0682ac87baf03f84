import TestSupport
import Testing

/// `Spec/coverage.tsv`: the vectors and tests that demonstrate each rule of the vault format.
@Suite("Coverage of the rules") struct CoverageTests {
    private let table: CoverageTable

    init() throws {
        table = try CoverageTable("Spec/coverage.tsv")
    }

    @Test func `the table lists each rule of the specification once, and no others`() throws {
        // A rule added later has the next number, but is placed where it belongs. The numbers 45 and 47 had rules once.
        let numbers = (1...135).filter { $0 != 45 && $0 != 47 }
        #expect(try CoverageTable.ruleNumbers(in: "Spec/vault-format.md", prefix: "VF") == numbers)
        #expect(table.rules == numbers.map { "VF-\($0)" })
    }

    @Test func `each rule is demonstrated, or a reason is given`() {
        table.expectDemonstrations()
    }

    @Test func `every pattern matches a vector, and every vector is listed`() throws {
        table.expectVectors(try VaultVector.all().map(\.name))
    }

    @Test func `every listed test exists`() throws {
        try table.expectTests()
    }
}
