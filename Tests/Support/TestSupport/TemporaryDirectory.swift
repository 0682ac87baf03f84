package import Foundation
package import Testing

/// Gives each test case its own empty directory, and removes it afterwards.
package struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    @TaskLocal private static var directory: URL?

    /// The directory of the running test case, which must have the trait `.temporaryDirectory`.
    package static var current: URL {
        get throws { try #require(directory, "The test lacks the trait `.temporaryDirectory`.") }
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await Self.$directory.withValue(directory, operation: function)
    }
}

extension Trait where Self == TemporaryDirectory {
    /// Gives each test case its own empty directory, `TemporaryDirectory.current`.
    package static var temporaryDirectory: Self { TemporaryDirectory() }
}
