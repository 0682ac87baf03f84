import Foundation
import TestSupport
import Testing

/// The reader in `Spec/reader`, which was written from the specification alone.
@Suite("The second reader", .enabled(if: PythonOracle.isExpected)) struct SecondReaderTests {
    private static let script = "Spec/reader/check.py"

    private static func vectorCount() throws -> Int {
        let fixtures = Repository.root.appending(path: "Fixtures")
        let counts = try ["plist", "archive", "xml", "vault", "document"].map { directory in
            try FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: directory).path).count
        }
        let examples = try ["vault-example", "vault-example-2"].map { try WorkedExample($0).readings.count }
        return try (counts + examples).reduce(0, +) + VaultVector.golden().count
    }

    @Test func `it agrees with every vector, golden vault and worked example`() throws {
        let (lines, status) = try PythonOracle.run(script: Self.script)
        let count = try Self.vectorCount()
        #expect(lines == ["\(count) vectors, \(count) agree"])
        #expect(status == 0)
    }

    @Test(.temporaryDirectory) func `it disagrees with a vector that states a different result`() throws {
        let fixtures = try TemporaryDirectory.current
        for directory in ["plist", "archive", "xml", "vault", "document"] {
            try FileManager.default.createDirectory(
                at: fixtures.appending(path: directory),
                withIntermediateDirectories: true
            )
        }
        let good = Repository.root.appending(path: "Fixtures/vault/one_generic")
        let text = "expect: success"
        var bytes = try Data(contentsOf: good)
        #expect(bytes.starts(with: text.utf8))
        bytes.replaceSubrange(..<text.utf8.count, with: "expect: no match".utf8)
        try bytes.write(to: fixtures.appending(path: "vault/one_generic"))
        let (lines, status) = try PythonOracle.run(script: Self.script, [fixtures.path])
        #expect(lines.first?.hasPrefix("vault/one_generic: ") == true)
        #expect(lines.last == "1 vectors, 0 agree")
        #expect(status == 1)
    }
}
