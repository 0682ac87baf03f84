public import Foundation
internal import Synchronization

/// A context in which a user authenticates, through the program's host.
///
/// Apple's systems have a service for this; Linux has none (see `LAHost`). Without a host, every evaluation fails.
///
/// Contexts are thread-safe.
open class LAContext: NSObject, @unchecked Sendable {
    private struct State {
        var localizedReason = ""
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var isInvalidated = false
        var evaluations: [Evaluation] = []
    }

    private let state = Mutex(State())

    /// Creates a context without any authentication.
    public override init() {}

    /// The reason for a prompt of the keychain, if it prompts.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// The title of the alternative way to authenticate; nil for the host's own title, empty to offer none.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the action that cancels; nil for the host's own title.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether prompts are forbidden; if they are, evaluations fail with `LAError.notInteractive`.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// The number of seconds for which a Touch ID authentication can be reused; stored, but without effect here.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The biometry that the host supports.
    open var biometryType: LABiometryType { LAHost.current?.biometryType ?? .none }

    /// A value that changes when biometry is enrolled; always nil, since that is unknown here.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Whether a user can authenticate in this way; if not, `error` receives the reason.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy, LAHost.current) else { return true }
        error?.pointee = LAError(obstacle)._nsError
        return false
    }

    /// Asks the user to authenticate.
    ///
    /// - Parameters:
    ///   - policy: The allowed ways to authenticate.
    ///   - localizedReason: The reason, for the user.
    ///   - reply: A closure that is called once, always on another thread, even if the outcome is already known.
    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        start(Evaluation(reply: reply), policy, localizedReason)
    }

    /// Asks the user to authenticate; returns true on success, and throws an `LAError` otherwise.
    ///
    /// Canceling the task ends the wait with `LAError.appCancel`; `invalidate` withdraws the prompt.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        let (answers, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        // Through the other method, which a subclass may have overridden.
        evaluatePolicy(policy, localizedReason: localizedReason) { isAuthenticated, error in
            continuation.yield(error.map { .failure($0) } ?? .success(isAuthenticated))
            continuation.finish()
        }
        // The stream ends early if the task is canceled.
        for await answer in answers { return try answer.get() }
        throw LAError(.appCancel)
    }

    /// Invalidates the context: pending evaluations fail with `LAError.appCancel`, and all later ones with
    /// `LAError.invalidContext`.
    open func invalidate() {
        let pending = state.withLock { state in
            defer { state.evaluations = [] }
            state.isInvalidated = true
            return state.evaluations
        }
        for evaluation in pending { evaluation.finish(.failure(.appCancel)) }
    }

    /// The reason why a user cannot authenticate in this way; nil if the user can.
    private func obstacle(to policy: LAPolicy, _ host: LAHost?) -> LAError.Code? {
        if state.withLock({ $0.isInvalidated }) { return .invalidContext }
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics:
            guard let host, host.biometryType != .none else { return .biometryNotAvailable }
            return nil
        case .deviceOwnerAuthentication:
            return host == nil ? .passcodeNotSet : nil
        }
    }

    private func start(_ evaluation: Evaluation, _ policy: LAPolicy, _ localizedReason: String) {
        // Read here, because the detached task that prompts does not inherit the task's host.
        let host = LAHost.current
        if let obstacle = obstacle(to: policy, host) { return evaluation.finish(.failure(obstacle)) }
        guard let host, !interactionNotAllowed else { return evaluation.finish(.failure(.notInteractive)) }
        let prompt = LAHost.Prompt(
            policy: policy,
            localizedReason: localizedReason,
            localizedFallbackTitle: localizedFallbackTitle,
            localizedCancelTitle: localizedCancelTitle
        )
        let isRegistered = state.withLock { state in
            state.evaluations.removeAll(where: \.isFinished)
            guard !state.isInvalidated else { return false }
            state.evaluations.append(evaluation)
            return true
        }
        guard isRegistered else { return evaluation.finish(.failure(.invalidContext)) }
        evaluation.ask(host, prompt)
    }
}
