import Foundation
import Testing

/// One test vector from `Fixtures`, as described in `Fixtures/README.md`.
package struct Vector: Sendable, CustomTestStringConvertible {
    /// The result that a reader must give.
    package enum Expectation: String, Sendable {
        case success
        case malformed
        case limitExceeded = "limit exceeded"
    }

    package let name: String
    package let expectation: Expectation
    /// The value of a success, in the notation of `Fixtures/README.md`.
    package let value: String?
    /// The error of a failure, in the notation of `Fixtures/README.md`.
    package let error: String?
    /// Whether writing the value gives the same bytes.
    package let isCanonical: Bool
    /// The classes that the reader must allow.
    package let classes: [String]
    package let bytes: [UInt8]

    package var testDescription: String { name }

    /// Returns all vectors in `directory` of `Fixtures`, by name.
    package static func all(in directory: String) throws -> [Vector] {
        let keys: Set = ["expect", "value", "error", "canonical", "classes", "comment"]
        return try VectorFile.all(in: directory, keys: keys).map(Vector.init)
    }

    private init(_ file: VectorFile) throws {
        guard let expectation = Expectation(rawValue: try file.value("expect")) else {
            throw VectorFile.Failure.missingKey("expect", in: file.name)
        }
        _ = try file.value(expectation == .success ? "value" : "error")
        self.expectation = expectation
        name = file.name
        value = file.fields["value"]
        error = file.fields["error"]
        isCanonical = file.fields["canonical"] == "yes"
        classes = file.fields["classes"]?.split(separator: " ").map(String.init) ?? []
        bytes = file.bytes
    }
}
