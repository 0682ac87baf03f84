internal import CCofferLinux
internal import Glibc
internal import VaultFiles

/// A program that runs as a child process.
struct ChildProgram {
    let number: pid_t
    /// The descriptors for reading its standard output and standard error, if this process takes them.
    private(set) var streams: [Int32]
    /// Whether a receiver has refused its output.
    private var isRefused = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - variables: The variables to add to its environment.
    ///   - takesStreams: Whether this process reads its output.
    /// - Throws: `ProgramFailure` if it cannot be started.
    init(_ program: ProgramCall, adding variables: Span<UInt8>, takesStreams: Bool) throws(ProgramFailure) {
        let path = try ProgramPath.find(program.words.first ?? "")
        var pipes: [[Int32]] = []
        defer { for pipe in pipes { close(pipe[1]) } }
        if takesStreams {
            for _ in 0..<2 {
                var ends: [Int32] = [-1, -1]
                guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
                    let reason = FileError.Reason(number: errno)
                    for pipe in pipes { close(pipe[0]) }
                    throw .system(reason)
                }
                pipes.append(ends)
                // Only this end: the program expects its own end to block.
                _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            }
        }
        let targets = zip(pipes, [STDOUT_FILENO, STDERR_FILENO]).map { (descriptor: $0[1], standard: $1) }
        switch Self.spawn(path, program, adding: variables, streams: targets) {
        case .success(let number):
            self.number = number
            streams = pipes.map { $0[0] }
        case .failure(let code):
            for pipe in pipes { close(pipe[0]) }
            throw Self.failure(code)
        }
    }

    /// The failure for an error number from starting a program.
    static func failure(_ code: Int32) -> ProgramFailure {
        switch code {
        case ENOENT, ENOTDIR: .notFound
        case E2BIG: .tooLong
        case EAGAIN, ENOMEM, EMFILE, ENFILE: .system(.init(number: code))
        default: .notExecutable(.init(number: code))
        }
    }

    enum SpawnResult {
        case success(pid_t)
        case failure(Int32)
    }

    /// Starts a program, some of whose standard streams are descriptors of this process.
    static func spawn(
        _ path: String,
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        streams: [(descriptor: Int32, standard: Int32)]
    ) -> SpawnResult {
        let result = spawn(path, program.words, program, adding: variables, streams)
        // A file without an interpreter line is run by the shell.
        guard case .failure(ENOEXEC) = result else { return result }
        return spawn("/bin/sh", ["sh", path] + program.words.dropFirst(), program, adding: variables, streams)
    }

    private static func spawn(
        _ path: String,
        _ words: [String],
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        _ streams: [(descriptor: Int32, standard: Int32)]
    ) -> SpawnResult {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, standard) in streams {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
        }
        return unsafe ProgramMemory.with(words, program, adding: variables) { arguments, environment in
            var process: pid_t = 0
            let code = CoreDumps.withFormerLimit {
                unsafe posix_spawn(&process, path, &actions, nil, arguments, environment)
            }
            return code == 0 ? .success(process) : .failure(code)
        }
    }

    /// Waits for the program to end, passing on its output and the signals that arrive.
    ///
    /// - Parameters:
    ///   - signals: The signals.
    ///   - sinks: The receivers of its output, one for each stream.
    ///   - timeLimit: After how long it is killed, or as soon as a receiver refuses its output; nil if never.
    /// - Returns: How it ended; nil if the system does not report it.
    mutating func wait(
        _ signals: ForwardedSignals,
        _ sinks: [any ProgramSink],
        timeLimit: Duration?
    ) -> ProgramOutcome? {
        var end = timeLimit.map { ContinuousClock.now + $0 }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The output may contain secrets, which must not stay in memory.
        defer { for index in buffer.indices { buffer[index] = 0 } }
        while true {
            var entries = ([signals.descriptor] + streams).map { descriptor in
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            }
            let wait = end.map(Self.milliseconds) ?? -1
            guard unsafe poll(&entries, nfds_t(entries.count), wait) >= 0 || errno == EINTR else { break }
            for index in streams.indices where entries[index + 1].revents != 0 { read(index, sinks[index], &buffer) }
            if let time = end, isRefused || ContinuousClock.now >= time {
                kill(number, SIGKILL)
                end = nil
            }
            let arrived = signals.arrived()
            for signal in arrived where signal != SIGCHLD { kill(number, signal) }
            // If many signals arrive at once, some are lost, and SIGCHLD may be one of them.
            guard !arrived.isEmpty, let outcome = outcome(WNOHANG) else { continue }
            finish(sinks, &buffer)
            return outcome ?? nil
        }
        return outcome(0) ?? nil
    }

    /// How long it is until `end`, rounded up.
    private static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: max(0, Int(((end - .now) / .milliseconds(1)).rounded(.up))))
    }

    /// How the program ended, with an inner nil if the system does not report it; nil if it is still running.
    private func outcome(_ flags: Int32) -> ProgramOutcome?? {
        var status: Int32 = 0
        let ended = SystemCall.retryingInterrupted { unsafe waitpid(number, &status, flags) }
        guard ended != 0 else { return nil }
        guard ended == number else { return .some(nil) }
        return .some(ProgramOutcome(waitStatus: status))
    }

    /// Reads the remaining output; does not wait for other processes that still write.
    private mutating func finish(_ sinks: [any ProgramSink], _ buffer: inout [UInt8]) {
        for index in streams.indices where streams[index] >= 0 {
            // Another process may keep writing, so only what is there now is read.
            var leftCount: Int32 = 0
            unsafe _ = ioctl(streams[index], UInt(FIONREAD), &leftCount)
            var restCount = Int(leftCount)
            while restCount > 0, let byteCount = read(index, sinks[index], &buffer) { restCount -= byteCount }
            if streams[index] >= 0 { end(index, sinks[index]) }
        }
    }

    /// Reads what is available from a stream; returns the number of bytes, nil if there are none now or it has ended.
    @discardableResult
    private mutating func read(_ index: Int, _ sink: any ProgramSink, _ buffer: inout [UInt8]) -> Int? {
        let descriptor = streams[index]
        guard descriptor >= 0 else { return nil }
        let byteCount = SystemCall.retryingInterrupted {
            unsafe Glibc.read(descriptor, &buffer, buffer.count)
        }
        guard byteCount >= 0 || errno != EAGAIN else { return nil }
        guard byteCount > 0 else {
            end(index, sink)
            return nil
        }
        do throws(FileError) {
            try sink.take(buffer.span.extracting(..<byteCount))
        } catch {
            // The program notices the closed pipe. The sink has recorded the error.
            isRefused = true
            close(descriptor)
            streams[index] = -1
        }
        return byteCount
    }

    private mutating func end(_ index: Int, _ sink: any ProgramSink) {
        close(streams[index])
        streams[index] = -1
        try? sink.end()
    }
}

extension ProgramOutcome {
    /// Killed, as by its time limit.
    package static let killed = ProgramOutcome.signal(SIGKILL)

    /// The signal with which a user has stopped it; nil if it ended otherwise.
    package var stopSignal: Int32? {
        guard case .signal(let number) = self, [SIGHUP, SIGINT, SIGQUIT, SIGTERM].contains(number) else { return nil }
        return number
    }

    /// The outcome that `waitpid` reports.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .status(UInt8(truncatingIfNeeded: waitStatus >> 8)) : .signal(signal)
    }
}
