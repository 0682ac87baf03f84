internal import CLinux
internal import Glibc
internal import Synchronization

/// Signals that ask the process to end, noted instead of obeyed for a while.
package struct Interrupts {
    /// Which signals ask so.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let noted = Atomic<Int32>(0)
    /// How many notings are not over: they can stand in each other.
    private static let depth = Atomic<Int>(0)
    private let caught: CaughtSignals

    /// Notes signals from now on, until `end()`.
    ///
    /// Those that the process was told to ignore stay ignored. Calls of the system that wait are interrupted.
    package static func caught() -> Interrupts {
        if depth.add(1, ordering: .sequentiallyConsistent).oldValue == 0 {
            noted.store(0, ordering: .sequentiallyConsistent)
        }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            Interrupts.noted.store(number, ordering: .sequentiallyConsistent)
        }
        return Interrupts(caught: CaughtSignals(signals, action))
    }

    /// Lets signals do what they did before.
    package func end() {
        caught.end()
        Self.depth.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// The signal that came, if one has.
    package static var signal: Int32? {
        let number = noted.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Waits until there is something to read, or one of the signals has come; which, if one has.
    static func waitForInput(_ descriptor: Int32) -> Int32? {
        // Outside of the waiting they are held back: one that comes between the question and the wait would be slept over.
        var (held, former) = (CaughtSignals.set(of: signals), sigset_t())
        unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &former, nil) }
        while signal == nil {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe ppoll(&wanted, 1, nil, &former)
            guard count < 0, errno == EINTR else { break }
        }
        return signal
    }

    /// The signal that says that nobody reads a pipe any more.
    package static let brokenPipe = SIGPIPE

    /// Ends the process as the signal would have, but for a picture of its memory, where secrets are.
    package static func obey(_ signal: Int32) {
        coffer_hide_memory(1)
        Glibc.signal(signal, SIG_DFL)
        var wanted = CaughtSignals.set(of: [signal])
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        kill(getpid(), signal)
    }
}
