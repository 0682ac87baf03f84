internal import CofferBasics

/// One question to the host, answered once: by the host, or by the program that withdraws it.
final class Evaluation: Sendable {
    typealias Reply = @Sendable (AuthenticationHost.Answer) -> Void

    private enum State {
        case pending(Reply, Task<Void, Never>?)
        case finished
    }

    private let state: Guarded<State>

    init(reply: @escaping Reply) {
        state = Guarded(.pending(reply, nil))
    }

    var isFinished: Bool {
        state.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Runs `question` on a thread of its own, and finishes with what it returns.
    func start(_ question: @escaping @Sendable () async -> AuthenticationHost.Answer) {
        let task = ThreadExecutor.run { [self] in finish(await question()) }
        let isPending = state.withLock { state in
            guard case .pending(let reply, nil) = state else { return false }
            state = .pending(reply, task)
            return true
        }
        if !isPending { task.cancel() }
    }

    /// Replies with `answer` and ends the question, unless it has already ended.
    func finish(_ answer: AuthenticationHost.Answer) {
        let (reply, task): (Reply?, Task<Void, Never>?) = state.withLock { state in
            defer { state = .finished }
            return if case .pending(let reply, let task) = state { (reply, task) } else { (nil, nil) }
        }
        task?.cancel()
        reply?(answer)
    }
}
