internal import CofferBasics
internal import VaultFiles

/// The one compaction of a store that runs on a thread of its own.
///
/// It uses keys, so it is stopped before the vault is locked.
final class BackgroundCompaction: Sendable {
    private struct State {
        var isRunning = false
        var isCancelled = false
        /// The number of threads that want it stopped; while there are any, no compaction starts.
        var stopCount = 0
    }

    private let state = Guarded(State())

    /// Starts `body`, unless it is running or the system has no thread.
    ///
    /// `body` receives a function that returns whether to continue.
    func start(_ body: @escaping @Sendable (_ shouldContinue: @escaping () -> Bool) -> Void) {
        let isFree = state.withLock { state in
            guard !state.isRunning, state.stopCount == 0 else { return false }
            (state.isRunning, state.isCancelled) = (true, false)
            return true
        }
        guard isFree else { return }
        let isStarted = DedicatedThread.startIfPossible { [self] in
            body { [self] in state.withLock { $0.stopCount == 0 && !$0.isCancelled } }
            state.withLock { $0.isRunning = false }
        }
        if !isStarted { state.withLock { $0.isRunning = false } }
    }

    /// Requests that the compaction stop, without waiting for it.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Stops the compaction, waits until it has ended, and calls `body` while none can start.
    func stopped<Result>(_ time: any TimeSource, _ body: () -> Result) -> Result {
        state.withLock { $0.stopCount += 1 }
        defer { state.withLock { $0.stopCount -= 1 } }
        var pauses = RetryPauses(time, nanoseconds: .max)
        while state.withLock({ $0.isRunning }), pauses.pause() {}
        return body()
    }
}
