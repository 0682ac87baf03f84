internal import Glibc

/// Signals that do something else for a while than they did before.
struct CaughtSignals {
    private var former: [(signal: Int32, action: sigaction)] = []
    /// Which signals were held back before.
    private var formerMask = sigset_t()

    /// Lets each of these signals do `action`, until `end()`; those that the process was told to ignore stay ignored.
    ///
    /// They are let through: who has started this process may hold all of them back, and then nothing could end it.
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

    /// Lets the signals do what they did before.
    func end() {
        var mask = formerMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        for (signal, action) in former {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
    }

    /// Signals as the system wants to be told of several.
    static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }

    /// Whether the process was told to ignore a signal.
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
