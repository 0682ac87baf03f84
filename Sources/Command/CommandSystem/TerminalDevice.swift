internal import Glibc
package import VaultFiles

/// The controlling terminal of the process, `/dev/tty`.
package final class TerminalDevice: Terminal {
    private static let path = "/dev/tty"
    /// The longest line that is certainly complete: Linux silently cuts off longer ones after 4,095 bytes.
    private static let lineByteCountLimit = 4094
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The terminal, if the process has one.
    package static func opened() -> TerminalDevice? {
        let descriptor = SystemCall.retryingInterrupted { unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY) }
        return descriptor >= 0 ? TerminalDevice(descriptor) : nil
    }

    /// The width in columns of the terminal at `descriptor`.
    static func columnCount(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    package func write(_ text: String) throws(FileError) {
        try SystemCall.write(text.utf8Span.span, to: descriptor, called: Self.path)
    }

    package func ask(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>,
        isSecret: Bool
    ) throws(TerminalFailure) -> Int? {
        let interrupts = Interrupts.caught()
        defer { interrupts.end() }
        guard isSecret else {
            // Discard what was typed before the question.
            guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .file(.last(.read, Self.path)) }
            return try answer(question, into: &buffer)
        }
        guard let saved = SavedTerminal(descriptor) else { throw .file(.last(.read, Self.path)) }
        defer { saved.end() }
        var (former, hidden) = (saved.modes, saved.modes)
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        // Before the question, so that nothing of the answer is shown; this also discards what was typed earlier.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { throw .file(.last(.read, Self.path)) }
        defer { unsafe _ = tcsetattr(descriptor, TCSADRAIN, &former) }
        return try answer(question, into: &buffer)
    }

    private func answer(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>
    ) throws(TerminalFailure) -> Int? {
        do throws(FileError) {
            try write(question)
        } catch {
            throw .file(error)
        }
        return try readLine(into: &buffer)
    }

    private func readLine(into buffer: inout MutableSpan<UInt8>) throws(TerminalFailure) -> Int? {
        var byteCount = 0
        while true {
            if let signal = Interrupts.waitForInput(descriptor) {
                // Further messages must begin on a new line.
                try? write("\n")
                throw .interrupted(signal: signal)
            }
            var byte: UInt8 = 0
            let count = unsafe read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(.last(.read, Self.path)) }
            // The end of the input also ends an incomplete line.
            guard count > 0 else { return byteCount > 0 ? byteCount : nil }
            guard byte != UInt8(ascii: "\n") else {
                guard byteCount <= Self.lineByteCountLimit else {
                    throw .cut(byteCountLimit: Self.lineByteCountLimit)
                }
                return byteCount
            }
            if byteCount < buffer.count { buffer[byteCount] = byte }
            byteCount += 1
        }
    }
}
