internal import CLinux
internal import Glibc

/// What a command writes, for those who keep a secret behind one.
package enum CommandOutput {
    /// How a command ended that gave nothing to use.
    package enum Failure: Error, Equatable, Sendable {
        /// The system did not start it, with this error number.
        case notStarted(Int32)
        /// What it wrote could not be read.
        case unreadable(FileError)
        /// It ended, and the system does not tell how: somebody else in this process has asked, or wants nobody to know.
        case unknownEnd
        /// It ended with a status other than 0.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
    }

    /// Runs `command` with the shell and reads what it writes until `buffer` is full or it ends.
    ///
    /// It reads nothing, and what it says goes where this process says things.
    ///
    /// - Returns: How many bytes it wrote into the buffer.
    package static func read(_ command: String, into buffer: inout MutableSpan<UInt8>) throws(Failure) -> Int {
        let (process, byteCount) = try started(command, into: &buffer)
        guard let status = end(of: process) else { throw .unknownEnd }
        // As the macros of C take it apart, which Swift does not see.
        guard status & 0x7F == 0 else { throw .signal(status & 0x7F) }
        guard status >> 8 == 0 else { throw .status(status >> 8 & 0xFF) }
        return byteCount
    }

    /// Starts a command and reads what it writes; a command that goes on is told by a broken pipe.
    private static func started(
        _ command: String,
        into buffer: inout MutableSpan<UInt8>
    ) throws(Failure) -> (process: pid_t, byteCount: Int) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .notStarted(errno) }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try start(command, writingTo: ends[1])
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

    private static func start(_ command: String, writingTo descriptor: Int32) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A program may ignore broken pipes; the command would too.
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

    /// The status of a process that has ended, or ends now, if the system tells.
    private static func end(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        let ended = SystemCall.retryingInterrupted { unsafe waitpid(process, &status, 0) }
        return ended == process ? status : nil
    }
}
