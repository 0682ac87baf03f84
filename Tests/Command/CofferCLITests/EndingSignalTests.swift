import Foundation
import Glibc
import TestSupport
import Testing

/// Timers, CPU limits, service managers and other programs end a process by more signals than Ctrl-C and `kill` send.
@Suite("Signals that end the command", .temporaryDirectory) struct EndingSignalTests {
    private let command: BuiltCommand

    init() throws {
        command = try BuiltCommand()
        try CommandSample.makeVault(passphrase: nil)
    }

    /// All signals of signal(7) whose action is to end the process, except SIGKILL and those of a crash.
    static let signals =
        [
            SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ,
            SIGVTALRM,
            SIGPROF, SIGIO, SIGPWR,
        ] + [34, 64]

    @Test(arguments: signals)
    func `the text of an item does not stay behind`(signal: Int32) throws {
        let process = command.process(
            ["edit", "mail"],
            adding: ["EDITOR": "printf '%s\\n' \"$0\"; exec sleep 20 #", "TMPDIR": command.home.path]
        )
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try command.start(process)
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let path = line.trimmingCharacters(in: .newlines)
        #expect(FileManager.default.fileExists(atPath: path))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
    }
}
