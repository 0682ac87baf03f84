package import Foundation

/// A file of `Fixtures`: header lines, an empty line, and bytes.
package struct VectorFile: Sendable {
    /// Why a file is not a valid vector.
    package enum Failure: Error {
        case noHeader(String)
        case unknownLine(String, in: String)
        case missingKey(String, in: String)
    }

    package let name: String
    /// The lines of the header, by key.
    package let fields: [String: String]
    package let bytes: [UInt8]

    /// Returns all files in `directory` of `Fixtures`, by name; their headers must have only these keys.
    package static func all(in directory: String, keys: Set<String>) throws -> [VectorFile] {
        try all(in: Repository.root.appending(path: "Fixtures/\(directory)"), keys: keys)
    }

    /// Returns all files in another directory.
    package static func all(in base: URL, keys: Set<String>) throws -> [VectorFile] {
        try FileManager.default.contentsOfDirectory(atPath: base.path).sorted().map { name in
            let file = try [UInt8](Data(contentsOf: base.appending(path: name)))
            guard let end = file.firstRange(of: [0x0A, 0x0A])?.lowerBound else { throw Failure.noHeader(name) }
            let header = String(decoding: file[..<end], as: UTF8.self)
            return try VectorFile(name: name, header: header, keys: keys, bytes: Array(file[(end + 2)...]))
        }
    }

    /// Makes a vector whose header and bytes come from different files.
    package init(name: String, header: some StringProtocol, keys: Set<String>, bytes: [UInt8]) throws {
        var fields: [String: String] = [:]
        for line in header.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, keys.contains(String(parts[0])) else {
                throw Failure.unknownLine(String(line), in: name)
            }
            fields[String(parts[0])] = String(parts[1].dropFirst())
        }
        self.name = name
        self.fields = fields
        self.bytes = bytes
    }

    /// Returns the value of a required key.
    package func value(_ key: String) throws -> String {
        guard let value = fields[key] else { throw Failure.missingKey(key, in: name) }
        return value
    }
}
