import Foundation
import StoreTestSupport
import TestSupport
import Testing
import VaultFormat

/// The directory of the changed vaults, if the readers are to be compared.
private let changedVaults = ProcessInfo.processInfo.environment["COFFER_CHANGED_VAULTS"]

/// Both readers on vaults that were changed before they were sealed: `./dev compare`.
@Suite("Comparison of readers", .enabled(if: changedVaults != nil)) struct ReaderComparisonTests {
    @Test func `both readers make the same of every changed vault`() throws {
        let directory = try #require(changedVaults)
        let vectors = try VaultVector.all(in: URL(filePath: directory))
        let (expected, _) = try PythonOracle.run(script: "Spec/reader/outcomes.py", [directory])
        try #require(vectors.count == expected.count && !vectors.isEmpty)
        for (vector, line) in zip(vectors, expected) {
            let found = "\(vector.name): \(try Self.outcome(of: vector))"
            let areBothLate = [found, line].allSatisfy { line in Self.lateFailures.contains { line.hasSuffix($0) } }
            if found != line, !areBothLate { Issue.record("\(found)\n second reader: \(line)") }
        }
        print("\(vectors.count) changed vaults compared")
    }

    /// Failures of parts that are verified when they are read, in any order: of several, each is right.
    private static let lateFailures = [": snapshot failure", ": limit exceeded", ": unsupported"]

    private static func outcome(of vector: VaultVector) throws -> String {
        let contents: VaultContents
        do throws(VaultFormatError) {
            contents = try VaultSubject(vector.bytes).contents(vector)
        } catch {
            return error.kind
        }
        // Whatever else is found, such a vault is not used.
        let usable: Set = ["success", "record failure", "torn tail", "damaged tail", "inconsistent"]
        guard usable.contains(contents.outcome) else { return contents.outcome }
        let hash = unkeyedHash(try VaultDump(contents).text()).hexadecimal
        let tail = contents.outcome.hasSuffix(" tail") ? contents.tailByteCount ?? 0 : 0
        return """
            \(contents.outcome), \(contents.readableItems.count) items \(hash), \(contents.lockedItemCount) locked, \
            \(contents.failureCount) failed, tail \(tail)
            """
    }
}
