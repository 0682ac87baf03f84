package import CofferBasics
internal import Glibc
package import VaultFiles

/// What a command does with the system besides reading and writing, as a seam for tests.
package protocol Machine: ProgramRunning {
    /// The name of the machine in its network; "machine" if the system has none.
    var hostName: String { get }

    /// Runs `body` with signals that ask the process to end recorded instead of obeyed; `signal` returns the last one.
    func recordingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Runs `body` so that a signal that asks the process to end writes `bytes` to standard error and ends it at once.
    func writingIfInterrupted<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// The machine on which the process runs.
package final class LinuxMachine: Machine {
    /// Whether to create files in memory, if the system can do that.
    let makesMemoryFiles: Bool

    package init(makesMemoryFiles: Bool = true) {
        self.makesMemoryFiles = makesMemoryFiles
    }

    package var hostName: String { HostName.current }

    package func recordingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let interrupts = Interrupts.caught()
        defer { interrupts.end() }
        return try body { Interrupts.signal }
    }

    package func writingIfInterrupted<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let words = InterruptionMessage(bytes)
        defer { words.end() }
        return try body()
    }
}

/// Local time.
package enum LocalTime {
    /// How many seconds local time is ahead of UTC at a time given in seconds since 1970.
    package static func secondsFromUTC(at seconds: Int64) -> Int {
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
        return unsafe parts.tm_gmtoff
    }
}

extension ProgramCall {
    /// Marks the descriptors that the program must not inherit; it always inherits the standard streams.
    ///
    /// It may use the terminal too, which must be as the user knows it.
    fileprivate func prepare() {
        HiddenTyping.end()
        for descriptor in closedDescriptors where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}

extension LinuxMachine {
    package var processNumber: Int32 { getpid() }

    package func become(
        _ program: ProgramCall,
        adding variables: Span<UInt8>
    ) throws(ProgramFailure) -> ProgramOutcome {
        program.prepare()
        let path = try ProgramPath.find(program.words.first ?? "")
        ForwardedSignals.letThrough()
        var code = unsafe ProgramMemory.with(program.words, program, adding: variables) { arguments, environment in
            CoreDumps.withFormerLimit {
                unsafe execve(path, arguments, environment)
                return errno
            }
        }
        // A file without an interpreter line is run by the shell.
        if code == ENOEXEC {
            let words = ["sh", path] + program.words.dropFirst()
            code = unsafe ProgramMemory.with(words, program, adding: variables) { arguments, environment in
                CoreDumps.withFormerLimit {
                    unsafe execve("/bin/sh", arguments, environment)
                    return errno
                }
            }
        }
        throw ChildProgram.failure(code)
    }

    package func run(
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        streams: ProgramStreams?
    ) throws(ProgramFailure) -> ProgramOutcome {
        program.prepare()
        guard let signals = ForwardedSignals() else { throw .system(.init(number: errno)) }
        defer { signals.end() }
        var child = try ChildProgram(program, adding: variables, takesStreams: streams != nil)
        let outcome = child.wait(
            signals,
            streams.map { [$0.output, $0.errors] } ?? [],
            timeLimit: program.timeLimit
        )
        guard let outcome else { throw .system(.init(number: ECHILD)) }
        return outcome
    }

    package func connect(to program: ProgramCall) throws(ProgramFailure) -> any ProgramConnection {
        program.prepare()
        return try ConnectedProgram(program)
    }

    package func memoryFile(
        named name: String,
        holding bytes: Span<UInt8>,
        isInherited: Bool
    ) throws(FileError) -> Int32? {
        guard makesMemoryFiles else { return nil }
        // Other processes can open a memory file only if they may access the process that holds it.
        if !isInherited { CoreDumps.allowAccess() }
        return try PrivateFiles.inMemory(name, bytes, isInherited: isInherited)
    }

    package func privateDirectory(in parents: [String]) throws(FileError) -> (path: String, isInMemory: Bool) {
        try PrivateFiles.directory(in: parents)
    }

    package func privateFile(at path: String, holding bytes: Span<UInt8>) throws(FileError) {
        try PrivateFiles.make(path, bytes)
    }

    package func privateFileContent(at path: String, byteCountLimit: Int) throws(FileError) -> HeldSecret? {
        try SequentialInput.secret(of: path, byteCountLimit: byteCountLimit)
    }

    package func removePrivateDirectory(_ path: String) { PrivateFiles.remove(path) }
}
