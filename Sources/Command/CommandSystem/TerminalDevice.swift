internal import Glibc
internal import Synchronization
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
        echo: TerminalEcho
    ) throws(TerminalFailure) -> Int? {
        // Before the question, so that nothing of the answer is shown.
        if echo == .everything { HiddenTyping.end() } else { try HiddenTyping.begin(at: descriptor) }
        let interrupts = Interrupts.caught()
        defer { interrupts.end() }
        // Discard what was typed before the question.
        guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .file(.last(.read, Self.path)) }
        do throws(FileError) {
            try write(question)
        } catch {
            throw .file(error)
        }
        do throws(TerminalFailure) {
            let byteCount = try readLine(into: &buffer)
            if echo != .everything { try? write(echo.shown(of: buffer, byteCount ?? 0) + "\n") }
            return byteCount
        } catch {
            // Further messages must begin on a new line.
            try? write("\n")
            throw error
        }
    }

    private func readLine(into buffer: inout MutableSpan<UInt8>) throws(TerminalFailure) -> Int? {
        var byteCount = 0
        while true {
            if let signal = Interrupts.waitForInput(descriptor) { throw .interrupted(signal: signal) }
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

extension TerminalEcho {
    /// What is shown of a complete line.
    fileprivate func shown(of line: borrowing MutableSpan<UInt8>, _ byteCount: Int) -> String {
        guard case .words(let words) = self else { return "" }
        return words.first { word in
            word.utf8.count == byteCount && word.utf8.enumerated().allSatisfy { line[$0] | 0x20 == $1 }
        } ?? ""
    }
}

/// Hides what is typed, from a question for a secret until something else reads from the terminal or the process ends.
///
/// While a key is derived, users type the next secret, which must be seen neither there nor by the shell afterwards.
package enum HiddenTyping {
    private static let terminal = Mutex<(descriptor: Int32, saved: SavedTerminal)?>(nil)

    /// Hides what is typed from now on, and discards what was typed before.
    static func begin(at descriptor: Int32) throws(TerminalFailure) {
        try terminal.withLock { terminal throws(TerminalFailure) in
            if terminal == nil {
                let own = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                guard own >= 0, let saved = SavedTerminal(own) else { throw .file(.last(.read, "/dev/tty")) }
                Interrupts.restoreTerminalAtEnd()
                terminal = (own, saved)
            }
            guard let terminal else { return }
            var hidden = terminal.saved.modes
            hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL)
            hidden.c_lflag |= tcflag_t(ICANON | ISIG)
            guard unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else {
                throw .file(.last(.read, "/dev/tty"))
            }
        }
    }

    /// Restores the terminal, if it hides what is typed, and discards that.
    package static func end() {
        terminal.withLock { terminal in
            guard let (descriptor, saved) = terminal else { return }
            SavedTerminal.restore()
            saved.end()
            close(descriptor)
            terminal = nil
        }
    }
}

/// The settings of a terminal, and a text to write to it, for a signal that ends the process before it can restore them.
@safe struct SavedTerminal {
    /// For signal handlers, which must not access Swift objects: the terminal, its settings and the text.
    private static let terminal = Atomic<Int32>(-1)
    private static let settings = Atomic<UInt>(0)
    private static let text = Atomic<UInt>(0)
    private static let textByteCount = Atomic<Int>(0)

    private let descriptor: Int32
    private let former: UnsafeMutablePointer<termios>
    private let farewell: UnsafeMutableBufferPointer<UInt8>

    /// Saves the settings until `end()`; nil if the descriptor does not belong to a terminal.
    init?(_ descriptor: Int32, farewell bytes: [UInt8] = []) {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        unsafe former = .allocate(capacity: 1)
        unsafe former.initialize(to: settings)
        unsafe farewell = .allocate(capacity: bytes.count)
        unsafe _ = farewell.initialize(from: bytes)
        unsafe Self.settings.store(UInt(bitPattern: former), ordering: .sequentiallyConsistent)
        unsafe Self.text.store(UInt(bitPattern: farewell.baseAddress), ordering: .sequentiallyConsistent)
        Self.textByteCount.store(bytes.count, ordering: .sequentiallyConsistent)
        Self.terminal.store(descriptor, ordering: .sequentiallyConsistent)
    }

    /// The saved settings.
    var modes: termios { unsafe former.pointee }

    /// Forgets the settings, which the caller has restored.
    func end() {
        Self.terminal.store(-1, ordering: .sequentiallyConsistent)
        unsafe former.deallocate()
        unsafe farewell.deallocate()
    }

    /// Writes the text and restores the settings, if any are saved; safe in a signal handler.
    static func restore() {
        let descriptor = terminal.load(ordering: .sequentiallyConsistent)
        // A process in the background would be stopped, and the shell has restored the settings.
        guard descriptor >= 0, tcgetpgrp(descriptor) == getpgrp() else { return }
        let address = text.load(ordering: .sequentiallyConsistent)
        let byteCount = textByteCount.load(ordering: .sequentiallyConsistent)
        if byteCount > 0 { unsafe _ = write(descriptor, UnsafeRawPointer(bitPattern: address), byteCount) }
        let former = unsafe UnsafePointer<termios>(bitPattern: settings.load(ordering: .sequentiallyConsistent))
        guard let former = unsafe former else { return }
        unsafe _ = tcsetattr(descriptor, TCSAFLUSH, former)
    }
}
