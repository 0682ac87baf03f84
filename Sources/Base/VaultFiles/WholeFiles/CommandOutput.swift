internal import CCofferLinux
internal import Glibc

/// Runs a command and reads its output, such as a secret that another tool keeps.
package enum CommandOutput {
    /// Why a command produced no usable output.
    package enum Failure: Error, Equatable, Sendable {
        /// The system could not start it; carries the error number.
        case notStarted(Int32)
        /// Its output could not be read.
        case unreadable(FileError)
        /// It ended, but its status is unknown: another thread collected it, or the process ignores SIGCHLD.
        case unknownEnd
        /// It exited with a status other than 0.
        case status(Int32)
        /// It was ended by a signal.
        case signal(Int32)
    }

    /// Runs `command` with the shell and reads its output until `buffer` is full or the output ends.
    ///
    /// The command's standard error is that of this process.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - input: Its standard input; nil for an empty one.
    ///   - buffer: Where its output goes.
    /// - Returns: How many bytes it wrote into the buffer.
    /// - Throws: Why there is no output.
    package static func read(
        _ command: String,
        input: Span<UInt8>? = nil,
        into buffer: inout MutableSpan<UInt8>
    ) throws(Failure) -> Int {
        let (process, byteCount) = try started(command, input, into: &buffer)
        guard let status = end(of: process) else { throw .unknownEnd }
        // Equivalent to WIFSIGNALED and WEXITSTATUS, which Swift does not import.
        guard status & 0x7F == 0 else { throw .signal(status & 0x7F) }
        guard status >> 8 == 0 else { throw .status(status >> 8 & 0xFF) }
        return byteCount
    }

    /// Starts a command and reads its output; if the command writes more than that, it gets a broken pipe.
    private static func started(
        _ command: String,
        _ input: Span<UInt8>?,
        into buffer: inout MutableSpan<UInt8>
    ) throws(Failure) -> (process: pid_t, byteCount: Int) {
        let input = try file(with: input)
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .notStarted(errno) }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try start(command, readingFrom: input, writingTo: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        do throws(FileError) {
            defer { close(ends[0]) }
            return (process, try SequentialInput.read(ends[0], called: "the output of a command", into: &buffer))
        } catch {
            _ = end(of: process)
            throw .unreadable(error)
        }
    }

    /// Returns a file in memory with these bytes, or an empty one, at its start.
    private static func file(with bytes: Span<UInt8>?) throws(Failure) -> Int32 {
        // MFD_CLOEXEC, which is missing from the module.
        let file = unsafe memfd_create("input", 1)
        guard file >= 0 else { throw .notStarted(errno) }
        do throws(FileError) {
            if let bytes { try SystemCall.write(bytes, to: file, called: "the input of a command") }
        } catch {
            close(file)
            throw .notStarted(error.reason.number)
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private static func start(
        _ command: String,
        readingFrom input: Int32,
        writingTo output: Int32
    ) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This program may ignore SIGPIPE, and the command would inherit that.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = ["/bin/sh", "-c", command]
        let arguments = unsafe words.map { word in unsafe strdup(word) }
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = CoreDumps.withFormerLimit {
            unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments + [nil], environ)
        }
        guard code == 0 else { throw .notStarted(code) }
        return process
    }

    /// The status of a process once it has ended, or nil if the system does not know it.
    private static func end(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        let ended = SystemCall.retryingInterrupted { unsafe waitpid(process, &status, 0) }
        return ended == process ? status : nil
    }
}
