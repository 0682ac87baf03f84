internal import Glibc

/// The signals that end a process unless it catches them: those of signal(7), except SIGKILL.
enum EndingSignals {
    /// The signals that users and programs send, and those of timers, limits and closed pipes.
    static let all =
        [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
            SIGSTKFLT, SIGXCPU, SIGXFSZ,
        ] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
    /// The signals of a crash, behind which the process cannot go on.
    static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
}
