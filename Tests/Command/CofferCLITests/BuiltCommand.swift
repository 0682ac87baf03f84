import Foundation
import Glibc
import TestSupport
import Testing

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
        let streams = [".input", ".output", ".errors"].map { home.appending(path: $0) }
        try Data(input.utf8).write(to: streams[0])
        let process = try SpawnedProcess(
            "/usr/bin/env",
            ["--chdir=\(home.path)", program ?? path] + words,
            variables: variables.merging(more) { $1 },
            streams: streams.map(\.path)
        )
        let status = process.end()
        return Result(
            output: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self),
            status: status.signal == 0 ? status.code : status.signal,
            isSignal: status.signal != 0
        )
    }
}

/// A process that inherits nothing but its standard streams, and no signal mask.
///
/// Foundation's `Process` waits for all processes that inherit its socket, and does not report core dumps.
final class SpawnedProcess {
    struct Status: CustomStringConvertible {
        let number: Int32
        var code: Int32 { number >> 8 }
        var signal: Int32 { number & 0x7F }
        var isDumped: Bool { number & 0x80 != 0 }
        var description: String { signal == 0 ? "status \(code)" : "signal \(signal)" }
    }

    private(set) var number: pid_t = 0
    private var status: Status?

    /// Starts a program, with the paths of its standard input, output and error.
    init(
        _ program: String,
        _ words: [String],
        variables: [String: String],
        streams: [String] = ["/dev/null", "/dev/null", "/dev/null"]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, path) in streams.enumerated() {
            let flags = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, flags, 0o600)
        }
        keepOnlyStandardStreams(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = ([program] + words).map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        try #require(posix_spawn(&number, program, &actions, &attributes, arguments, environment) == 0)
    }

    /// Whether the process has ended by itself.
    var hasEnded: Bool {
        if status == nil { take(WNOHANG) }
        return status != nil
    }

    /// Sends the signal, unless the process has ended by itself.
    func end(by signal: Int32) {
        if !hasEnded { kill(number, signal) }
    }

    /// Waits for the end of the process.
    func end() -> Status {
        if status == nil { take(0) }
        return status ?? Status(number: 0)
    }

    private func take(_ flags: Int32) {
        var number: Int32 = 0
        if waitpid(self.number, &number, flags) == self.number { status = Status(number: number) }
    }
}
