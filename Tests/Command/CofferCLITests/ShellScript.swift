import Foundation
import TestSupport
import Testing

/// A program of the shell for a test.
enum ShellScript {
    /// Writes the program, whose lines are `text`.
    ///
    /// Another process does that: a file that this one has open for writing is inherited by whatever another test
    /// starts at that moment, and cannot be run as long as that process has it.
    static func write(_ text: String, interpreter: String = "#!/bin/sh\n", to file: URL) throws {
        let source = try TemporaryDirectory.current.appending(path: "script-\(UUID())")
        try Data("\(interpreter)\(text)\n".utf8).write(to: source)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/install")
        process.arguments = ["-m", "755", source.path, file.path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
