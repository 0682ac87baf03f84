internal import Glibc

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
