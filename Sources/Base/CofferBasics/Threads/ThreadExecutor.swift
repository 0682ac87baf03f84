/// Runs one task on a thread of its own, so that code that blocks a thread of the shared pool can wait for it.
package final class ThreadExecutor: TaskExecutor {
    private let jobs = Guarded<[UnownedJob]>([])
    private let enqueued = Semaphore()

    /// Starts `body` in a task on a new thread, which ends with the task.
    ///
    /// - Parameter body: The body of the task.
    /// - Returns: The task.
    @discardableResult
    package static func run(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let executor = ThreadExecutor()
        let end = End()
        let task = Task.detached(executorPreference: executor) {
            await body()
            end.isReached.withLock { $0 = true }
        }
        DedicatedThread.start {
            while !end.isReached.withLock({ $0 }) { executor.runNext() }
        }
        return task
    }

    /// Whether the task has ended.
    private final class End: Sendable {
        let isReached = Guarded(false)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        enqueued.signal()
    }

    private func runNext() {
        enqueued.wait()
        unsafe jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
    }
}
