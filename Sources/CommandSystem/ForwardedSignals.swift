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
    private var former: [(signal: Int32, action: sigaction)] = []
    /// Which signals were held back before.
    private var formerMask = sigset_t()

    /// Takes note of the signals from now on, until `end()`; nil if the system has no pipe left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        descriptor = ends[0]
        Self.target.store(ends[1], ordering: .sequentiallyConsistent)
        for signal in Self.passed + [SIGCHLD] {
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_sigaction = { number, information, _ in
                // The terminal tells all programs that it controls; it must not be told twice.
                let code = unsafe information?.pointee.si_code ?? 0
                guard number == SIGCHLD || code <= 0 else { return }
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                unsafe _ = write(ForwardedSignals.target.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
            new.sa_flags = SA_SIGINFO | SA_RESTART
            var old = sigaction()
            unsafe sigaction(signal, nil, &old)
            // The address of SIG_IGN is 1. What is ignored here is ignored by the program too.
            let isIgnored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !isIgnored || signal == SIGCHLD, unsafe sigaction(signal, &new, nil) == 0 else { continue }
            former.append((signal, old))
        }
        unsafe pthread_sigmask(SIG_SETMASK, nil, &formerMask)
        Self.letThrough()
    }

    /// Lets these signals through, in this process and in what it starts or becomes.
    ///
    /// Who has started this process may hold all of them back: then nobody would notice the end of the program, and nothing
    /// could end it.
    static func letThrough() {
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        for signal in Self.passed + [SIGCHLD] { unsafe sigaddset(&wanted, signal) }
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
        var mask = formerMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        for (signal, action) in former {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
        close(Self.target.exchange(-1, ordering: .sequentiallyConsistent))
        close(descriptor)
    }
}
