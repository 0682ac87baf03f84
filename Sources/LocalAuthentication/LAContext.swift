public import Foundation
internal import Synchronization

/// Where somebody authenticates: by the host of the program, or not at all.
///
/// Apple's systems have a service for that, Linux has none: see `LAHost`. Without a host, every evaluation fails.
///
/// A context can be used by several threads at once.
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

    /// A context in which nobody has authenticated yet.
    public override init() {}

    /// What the keychain asks for, if it asks.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// How another way to authenticate is called; nil for what the host calls it, and empty to offer none.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// How turning down is called; nil for what the host calls it.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether nobody may be asked: then evaluations fail with `LAError.notInteractive`.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// For how many seconds a touch can be used again: kept, but nothing here is used again.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// What the host knows people by.
    open var biometryType: LABiometryType { LAHost.current?.biometryType ?? .none }

    /// What changes when a finger or a face is enrolled: nothing knows that here, so it is nil.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Whether somebody can be asked in this way; if not, `error` says why.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy, LAHost.current) else { return true }
        error?.pointee = LAError(obstacle)._nsError
        return false
    }

    /// Asks somebody to authenticate.
    ///
    /// - Parameters:
    ///   - policy: How they shall do it.
    ///   - localizedReason: What for.
    ///   - reply: Called once, on another thread, never before this returns for what is known already.
    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        start(Evaluation(reply: reply), policy, localizedReason)
    }

    /// Asks somebody to authenticate; true if they are, and else throws an `LAError`.
    ///
    /// Cancelling the task ends the waiting with `LAError.appCancel`; `invalidate` takes the question back.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        let (answers, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        // By the other method, which a subclass may have made its own.
        evaluatePolicy(policy, localizedReason: localizedReason) { isAuthenticated, error in
            continuation.yield(error.map { .failure($0) } ?? .success(isAuthenticated))
            continuation.finish()
        }
        // The stream ends early where the task is cancelled.
        for await answer in answers { return try answer.get() }
        throw LAError(.appCancel)
    }

    /// Gives the context up: evaluations that wait fail with `LAError.appCancel`, and all later ones with
    /// `LAError.invalidContext`.
    open func invalidate() {
        let pending = state.withLock { state in
            defer { state.evaluations = [] }
            state.isInvalidated = true
            return state.evaluations
        }
        for evaluation in pending { evaluation.finish(.failure(.appCancel)) }
    }

    /// Why nobody can be asked in this way; nil if somebody can.
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
        // Read here: the host of a task is not the one of the task that asks.
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
