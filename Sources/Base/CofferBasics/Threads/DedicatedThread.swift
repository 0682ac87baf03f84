internal import Glibc

/// Runs work on a thread of its own, so that long waits do not block the few threads that tasks share.
package enum DedicatedThread {
    /// The work of a thread, in a form that can pass through C.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Starts `body`, which may be code of the program; if the system provides no thread, runs it at once.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        guard let thread = created(body) else { return body() }
        pthread_detach(thread)
    }

    /// Starts `body`, on a thread that gets no signals, unless the system provides no thread.
    ///
    /// - Returns: Whether it was started.
    package static func startIfPossible(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = withSignalsBlocked({ created { ForkGate.passing(body) } }) else { return false }
        pthread_detach(thread)
        return true
    }

    /// Runs `body` here while `helper` runs on another thread, if the system provides one, and waits for both.
    static func run(_ body: () -> Void, beside helper: @escaping @Sendable () -> Void) {
        let thread = withSignalsBlocked { created(helper) }
        body()
        if let thread { pthread_join(thread, nil) }
    }

    /// Runs `body` while this thread gets no signals; a thread that is created then never gets any.
    ///
    /// A program expects its signal handlers to run on threads that it knows.
    private static func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    /// Starts a thread that is still to be detached or joined; nil if the system provides none.
    private static func created(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            unsafe work.toOpaque()
        )
        guard code == 0 else {
            unsafe work.release()
            return nil
        }
        return thread
    }

    /// Runs `body` on its own thread, and returns or throws what it does.
    package static func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            start { continuation.resume(returning: Swift.Result(catching: body)) }
        }
        return try result.get()
    }
}
