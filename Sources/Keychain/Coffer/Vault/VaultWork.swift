internal import CofferBasics

/// Work on a vault that takes a while, reports its progress, and can be stopped.
///
/// The work starts when you iterate over it or wait for its report, and runs on a thread of its own. It stops when the
/// waiting task is canceled or the iterator is released; then nothing is changed.
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
    /// An event of the work.
    public enum Event: Sendable {
        /// The work has made progress.
        case progress(VaultProgress)
        /// The work is done.
        case finished(Report)
    }

    /// The events of the work.
    public typealias Element = Event
    /// The error if the work was not done.
    public typealias Failure = VaultError

    package typealias Body = @Sendable (_ shouldContinue: @escaping (VaultProgress) -> Bool) throws -> Report

    private let body: Body

    package init(_ body: @escaping Body) {
        self.body = body
    }

    /// Starts the work.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }

    /// Does the work and waits for it.
    ///
    /// - Returns: The result of the work.
    /// - Throws: ``VaultError`` if the work was not done, with the kind `cancelled` if the task was canceled.
    public func report() async throws(VaultError) -> Report {
        var iterator = makeAsyncIterator()
        while let event = try await iterator.next() { if case .finished(let report) = event { return report } }
        throw .cancelled
    }

    /// Does the work on the caller's thread.
    ///
    /// - Parameter shouldContinue: A closure that is called with the progress from time to time, and returns false to stop.
    /// - Returns: The result of the work.
    /// - Throws: ``VaultError`` if the work was not done, with the kind `cancelled` if it was stopped; then nothing is
    ///   changed.
    package func perform(
        shouldContinue: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultError) -> Report {
        try VaultError.converting { try body(shouldContinue) }
    }
}

/// The progress of work on a vault.
///
/// ```swift
/// for try await case .progress(let progress) in vault.verification() { print(progress.fraction) }
/// ```
public struct VaultProgress: Equatable, Sendable {
    /// The number of bytes that are done.
    public let byteCount: Int
    /// The approximate total number of bytes.
    public let expectedByteCount: Int

    package init(byteCount: Int, expectedByteCount: Int) {
        self.byteCount = byteCount
        self.expectedByteCount = expectedByteCount
    }

    /// The part that is done, from 0 to 1.
    public var fraction: Double { expectedByteCount > 0 ? Double(byteCount) / Double(expectedByteCount) : 0 }
}

extension VaultWork {
    /// An iterator over the events of work.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: Run
        private let owner: Owner

        init(_ body: @escaping Body) {
            let run = Run()
            self.run = run
            owner = Owner(run)
            DedicatedThread.start {
                run.finish(Result { try body { run.note($0) } }.mapError { VaultError($0) })
            }
        }

        /// Returns the next event: the latest progress, or finally the result.
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

    /// Stops the work when the iterator is released.
    private final class Owner: Sendable {
        private let run: Run

        init(_ run: Run) {
            self.run = run
        }

        deinit { run.cancel() }
    }
}

/// The state that the working thread and the waiting task share.
private final class WorkRun<Report: Sendable>: Sendable {
    typealias Delivery = Result<VaultWork<Report>.Event?, VaultError>

    private struct State {
        var isCancelled = false
        var progress: VaultProgress?
        var result: Result<Report, VaultError>?
        var isOver = false
        var waiter: CheckedContinuation<Delivery, Never>?

        /// Takes the event to deliver now, if there is one.
        mutating func nextEvent() -> Delivery? {
            if isOver { return .success(nil) }
            // The progress comes first, so that quick work reports it too.
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
        deliver { $0.progress = progress }
        return state.withLock { !$0.isCancelled }
    }

    func finish(_ result: Result<Report, VaultError>) {
        deliver { $0.result = result }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func wait(_ waiter: CheckedContinuation<Delivery, Never>) {
        let nextEvent = state.withLock { state in
            let nextEvent = state.nextEvent()
            if nextEvent == nil { state.waiter = waiter }
            return nextEvent
        }
        if let nextEvent { waiter.resume(returning: nextEvent) }
    }

    private func deliver(_ change: @Sendable (inout State) -> Void) {
        let waiting = state.withLock { state -> (CheckedContinuation<Delivery, Never>, Delivery)? in
            change(&state)
            guard let waiter = state.waiter, let nextEvent = state.nextEvent() else { return nil }
            state.waiter = nil
            return (waiter, nextEvent)
        }
        if let (waiter, nextEvent) = waiting { waiter.resume(returning: nextEvent) }
    }
}

extension VaultWork {
    private typealias Run = WorkRun<Report>
}
