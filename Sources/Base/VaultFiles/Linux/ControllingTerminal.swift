internal import CofferBasics
internal import Glibc

/// The controlling terminal of the process, for a question whose answer is not shown.
package struct ControllingTerminal: ~Copyable {
    private static let path = "/dev/tty"
    /// How often a question checks whether it is still wanted, in milliseconds.
    private static let pollInterval: Int32 = 100
    private let descriptor: Int32

    /// Opens the terminal; nil if there is none, or if the process is in the background.
    package init?() {
        let opened = unsafe open(Self.path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { return nil }
        guard tcgetpgrp(opened) == getpgrp() else {
            close(opened)
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Shows `question` and reads a line.
    ///
    /// - Parameters:
    ///   - question: The question, on the line of the answer.
    ///   - bytes: Where the answer goes; it can have at most as many bytes.
    ///   - isWanted: Whether an answer is still wanted.
    /// - Returns: The size of the answer; nil if the user cancels, or the answer is no longer wanted.
    /// - Throws: The error of the terminal.
    package func secret(
        _ question: String,
        into bytes: inout MutableSpan<UInt8>,
        while isWanted: () -> Bool
    ) throws(FileError) -> Int? {
        var former = termios()
        guard unsafe tcgetattr(descriptor, &former) == 0 else { throw .last(.read, Self.path) }
        var hidden = former
        // Without signals: one would end the process while the terminal shows nothing of what is typed.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { throw .last(.read, Self.path) }
        defer {
            unsafe _ = tcsetattr(descriptor, TCSADRAIN, &former)
            try? write("\n")
        }
        try write(question)
        var line = SecretLine()
        while isWanted() {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&state, 1, Self.pollInterval) > 0 else { continue }
            var byte: UInt8 = 0
            let count = unsafe read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last(.read, Self.path) }
            switch line.take(byte, &bytes) {
            case .more: continue
            case .end(let byteCount): return byteCount
            case .cancel: return nil
            }
        }
        return nil
    }

    private func write(_ text: String) throws(FileError) {
        try SystemCall.write(text.utf8Span.span, to: descriptor, called: Self.path)
    }
}

/// A line that is typed without being shown.
struct SecretLine {
    /// What a byte means.
    enum Step: Equatable {
        case more
        case end(byteCount: Int)
        case cancel
    }

    private var byteCount = 0
    /// Whether the line has more bytes than there is room for.
    private var isCut = false

    /// Takes the next byte.
    mutating func take(_ byte: UInt8, _ bytes: inout MutableSpan<UInt8>) -> Step {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return isCut ? .cancel : .end(byteCount: byteCount)
        // Control-C, control-D and control-\.
        case 0x03, 0x04, 0x1C: return .cancel
        // Control-U.
        case 0x15:
            erase(to: 0, &bytes)
            isCut = false
        case 0x08, 0x7F:
            var start = max(byteCount - 1, 0)
            // A character of several bytes is erased as a whole.
            while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
            erase(to: start, &bytes)
        case _ where byteCount < bytes.count:
            bytes[byteCount] = byte
            byteCount += 1
        default: isCut = true
        }
        return .more
    }

    private mutating func erase(to start: Int, _ bytes: inout MutableSpan<UInt8>) {
        for index in start..<byteCount { bytes[index] = 0 }
        byteCount = start
    }
}
