internal import CCofferLinux
internal import Glibc
internal import Synchronization
internal import VaultFiles

/// The signals that a process forwards to the program it runs, and SIGCHLD.
struct ForwardedSignals {
    /// The signals that are forwarded.
    private static let passed = EndingSignals.all + [SIGWINCH, SIGCONT]
    /// The descriptor to which the handler writes the number of a signal.
    private static let target = Atomic<Int32>(-1)

    /// The descriptor that becomes readable when a signal arrives.
    let descriptor: Int32
    private let caught: CaughtSignals

    /// Records the signals from now on, until `end()`; nil if no pipe can be created.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        descriptor = ends[0]
        Self.target.store(ends[1], ordering: .sequentiallyConsistent)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
            // The terminal sends its signals to the program as well, so these are not forwarded.
            let code = unsafe information?.pointee.si_code ?? 0
            switch number {
            case SIGINT, SIGQUIT, SIGHUP, SIGWINCH, SIGCONT: guard code <= 0 else { return }
            default: break
            }
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            unsafe _ = write(ForwardedSignals.target.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = error
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        // Signals that are ignored here are ignored by the program too, but SIGCHLD is always needed.
        caught = CaughtSignals(Self.passed, evenIfIgnored: [SIGCHLD], action)
    }

    /// Unblocks these signals, in this process and in programs that it starts or becomes.
    ///
    /// A parent may have blocked them all: then the end of the program would go unnoticed, and nothing could end it.
    static func letThrough() {
        var wanted = CaughtSignals.set(of: passed + [SIGCHLD])
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// The signals that arrived since the last call.
    func arrived() -> [Int32] {
        var signals: [Int32] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1 { signals.append(Int32(byte)) }
        return signals
    }

    /// Restores the previous actions of the signals.
    func end() {
        caught.end()
        close(Self.target.exchange(-1, ordering: .sequentiallyConsistent))
        close(descriptor)
    }
}
