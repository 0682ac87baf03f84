internal import CLinux
internal import Glibc
internal import Synchronization
internal import VaultFiles

/// Signals that a process passes on to a program that runs in its stead, and the news that the program has ended.
struct ForwardedSignals {
    /// Those that are passed on.
    static let passed = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT]
    /// Where the number of a signal that came is written.
    private static let target = Atomic<Int32>(-1)

    /// What becomes readable when a signal has come.
    let descriptor: Int32
    private let caught: CaughtSignals

    /// Takes note of the signals from now on, until `end()`; nil if the system has no pipe left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        descriptor = ends[0]
        Self.target.store(ends[1], ordering: .sequentiallyConsistent)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
            // The terminal tells all programs that it controls; it must not be told twice.
            let code = unsafe information?.pointee.si_code ?? 0
            guard number == SIGCHLD || code <= 0 else { return }
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            unsafe _ = write(ForwardedSignals.target.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = error
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        // What is ignored here is ignored by the program too, but nobody may miss its end.
        caught = CaughtSignals(Self.passed, evenIfIgnored: [SIGCHLD], action)
    }

    /// Lets these signals through, in this process and in what it starts or becomes.
    ///
    /// Who has started this process may hold all of them back: then nobody would notice the end of the program, and nothing
    /// could end it.
    static func letThrough() {
        var wanted = CaughtSignals.set(of: passed + [SIGCHLD])
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// The signals that came since this was asked before.
    func arrived() -> [Int32] {
        var signals: [Int32] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1 { signals.append(Int32(byte)) }
        return signals
    }

    /// Lets signals do what they did before.
    func end() {
        caught.end()
        close(Self.target.exchange(-1, ordering: .sequentiallyConsistent))
        close(descriptor)
    }
}
