internal import CCofferLinux
internal import Glibc
internal import Synchronization

/// Signals that would end the process, recorded instead of obeyed for a while.
///
/// Whatever must be undone before the process ends, such as a file or the settings of a terminal, is made under it. A
/// crash ends the process at once, but restores the terminal.
package struct Interrupts {
    private static let noted = Atomic<Int32>(0)
    /// The nesting depth of `caught()` and `end()`.
    private static let depth = Atomic<Int>(0)
    private let caught: CaughtSignals
    private let crashes: CaughtSignals

    /// Records signals from now on, until `end()`.
    ///
    /// Signals that the process ignores stay ignored. Blocking system calls are interrupted.
    package static func caught() -> Interrupts {
        if depth.add(1, ordering: .sequentiallyConsistent).oldValue == 0 {
            noted.store(0, ordering: .sequentiallyConsistent)
        }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            Interrupts.noted.store(number, ordering: .sequentiallyConsistent)
        }
        let caught = CaughtSignals(EndingSignals.all, action)
        unsafe action.__sigaction_handler.sa_handler = { number in Interrupts.obey(number) }
        return Interrupts(caught: caught, crashes: CaughtSignals(EndingSignals.crashes, action))
    }

    /// Restores the previous actions of the signals.
    package func end() {
        crashes.end()
        caught.end()
        Self.depth.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// From now on, signals that end the process restore the terminal first.
    static func restoreTerminalAtEnd() {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in Interrupts.obey(number) }
        _ = CaughtSignals(EndingSignals.all + EndingSignals.crashes, action)
    }

    /// The signal that arrived, if one did.
    package static var signal: Int32? {
        let number = noted.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Waits for input or one of the signals; returns the signal, if one arrived.
    static func waitForInput(_ descriptor: Int32) -> Int32? {
        // The signals are blocked except while waiting: one that arrives just before the wait would go unnoticed.
        var (held, former) = (CaughtSignals.set(of: EndingSignals.all), sigset_t())
        unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &former, nil) }
        while signal == nil {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe ppoll(&wanted, 1, nil, &former)
            guard count < 0, errno == EINTR else { break }
        }
        return signal
    }

    /// The signal for writing to a pipe that has no reader.
    package static let brokenPipe = SIGPIPE
    /// The signal of Ctrl-C.
    package static let interrupt = SIGINT

    /// Ends the process as the signal would have, but without a core dump, which would contain secrets.
    ///
    /// It restores the terminal first, if its settings were changed.
    package static func obey(_ signal: Int32) {
        SavedTerminal.restore()
        coffer_hide_memory(1)
        Glibc.signal(signal, SIG_DFL)
        var wanted = CaughtSignals.set(of: [signal])
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        kill(getpid(), signal)
    }
}

/// A message that is written to standard error if a signal ends the process in the meantime.
@safe struct InterruptionMessage {
    /// The address of the text, and its length; nothing is written if the length is 0.
    private static let address = Atomic<UInt>(0)
    private static let byteCount = Atomic<Int>(0)

    private let caught: CaughtSignals
    private let former: (address: UInt, byteCount: Int)
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// From now on until `end()`, a signal that asks the process to end writes `bytes` and then ends it.
    init(_ bytes: [UInt8]) {
        // In memory at a fixed address, since a signal handler must not access Swift objects.
        unsafe text = UnsafeMutableBufferPointer.allocate(capacity: bytes.count)
        unsafe _ = text.initialize(from: bytes)
        former = (
            Self.address.load(ordering: .sequentiallyConsistent), Self.byteCount.load(ordering: .sequentiallyConsistent)
        )
        Self.byteCount.store(0, ordering: .sequentiallyConsistent)
        unsafe Self.address.store(UInt(bitPattern: text.baseAddress), ordering: .sequentiallyConsistent)
        Self.byteCount.store(bytes.count, ordering: .sequentiallyConsistent)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            let address = InterruptionMessage.address.load(ordering: .sequentiallyConsistent)
            let text = unsafe UnsafeRawPointer(bitPattern: address)
            unsafe _ = write(STDERR_FILENO, text, InterruptionMessage.byteCount.load(ordering: .sequentiallyConsistent))
            Interrupts.obey(number)
        }
        caught = CaughtSignals(EndingSignals.all, action)
    }

    /// Restores the previous actions of the signals.
    func end() {
        caught.end()
        Self.byteCount.store(0, ordering: .sequentiallyConsistent)
        Self.address.store(former.address, ordering: .sequentiallyConsistent)
        Self.byteCount.store(former.byteCount, ordering: .sequentiallyConsistent)
        unsafe text.deallocate()
    }
}
