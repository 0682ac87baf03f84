package import Foundation

/// Runs a Python script that answers a list of byte strings with another.
///
/// Both lists are passed in files, so neither side waits for the other: each item is preceded by its length in four
/// bytes, highest byte first.
package struct PythonOracle {
    /// Why a script gave no answer.
    package enum Failure: Error {
        case pythonMissing
        case scriptFailed(status: Int32)
        case malformedAnswer
    }

    private static let python: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":")
            .map { URL(filePath: String($0)).appending(path: "python3") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Whether tests that use Python should run: if Python is installed, and always on continuous integration, where
    /// they fail without it.
    package static var isExpected: Bool {
        python != nil || ProcessInfo.processInfo.environment["CI"] != nil
    }

    private let script: URL
    private let directory: URL

    /// Makes an oracle of `script`, a path relative to the repository root, that keeps its files in `directory`.
    package init(script: String, directory: URL) {
        self.script = Repository.root.appending(path: script)
        self.directory = directory
    }

    /// Returns the script's answer to `items` when it is called with `arguments`.
    package func answer(to items: [[UInt8]], arguments: [String]) throws -> [[UInt8]] {
        guard let python = Self.python else { throw Failure.pythonMissing }
        let input = directory.appending(path: "input")
        let output = directory.appending(path: "output")
        try Data(Self.joined(items)).write(to: input)
        let process = Process()
        process.executableURL = python
        process.arguments = ["-I", script.path, input.path, output.path] + arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.scriptFailed(status: process.terminationStatus) }
        return try Self.split(Array(Data(contentsOf: output)))
    }

    /// Runs a script that imports modules from its directory, and returns its output lines and its status.
    package static func run(script: String, _ arguments: [String] = []) throws -> (lines: [String], status: Int32) {
        guard let python else { throw Failure.pythonMissing }
        let process = Process()
        let output = Pipe()
        process.executableURL = python
        // Without user packages, and without a bytecode cache in the repository.
        process.arguments = ["-s", "-E", "-B", Repository.root.appending(path: script).path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (text.split(separator: "\n").map(String.init), process.terminationStatus)
    }

    /// Runs a program, which must succeed.
    package static func run(_ program: String, _ arguments: [String]) throws {
        guard let python else { throw Failure.pythonMissing }
        let process = try Process.run(python, arguments: ["-I", "-c", program] + arguments)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.scriptFailed(status: process.terminationStatus) }
    }

    private static func joined(_ items: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: item.count >> (24 - 8 * $0)) }
            bytes += item
        }
        return bytes
    }

    private static func split(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var items: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let byteCount = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + byteCount else { throw Failure.malformedAnswer }
            items.append(Array(rest.dropFirst(4).prefix(byteCount)))
            rest = rest.dropFirst(4 + byteCount)
        }
        return items
    }
}
