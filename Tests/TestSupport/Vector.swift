import Foundation
import Testing

/// One test vector from `Fixtures`, as `Fixtures/README.md` describes them.
package struct Vector: Sendable, CustomTestStringConvertible {
    /// What a reader must say.
    package enum Expectation: String, Sendable {
        case success
        case malformed
        case limitExceeded = "limit exceeded"
    }

    /// Why a file is no vector.
    package enum Failure: Error {
        case noHeader(String)
        case unknownKey(String, in: String)
        case missingKey(String, in: String)
    }

    package let name: String
    package let expectation: Expectation
    /// The value of a success, in the notation of `Fixtures/README.md`.
    package let value: String?
    /// The error of a failure, in the notation of `Fixtures/README.md`.
    package let error: String?
    /// Whether writing the value gives the same bytes.
    package let isCanonical: Bool
    /// The classes that the reader shall allow.
    package let classes: [String]
    package let bytes: [UInt8]

    package var testDescription: String { name }

    /// All vectors in `directory` of `Fixtures`, by name.
    package static func all(in directory: String) throws -> [Vector] {
        let base = Repository.root.appending(path: "Fixtures/\(directory)")
        let names = try FileManager.default.contentsOfDirectory(atPath: base.path).sorted()
        return try names.map { try Vector(name: $0, file: Array(Data(contentsOf: base.appending(path: $0)))) }
    }

    private init(name: String, file: [UInt8]) throws {
        guard let end = file.firstRange(of: [0x0A, 0x0A])?.lowerBound else { throw Failure.noHeader(name) }
        var fields: [String: String] = [:]
        for line in String(decoding: file[..<end], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let key = String(parts[0])
            guard ["expect", "value", "error", "canonical", "classes", "comment"].contains(key), parts.count == 2 else {
                throw Failure.unknownKey(key, in: name)
            }
            fields[key] = String(parts[1].dropFirst())
        }
        guard let expectation = fields["expect"].flatMap(Expectation.init) else {
            throw Failure.missingKey("expect", in: name)
        }
        guard fields[expectation == .success ? "value" : "error"] != nil else {
            throw Failure.missingKey(expectation == .success ? "value" : "error", in: name)
        }
        self.name = name
        self.expectation = expectation
        value = fields["value"]
        error = fields["error"]
        isCanonical = fields["canonical"] == "yes"
        classes = fields["classes"]?.split(separator: " ").map(String.init) ?? []
        bytes = Array(file[(end + 2)...])
    }
}
