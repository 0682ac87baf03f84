internal import CofferBasics

/// Work on a vault that takes a while: it tells how far it has come, and can be stopped.
///
/// The work begins when somebody iterates, or waits for the report, and runs on a thread of its own. It stops when the
/// task that waits is cancelled, or nobody iterates any more; then nothing has changed.
///
/// ```swift
/// for try await event in vault.compaction() {
///     switch event {
///     case .progress(let progress): print(progress.fraction)
///     case .finished(let report): print(report.byteCountAfter)
///     }
/// }
/// ```
public struct VaultWork<Report: Sendable>: AsyncSequence, Sendable {
    /// What is told meanwhile, and at last.
    public enum Event: Sendable {
        /// The work has come so far.
        case progress(VaultProgress)
        /// The work is done.
        case finished(Report)
    }

    /// What is told.
    public typealias Element = Event
    /// Why the work was not done.
    public typealias Failure = VaultError

    package typealias Body =
        @Sendable (_ isToGoOn: @escaping (VaultProgress) -> Bool) throws(VaultError) -> Report

    private let body: Body

    package init(_ body: @escaping Body) {
        self.body = body
    }

    /// Starts the work.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }

    /// Does the work, and waits for it.
    ///
    /// - Returns: What was done.
    /// - Throws: Why it was not, or `cancelled` if the task was.
    public func report() async throws(VaultError) -> Report {
        var iterator = makeAsyncIterator()
        while let event = try await iterator.next() { if case .finished(let report) = event { return report } }
        throw .cancelled
    }

    /// Does the work on the thread of the caller.
    ///
    /// - Parameter isToGoOn: Told from time to time how far the work has come; to answer false stops it.
    /// - Returns: What was done.
    /// - Throws: Why it was not, or `cancelled` if it was stopped; then nothing has changed.
    package func perform(
        isToGoOn: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultError) -> Report {
        try body(isToGoOn)
    }
}

/// How far work has come.
///
/// ```swift
/// for try await case .progress(let progress) in vault.verification() { print(progress.fraction) }
/// ```
public struct VaultProgress: Equatable, Sendable {
    /// How many bytes are done.
    public let byteCount: Int
    /// About how many there are.
    public let expectedByteCount: Int

    package init(byteCount: Int, expectedByteCount: Int) {
        self.byteCount = byteCount
        self.expectedByteCount = expectedByteCount
    }

    /// The part that is done, from 0 to 1.
    public var fraction: Double { expectedByteCount > 0 ? Double(byteCount) / Double(expectedByteCount) : 0 }
}

extension VaultWork {
    /// Waits for what work has to tell.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: Run
        private let owner: Owner

        init(_ body: @escaping Body) {
            let run = Run()
            self.run = run
            owner = Owner(run)
            OwnThread.start {
                run.finish(Result { () throws(VaultError) in try body { run.note($0) } })
            }
        }

        /// The next event: the newest progress, and at last what was done.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(VaultError) -> Event? {
            let run = run
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in run.wait(continuation) }
            } onCancel: {
                run.cancel()
            }
            return try result.get()
        }
    }

    /// Stops the work when the iterator is gone.
    private final class Owner: Sendable {
        private let run: Run

        init(_ run: Run) {
            self.run = run
        }

        deinit { run.cancel() }
    }
}

/// What the thread that works and the task that waits share.
private final class WorkRun<Report: Sendable>: Sendable {
    typealias Told = Result<VaultWork<Report>.Event?, VaultError>

    private struct State {
        var isCancelled = false
        var progress: VaultProgress?
        var result: Result<Report, VaultError>?
        var isOver = false
        var waiter: CheckedContinuation<Told, Never>?

        /// What there is to tell now, if anything.
        mutating func news() -> Told? {
            if isOver { return .success(nil) }
            // First how far it came, so that work that is quick tells that too.
            if let progress {
                self.progress = nil
                return .success(.progress(progress))
            }
            guard let result else { return nil }
            isOver = true
            return result.map { .finished($0) }
        }
    }

    private let state = Guarded(State())

    func note(_ progress: VaultProgress) -> Bool {
        tell { $0.progress = progress }
        return state.withLock { !$0.isCancelled }
    }

    func finish(_ result: Result<Report, VaultError>) {
        tell { $0.result = result }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func wait(_ waiter: CheckedContinuation<Told, Never>) {
        let news = state.withLock { state in
            let news = state.news()
            if news == nil { state.waiter = waiter }
            return news
        }
        if let news { waiter.resume(returning: news) }
    }

    private func tell(_ change: @Sendable (inout State) -> Void) {
        let waiting = state.withLock { state -> (CheckedContinuation<Told, Never>, Told)? in
            change(&state)
            guard let waiter = state.waiter, let news = state.news() else { return nil }
            state.waiter = nil
            return (waiter, news)
        }
        if let (waiter, news) = waiting { waiter.resume(returning: news) }
    }
}

extension VaultWork {
    private typealias Run = WorkRun<Report>
}
