import Foundation
import TestSupport

/// The `coffer` program built with these tests, with its own home directory.
struct BuiltCommand {
    /// The result of one run.
    struct Result: Equatable {
        var output: String
        var errors: String
        var status: Int32
        /// Whether the status is the number of the signal that ended it.
        var isSignal = false
    }

    let home: URL
    let path: String

    init() throws {
        home = try TemporaryDirectory.current
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        path = URL(filePath: tests).deletingLastPathComponent().appending(path: "coffer").path
    }

    /// The environment variables of the program.
    var variables: [String: String] {
        var variables = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        variables["HOME"] = home.path
        variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        return variables
    }

    /// Returns a process of this program, or of another.
    func process(_ words: [String], program: String? = nil, adding more: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program ?? path)
        process.arguments = words
        process.environment = variables.merging(more) { $1 }
        process.currentDirectoryURL = home
        return process
    }

    /// Starts a process as a shell does: without the signal mask of the test thread, which blocks signals.
    func start(_ process: Process) throws {
        var (none, former) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        try process.run()
    }

    /// Runs this program, or another, to its end.
    func run(
        _ words: [String],
        input: String = "",
        program: String? = nil,
        adding more: [String: String] = [:]
    ) throws -> Result {
        let process = process(words, program: program, adding: more)
        let (output, errors) = (home.appending(path: ".output"), home.appending(path: ".errors"))
        let source = home.appending(path: ".input")
        try Data(input.utf8).write(to: source)
        for url in [output, errors] { try Data().write(to: url) }
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try start(process)
        process.waitUntilExit()
        return Result(
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
            status: process.terminationStatus,
            isSignal: process.terminationReason == .uncaughtSignal
        )
    }
}
