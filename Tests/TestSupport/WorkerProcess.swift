import Foundation

/// Another program of the tests, which answers each line that it is told with one.
package final class WorkerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var unread = Data()

    /// A program that lies beside the one that runs the tests.
    ///
    /// - Parameters:
    ///   - name: How the program is called.
    ///   - variables: What is added to its environment.
    ///   - isAlone: Whether it has no environment but that.
    ///   - capturesErrors: Whether what it says beside its answers is kept for `end()`.
    /// - Throws: Why it was not started.
    package init(
        _ name: String,
        variables: [String: String] = [:],
        isAlone: Bool = false,
        capturesErrors: Bool = false
    ) throws {
        let own = ProcessInfo.processInfo.environment
        // What sanitizers are told in these tests holds for the program too: it would say what leaks when it ends.
        let kept = isAlone ? own.filter { $0.key.hasSuffix("SAN_OPTIONS") } : own
        process.environment = kept.merging(variables) { $1 }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: name)
        process.standardInput = input
        process.standardOutput = output
        if capturesErrors { process.standardError = errors }
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // It must not wait for somebody to read what it says.
        try? errors.fileHandleForReading.close()
        process.waitUntilExit()
    }

    /// The number of the process.
    package var number: Int32 { process.processIdentifier }

    /// What the program answers to a command.
    package func answer(to words: String...) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((words.joined(separator: " ") + "\n").utf8))
        return try nextLine()
    }

    /// What the program says next, which it was asked before.
    package func nextLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw CocoaError(.fileReadUnknown) }
            unread += bytes
        }
    }

    /// Ends the program, and returns the lines that it said beside its answers.
    package func end() throws -> [String] {
        try input.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Stops to listen to what the program says beside its answers.
    package func closeErrors() throws {
        try errors.fileHandleForReading.close()
    }
}
