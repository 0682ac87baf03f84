internal import CofferBasics

/// How a call of a keychain authenticates the user.
package struct CallAuthentication: Sendable {
    /// What the user has presented; nil for nothing.
    package var context: AuthenticationContext?
    /// The reason for prompts; nil for that of the context.
    package var reason: String?
    /// Whether the user may be asked.
    package var mayAsk = true
    /// Counts the items that demand the user, which are then left out of a search; nil to ask for them.
    package var skippedItems: SkippedItems?

    package init(context: AuthenticationContext? = nil) {
        self.context = context
    }
}

/// The number of items that a search left out because their access control demands the user.
package final class SkippedItems: Sendable {
    private let number = Guarded(0)

    package init() {}

    package var count: Int { number.withLock { $0 } }

    func increment() { number.withLock { $0 += 1 } }
}

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
