internal import CCofferLinux
internal import Glibc
package import VaultFiles

/// The controlling terminal of the process, for a program that uses the whole screen.
package final class ScreenDevice: ScreenTerminal {
    private static let ownPath = "/dev/tty"

    private let descriptor: Int32
    private var session: ScreenSession?

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The terminal, if the process has one.
    package static func opened() -> ScreenDevice? {
        let descriptor = SystemCall.retryingInterrupted { unsafe open(ownPath, O_RDWR | O_CLOEXEC | O_NOCTTY) }
        return descriptor >= 0 ? ScreenDevice(descriptor) : nil
    }

    package var path: String {
        // The name by which it was opened means another terminal elsewhere.
        let device = coffer_terminal_device(descriptor)
        let (major, minor) = ((device & 0xFFF00) >> 8, device & 0xFF | device >> 12 & 0xFFF00)
        return switch (major, minor) {
        case (136...143, _): "/dev/pts/\((major - 136) << 8 | minor)"
        case (4, ..<64): "/dev/tty\(minor)"
        case (4, _): "/dev/ttyS\(minor - 64)"
        default: Self.ownPath
        }
    }

    package var size: ScreenSize {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemCall.write(bytes, to: descriptor, called: Self.ownPath)
    }

    package func read(
        into buffer: inout MutableSpan<UInt8>,
        within timeout: Duration
    ) throws(FileError) -> ScreenInput {
        // The signals are blocked except while waiting: one that arrives just before the wait would go unnoticed.
        let signals = EndingSignals.all + [SIGWINCH]
        var (held, former) = (CaughtSignals.set(of: signals), sigset_t())
        unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &former, nil) }
        if let signal = Interrupts.signal { return .signal(signal) }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let (seconds, attoseconds) = timeout.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let count = unsafe ppoll(&wanted, 1, &time, &former)
        if let signal = Interrupts.signal { return .signal(signal) }
        guard count > 0 else { return .nothing }
        let byteCount = unsafe buffer.withUnsafeMutableBytes { bytes in
            SystemCall.retryingInterrupted { unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count) }
        }
        return byteCount > 0 ? .bytes(byteCount) : .end
    }

    package func whole<Result>(farewell: [UInt8], _ body: () throws -> Result) throws -> Result {
        HiddenTyping.end()
        guard let session = ScreenSession(descriptor, farewell: farewell) else {
            throw FileError.last(.write, Self.ownPath)
        }
        self.session = session
        defer {
            session.end()
            self.session = nil
        }
        return try body()
    }

    package func suspend() {
        session?.leave()
        kill(getpid(), SIGSTOP)
        session?.enter()
    }
}

/// A terminal whose every key reaches this process, until the session ends or the process crashes.
struct ScreenSession {
    private let descriptor: Int32
    private let saved: SavedTerminal
    private let interrupts: Interrupts
    private let resizing: CaughtSignals

    init?(_ descriptor: Int32, farewell: [UInt8]) {
        guard let saved = SavedTerminal(descriptor, farewell: farewell) else { return nil }
        (self.descriptor, self.saved) = (descriptor, saved)
        interrupts = Interrupts.caught()
        var action = sigaction()
        // With a handler, the signal interrupts the wait for input.
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        resizing = CaughtSignals([SIGWINCH], action)
        enter()
    }

    func enter() {
        var settings = saved.modes
        unsafe cfmakeraw(&settings)
        unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    func leave() { SavedTerminal.restore() }

    func end() {
        leave()
        resizing.end()
        interrupts.end()
        saved.end()
    }
}

/// The user's terminal for a program that uses the whole screen, as a seam for tests.
package protocol ScreenTerminal: AnyObject {
    /// The path of the terminal, by which programs that do not have it reach it.
    var path: String { get }

    /// The size of the screen.
    var size: ScreenSize { get }

    /// Writes bytes.
    func write(_ bytes: Span<UInt8>) throws(FileError)

    /// Waits for input.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for the input.
    ///   - timeout: How long to wait.
    /// - Returns: What happened.
    /// - Throws: `FileError` if the terminal is gone.
    func read(into buffer: inout MutableSpan<UInt8>, within timeout: Duration) throws(FileError) -> ScreenInput

    /// Runs `body` while every key reaches this process at once.
    ///
    /// Whatever ends the process in the meantime, a signal or a crash, first writes `farewell` to the terminal and
    /// restores its settings. Only SIGKILL leaves it as it is.
    func whole<Result>(farewell: [UInt8], _ body: () throws -> Result) throws -> Result

    /// Stops the process as Ctrl-Z does, with the terminal as it was; returns when it is continued.
    func suspend()
}

/// The size of a terminal.
package struct ScreenSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
    }
}

/// What a terminal has for a program that waits for input.
package enum ScreenInput: Equatable, Sendable {
    /// So many bytes.
    case bytes(Int)
    /// Nothing in this time, or the size of the terminal has changed.
    case nothing
    /// A signal asks the process to end.
    case signal(Int32)
    /// The terminal is gone.
    case end
}
