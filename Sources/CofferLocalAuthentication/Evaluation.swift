internal import Synchronization

/// One question to the host, answered once: by the host, or by the caller who withdraws it.
final class Evaluation: Sendable {
    typealias Reply = @Sendable (Bool, (any Error)?) -> Void

    private enum State {
        case waiting(Reply)
        case asking(Reply, Task<Void, Never>)
        case finished
    }

    private let state: Mutex<State>

    init(reply: @escaping Reply) {
        state = Mutex(.waiting(reply))
    }

    var isFinished: Bool {
        state.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Asks `host` in a separate task, unless the question was already withdrawn.
    func ask(_ host: LAHost, _ prompt: LAHost.Prompt) {
        state.withLock { state in
            guard case .waiting(let reply) = state else { return }
            // The task cannot finish the evaluation before this returns, because it needs the same lock.
            state = .asking(reply, Task.detached { [self] in finish(await host.ask(prompt)) })
        }
    }

    /// Replies with `answer` on another thread and ends the question, unless it has already ended.
    func finish(_ answer: LAHost.Answer) {
        let (reply, task): (Reply?, Task<Void, Never>?) = state.withLock { state in
            defer { state = .finished }
            return switch state {
            case .waiting(let reply): (reply, nil)
            case .asking(let reply, let task): (reply, task)
            case .finished: (nil, nil)
            }
        }
        task?.cancel()
        guard let reply else { return }
        Task.detached {
            switch answer {
            case .success: reply(true, nil)
            case .failure(let code): reply(false, LAError(code))
            }
        }
    }
}
