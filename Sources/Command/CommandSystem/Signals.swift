internal import CCofferLinux
internal import CProgramStart
internal import Glibc
internal import Synchronization
internal import VaultFiles

/// Signals with a temporary handler.
struct CaughtSignals {
    private var former: [(signal: Int32, action: sigaction)] = []
    /// The signals that were blocked before.
    private var formerMask = sigset_t()

    /// Installs `action` for the signals until `end()`; signals that are ignored stay ignored, except the forced ones.
    ///
    /// The signals are unblocked: a parent may have blocked them all, and then nothing could end the process.
    init(_ signals: [Int32], evenIfIgnored forced: [Int32] = [], _ action: sigaction) {
        for signal in signals + forced {
            var (old, new) = (sigaction(), action)
            unsafe sigaction(signal, nil, &old)
            guard !Self.isIgnored(old) || forced.contains(signal) else { continue }
            guard unsafe sigaction(signal, &new, nil) == 0 else { continue }
            former.append((signal, old))
        }
        var wanted = Self.set(of: signals + forced)
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, &formerMask)
    }

    /// Restores the previous actions of the signals.
    func end() {
        var mask = formerMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        for (signal, action) in former {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
    }

    /// The signals as a `sigset_t`.
    static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }

    /// Whether the process ignores a signal.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(signal, nil, &action)
        return isIgnored(action)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // The address of SIG_IGN is 1.
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

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

/// The crash handlers of the Swift runtime.
package enum CrashHandlers {
    /// Lets a crash end the program at once.
    ///
    /// If a toolchain is installed, the runtime would print registers and the memory they point to.
    package static func remove() { coffer_remove_crash_handlers() }
}

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
