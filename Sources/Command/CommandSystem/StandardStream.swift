internal import Glibc
package import VaultFiles

/// The standard input of the process.
package final class StandardInput: ByteInput {
    private let isOpen: Bool

    init(isOpen: Bool) {
        self.isOpen = isOpen
    }

    package var isTerminal: Bool { isOpen && isatty(STDIN_FILENO) == 1 }

    package func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        guard isOpen else { throw FileError(.read, "standard input", reason: .other(EBADF)) }
        if isTerminal { HiddenTyping.end() }
        return try SequentialInput.read(STDIN_FILENO, called: "standard input", into: &buffer)
    }

    package func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        guard isOpen else { throw FileError(.read, "standard input", reason: .other(EBADF)) }
        if isTerminal { HiddenTyping.end() }
        let byteCount = unsafe buffer.withUnsafeMutableBytes { bytes in
            SystemCall.retryingInterrupted { unsafe Glibc.read(STDIN_FILENO, bytes.baseAddress, bytes.count) }
        }
        guard byteCount >= 0 else { throw .last(.read, "standard input") }
        return byteCount
    }

    package func hasMore(within timeout: Duration) throws(FileError) -> Bool {
        try SystemCall.waitToRead(STDIN_FILENO, within: timeout, called: "standard input")
    }
}

/// The standard output of the process, or its standard error.
package final class StandardOutput: ByteOutput {
    private let descriptor: Int32
    private let name: String
    private let isOpen: Bool
    package private(set) var hasNoReader = false

    init(_ descriptor: Int32, _ name: String, isOpen: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.isOpen = isOpen
    }

    package var isTerminal: Bool { isOpen && isatty(descriptor) == 1 }

    package var columnCount: Int? { isOpen ? TerminalDevice.columnCount(of: descriptor) : nil }

    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard isOpen else { throw FileError(.write, name, reason: .other(EBADF)) }
        var failure: FileError?
        // SIGPIPE would end the process in the middle of its work, before it can report what was done.
        StandardError.ignoringBrokenPipe {
            do throws(FileError) {
                try SystemCall.write(bytes, to: descriptor, called: name)
            } catch {
                failure = error
            }
        }
        guard let failure else { return }
        hasNoReader = failure.reason == .init(number: EPIPE) && !CaughtSignals.isIgnored(SIGPIPE)
        throw failure
    }
}

/// The three standard streams, some of which may be closed.
package struct StandardStreams {
    package let input: StandardInput
    package let output: StandardOutput
    package let errors: StandardOutput

    /// The streams of this process.
    ///
    /// A closed descriptor is opened on `/dev/null`: otherwise the next file to be opened would get its number, and
    /// output could be written into a vault.
    package init() {
        let isOpen = (0...2).map { (descriptor: Int32) -> Bool in
            let isOpen = fcntl(descriptor, F_GETFD) != -1
            if !isOpen { unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) }
            return isOpen
        }
        input = StandardInput(isOpen: isOpen[0])
        output = StandardOutput(STDOUT_FILENO, "standard output", isOpen: isOpen[1])
        errors = StandardOutput(STDERR_FILENO, "standard error", isOpen: isOpen[2])
    }
}
