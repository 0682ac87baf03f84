/// Work in numbered pieces that two threads share.
package final class SharedWork<Result: Sendable, Failure: Error>: Sendable {
    private struct State {
        var next = 0
        var results: [Swift.Result<Result, Failure>?]
    }

    private let state: Guarded<State>
    private let piece: @Sendable (Int) throws(Failure) -> Result

    private init(count: Int, _ piece: @escaping @Sendable (Int) throws(Failure) -> Result) {
        state = Guarded(State(results: Array(repeating: nil, count: count)))
        self.piece = piece
    }

    /// Returns the results of `piece` for all numbers below `count`, in their order.
    ///
    /// A second thread helps if the system provides one; it has ended when this returns. After an error, no further
    /// piece is begun, and the error of the first piece that failed is thrown.
    package static func results(
        count: Int,
        of piece: @escaping @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        let work = SharedWork(count: count, piece)
        if count > 1 { DedicatedThread.run(work.run, beside: work.run) } else { work.run() }
        var results: [Result] = []
        results.reserveCapacity(count)
        for result in work.state.withLock({ $0.results }) { if let result { results.append(try result.get()) } }
        return results
    }

    /// Does pieces until none is left.
    @Sendable private func run() {
        var done: (number: Int, result: Swift.Result<Result, Failure>)?
        while let number = next(after: done) { done = (number, Swift.Result(catching: { () throws(Failure) in try piece(number) })) }
    }

    /// Notes a result and returns the number of the next piece.
    private func next(after done: (number: Int, result: Swift.Result<Result, Failure>)?) -> Int? {
        state.withLock { state in
            if let done {
                state.results[done.number] = done.result
                if case .failure = done.result { state.next = state.results.count }
            }
            guard state.next < state.results.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }
}
