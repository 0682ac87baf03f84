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
