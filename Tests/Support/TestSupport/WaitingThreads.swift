internal import CofferBasics
package import Testing

/// Runs tests that mostly wait, for servers or for time, on a few threads of their own, while others compute.
package struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
    private final class Executor: TaskExecutor {
        private struct State: Sendable {
            var threadCount = 0
            var jobs: [UnownedJob] = []

            /// The job that has waited longest; without one, a thread ends.
            mutating func next() -> UnownedJob? {
                if jobs.isEmpty { threadCount -= 1 }
                return jobs.isEmpty ? nil : jobs.removeFirst()
            }
        }

        static let shared = Executor()
        private let state = Guarded(State())

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isNeeded = state.withLock { state in
                state.jobs.append(job)
                guard state.threadCount < 4 else { return false }
                state.threadCount += 1
                return true
            }
            if isNeeded { DedicatedThread.start { self.work() } }
        }

        private func work() {
            while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor.shared, operation: function)
    }
}

extension Trait where Self == WaitingThreads {
    /// Runs test cases on threads beside those that all others share.
    package static var waiting: Self { WaitingThreads() }
}
