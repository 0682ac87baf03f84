internal import CCofferLinux
internal import Glibc
internal import VaultFiles

/// A child process whose standard input and output are connected to this process.
final class ConnectedProgram: ProgramConnection {
    /// How often its end is looked for, and how often in vain.
    private static let patience = 200
    private static let lookInterval: UInt32 = 10_000

    private let number: pid_t
    private let streams: [SocketStream]
    private var outcome: ProgramOutcome??

    var output: any ByteInput { streams[1] }
    var input: any ByteOutput { streams[0] }

    init(_ program: ProgramCall) throws(ProgramFailure) {
        let name = program.words.first ?? ""
        let path = try ProgramPath.find(name)
        // One for each direction: a program may change how its own end works.
        var own: [SocketStream] = []
        var others: [(descriptor: Int32, standard: Int32)] = []
        defer { for other in others { close(other.descriptor) } }
        for standard in [STDIN_FILENO, STDOUT_FILENO] {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                throw .system(FileError.Reason(number: errno))
            }
            own.append(SocketStream(ends[0], name: name))
            others.append((descriptor: ends[1], standard: standard))
        }
        let noVariables: [UInt8] = []
        switch ChildProgram.spawn(path, program, adding: noVariables.span, streams: others) {
        case .success(let number):
            self.number = number
            streams = own
        case .failure(let code): throw ChildProgram.failure(code)
        }
    }

    deinit { _ = end() }

    func end() -> ProgramOutcome? {
        if let outcome { return outcome }
        for stream in streams { stream.end() }
        var status: Int32 = 0
        // A program that does not end by itself is ended: the other side of ssh may hang.
        var ended: pid_t = 0
        var lookCount = 0
        while ended == 0 {
            ended = SystemCall.retryingInterrupted { unsafe waitpid(number, &status, WNOHANG) }
            if ended == 0 { usleep(Self.lookInterval) }
            lookCount += 1
            if lookCount == Self.patience { kill(number, SIGTERM) }
        }
        let outcome = ended == number ? ProgramOutcome(waitStatus: status) : nil
        self.outcome = .some(outcome)
        return outcome
    }
}

/// A socket that is connected to another program.
private final class SocketStream: ByteInput, ByteOutput {
    private let descriptor: Int32
    private let name: String

    let isTerminal = false
    let columnCount: Int? = nil

    init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// Ends the stream in both directions.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        try SequentialInput.read(descriptor, called: name, into: &buffer)
    }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        let byteCount = unsafe buffer.withUnsafeMutableBytes { bytes in
            SystemCall.retryingInterrupted { unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count) }
        }
        // A program that was killed with unread input resets the connection.
        guard byteCount >= 0 || errno == ECONNRESET else { throw .last(.read, name) }
        return max(0, byteCount)
    }

    func hasMore(within timeout: Duration) throws(FileError) -> Bool {
        try SystemCall.waitToRead(descriptor, within: timeout, called: name)
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            // Without SIGPIPE, which would end this process.
            let byteCount = unsafe bytes.extracting(offset...).withUnsafeBytes { bytes in
                SystemCall.retryingInterrupted {
                    unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
            }
            guard byteCount >= 0 else { throw .last(.write, name) }
            offset += byteCount
        }
    }
}

extension SystemCall {
    /// Waits until there is something to read from a descriptor, or its stream has ended.
    static func waitToRead(_ descriptor: Int32, within timeout: Duration, called name: String) throws(FileError) -> Bool
    {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(
            clamping: timeout.components.seconds * 1000
                + timeout.components.attoseconds / 1_000_000_000_000_000
        )
        // After a signal it returns early, like at the end of the time.
        let count = unsafe poll(&entry, 1, milliseconds)
        guard count >= 0 || errno == EINTR else { throw .last(.read, name) }
        return count > 0
    }
}
