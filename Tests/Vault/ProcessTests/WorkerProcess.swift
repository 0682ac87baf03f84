import Foundation
import TestSupport
import Testing

/// A running worker.
final class WorkerProcess {
    /// How long to wait before a worker counts as stuck, far longer than any of its work takes.
    private static let patience: TimeInterval = 120

    let number: Int32

    /// Starts a worker.
    init(_ verb: String, in directory: URL, number: Int = 0) throws {
        // The program is next to the one that runs the tests.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program: String = URL(filePath: own).deletingLastPathComponent().appending(path: "StoreWorker").path
        let texts: [String] = [program, verb, directory.path, String(number)]
        let arguments = texts.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        keepOnlyStandardStreams(&actions)
        var process: pid_t = 0
        let error = posix_spawn(&process, program, &actions, nil, arguments + [nil], environ)
        try #require(error == 0, "\(program) cannot be started")
        self.number = process
    }

    private var status: Int32?

    /// Whether the worker has ended.
    var hasEnded: Bool {
        if status != nil { return true }
        var found: Int32 = 0
        guard waitpid(number, &found, WNOHANG) == number else { return false }
        status = found
        return true
    }

    func kill() {
        guard !hasEnded else { return }
        _ = Glibc.kill(number, SIGKILL)
        var found: Int32 = 0
        _ = waitpid(number, &found, 0)
        status = found
    }

    /// Waits until the worker has ended by itself, and returns whether it succeeded.
    func succeeds() throws -> Bool {
        try Self.wait("worker \(number) is stuck") { hasEnded }
        return status == 0
    }

    deinit { kill() }

    /// Waits until a condition holds.
    static func wait(_ message: Comment, for condition: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: patience)
        while try !condition() {
            try #require(Date.now < deadline, message)
            usleep(1000)
        }
    }

}
