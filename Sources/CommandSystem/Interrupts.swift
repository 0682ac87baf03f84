internal import CLinux
internal import Glibc
internal import Synchronization

/// Signals that ask the process to end, noted instead of obeyed for a while.
package struct Interrupts {
    /// Which signals ask so.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let noted = Atomic<Int32>(0)
    private var former: [(signal: Int32, action: sigaction)] = []
    private var formerMask = sigset_t()

    private init() {}

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }

    /// Notes signals from now on, until `end()`.
    ///
    /// Those that the process was told to ignore stay ignored. Calls of the system that wait are interrupted.
    package static func caught() -> Interrupts {
        var interrupts = Interrupts()
        noted.store(0, ordering: .sequentiallyConsistent)
        for signal in signals {
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = { number in
                Interrupts.noted.store(number, ordering: .sequentiallyConsistent)
            }
            var old = sigaction()
            unsafe sigaction(signal, nil, &old)
            guard !isIgnored(signal), unsafe sigaction(signal, &new, nil) == 0 else { continue }
            interrupts.former.append((signal, old))
        }
        // Who has started this process may hold them all back.
        var wanted = set
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, &interrupts.formerMask)
        return interrupts
    }

    /// The signal that says that nobody reads a pipe any more.
    package static let brokenPipe = SIGPIPE

    /// Whether the process was told to ignore a signal.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(signal, nil, &action)
        // The address of SIG_IGN is 1.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// The signal that came, if one has.
    package static var signal: Int32? {
        let number = noted.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Waits until there is something to read, or one of the signals has come; which, if one has.
    static func waitForInput(_ descriptor: Int32) -> Int32? {
        // Outside of the waiting they are held back: one that comes between the question and the wait would be slept over.
        var (held, former) = (set, sigset_t())
        unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &former, nil) }
        while signal == nil {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe ppoll(&wanted, 1, nil, &former)
            guard count < 0, errno == EINTR else { break }
        }
        return signal
    }

    /// Lets signals do what they did before.
    package func end() {
        var mask = formerMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        for (signal, action) in former {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
    }

    /// Ends the process as the signal would have, but for a picture of its memory, where secrets are.
    package static func obey(_ signal: Int32) {
        coffer_hide_memory()
        Glibc.signal(signal, SIG_DFL)
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        unsafe sigaddset(&wanted, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        kill(getpid(), signal)
    }
}
