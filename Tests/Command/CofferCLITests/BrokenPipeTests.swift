import Foundation
import TestSupport
import Testing

/// Streams whose reader has gone, which takes real processes.
@Suite("Broken pipes", .temporaryDirectory) struct BrokenPipeTests {
    private let command: BuiltCommand

    init() throws {
        command = try BuiltCommand()
    }

    /// A process that a broken pipe ends, as in a shell.
    private func process(_ words: [String]) -> Process {
        command.process(["--default-signal=PIPE", command.path] + words, program: "/usr/bin/env")
    }

    /// A pipe whose other end is closed.
    private func brokenPipe() throws -> Pipe {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        return pipe
    }

    @Test func `a recovery code is printed although standard error is a broken pipe`() throws {
        let process = process(["init", "--no-prompt", "--recovery-code"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = try brokenPipe()
        try command.start(process)
        let code = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect(code.utf8.count == 45, "nine groups of four letters, eight hyphens and a newline")
    }

    @Test func `a recovery code written to a broken pipe is an error`() throws {
        let process = process(["init", "--no-prompt", "--recovery-code", "-q"])
        let errors = Pipe()
        process.standardOutput = try brokenPipe()
        process.standardError = errors
        try command.start(process)
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 74)
        #expect(text.hasPrefix("coffer: error: the recovery code could not be printed"))
    }

    @Test func `output to a broken pipe ends the program silently`() throws {
        let process = process(["version"])
        let errors = Pipe()
        process.standardOutput = try brokenPipe()
        process.standardError = errors
        try command.start(process)
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGPIPE)
        #expect(text.isEmpty)
    }
}
