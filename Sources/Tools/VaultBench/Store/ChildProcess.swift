import Foundation

/// This program in another process, which does one thing and answers with numbers.
struct ChildProcess {
    /// The first argument of a child process.
    static let verb = "child"

    /// The numbers that the child answered, and the times of its start and end.
    struct Answer {
        let numbers: [Double]
        let start: Double
        let end: Double
    }

    /// Runs this program with `arguments` and waits until it ends.
    static func run(_ arguments: [String]) throws -> Answer {
        var pipe: [Int32] = [-1, -1]
        guard Foundation.pipe(&pipe) == 0 else { throw CocoaError(.executableLoad) }
        defer { close(pipe[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        for end in pipe { posix_spawn_file_actions_addclose(&actions, end) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words = ([CommandLine.arguments[0], verb] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }

        var process = pid_t()
        let start = Measurement.sharedNanoseconds()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, environ)
        close(pipe[1])
        guard code == 0 else { throw CocoaError(.executableLoad) }
        var status: Int32 = 0
        let isReaped = waitpid(process, &status, 0) == process
        let end = Measurement.sharedNanoseconds()
        guard isReaped, status == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        return Answer(numbers: try numbers(in: pipe[0]), start: start, end: end)
    }

    /// Reads the line that a child wrote before it ended; it fits into the pipe.
    private static func numbers(in descriptor: Int32) throws -> [Double] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let byteCount = read(descriptor, &bytes, bytes.count)
        guard byteCount >= 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: bytes[..<byteCount], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
    }

    /// Sends `numbers` to the parent process, with a call that needs no library setup.
    static func answer(_ numbers: [Double]) {
        let line = Array(numbers.map { "\($0)" }.joined(separator: " ").utf8)
        _ = write(1, line, line.count)
    }
}
