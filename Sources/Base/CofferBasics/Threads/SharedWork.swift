/// Work that two threads share.
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

    /// Splits `count` numbers into ranges of `perPiece`, and returns the results of `piece` for these, in their order.
    ///
    /// A second thread helps if there are several and the system provides one; it has ended when this returns. After an
    /// error no other piece is begun; the error of the first piece that failed is thrown.
    package static func results(
        count: Int,
        perPiece: Int,
        of piece: @escaping @Sendable (Range<Int>) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        let work = SharedWork(count: (count + perPiece - 1) / perPiece) { number throws(Failure) in
            try piece(number * perPiece..<min((number + 1) * perPiece, count))
        }
        if count > perPiece { DedicatedThread.run(work.run, beside: work.run) } else { work.run() }
        var results: [Result] = []
        for result in work.state.withLock({ $0.results }) {
            if let result = try result?.get() { results.append(result) }
        }
        return results
    }

    /// Does pieces until none is left.
    @Sendable private func run() {
        while let number = takeNext() {
            let result = Swift.Result { () throws(Failure) in try piece(number) }
            state.withLock { state in
                state.results[number] = result
                if case .failure = result { state.next = state.results.count }
            }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < state.results.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }
}
