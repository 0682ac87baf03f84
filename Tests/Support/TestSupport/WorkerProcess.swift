import Foundation

/// Another test program, which answers each input line with one line.
package final class WorkerProcess {
    /// Held from when pipes are made until they belong to one program.
    ///
    /// `Process` lets a program inherit what others open just then, and their pipes would not end before it does.
    private static let starting = NSLock()

    private let process = Process()
    private let input: Pipe
    private let output: Pipe
    private let errors: Pipe
    private var unread = Data()

    /// Starts a program from the directory of the test runner.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - arguments: The arguments of the program.
    ///   - variables: Variables to add to its environment.
    ///   - isAlone: Whether its environment consists only of `variables`.
    ///   - capturesErrors: Whether its standard error is kept for `end()`.
    /// - Throws: The reason why the program cannot be started.
    package init(
        _ name: String,
        arguments: [String] = [],
        variables: [String: String] = [:],
        isAlone: Bool = false,
        capturesErrors: Bool = false
    ) throws {
        Self.starting.lock()
        defer { Self.starting.unlock() }
        (input, output, errors) = (Pipe(), Pipe(), Pipe())
        let own = ProcessInfo.processInfo.environment
        // The sanitizer options of these tests apply to the program too: it would report leaks when it ends.
        let kept = isAlone ? own.filter { $0.key.hasSuffix("SAN_OPTIONS") } : own
        process.environment = kept.merging(variables) { $1 }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: name)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        if capturesErrors { process.standardError = errors }
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // The program must not block until someone reads its output.
        try? errors.fileHandleForReading.close()
        process.waitUntilExit()
    }

    /// The process ID.
    package var number: Int32 { process.processIdentifier }

    /// Sends a command and returns the program's answer.
    package func answer(to words: String...) throws -> String {
        try send(words)
        return try nextLine()
    }

    /// Sends a command, whose answer is the next line.
    package func send(_ words: [String]) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((words.joined(separator: " ") + "\n").utf8))
    }

    /// Returns the program's next line, in answer to an earlier command.
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

    /// Ends the program, and returns the lines of its standard error.
    package func end() throws -> [String] {
        try input.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Closes the reading end of the program's standard error.
    package func closeErrors() throws {
        try errors.fileHandleForReading.close()
    }
}
