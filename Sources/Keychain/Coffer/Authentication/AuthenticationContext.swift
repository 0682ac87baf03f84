internal import CofferBasics
internal import VaultFormat

/// What a user has presented to use items whose access control demands it.
///
/// Each call of a keychain asks again, unless calls share a context:
///
/// ```swift
/// let context = AuthenticationContext()
/// context.reason = "wants to sign in"
/// let authenticating = keychain.authenticating(with: context)
/// let name = try authenticating.secretText(of: login.reference)  // asks the user
/// let token = try authenticating.secretText(of: login.reference)  // does not ask again
/// ```
///
/// Use a context for one vault only: it does not know which vault's passphrase the user has entered. Contexts are
/// thread-safe.
public final class AuthenticationContext: Sendable {
    private struct State {
        var reason = ""
        var fallbackTitle: String?
        var cancelTitle: String?
        var isInteractionAllowed = true
        var reuseDuration = 0.0
        /// The ways that the user could choose from whenever they were authenticated.
        var authenticatedWays: Set<AuthenticationWays> = []
        var applicationPassword: Passphrase?
        var passwordKeys: [PasswordStretching: ApplicationPasswordKey] = [:]
        var newPasswordKey: ApplicationPasswordKey?
        var missing: AuthenticationDemand?
        var isInvalidated = false
        var evaluations: [Evaluation] = []
    }

    private let state = Guarded(State())
    private let ignoresSimulator: Bool

    /// Creates a context without any authentication.
    public init() { ignoresSimulator = false }

    /// Creates a context without any authentication, for a program that is not a test suite.
    package init(ignoringSimulator: Bool) { ignoresSimulator = ignoringSimulator }

    /// The reason for prompts: the rest of a sentence that begins with the program's name.
    public var reason: String {
        get { state.withLock { $0.reason } }
        set { state.withLock { $0.reason = newValue } }
    }

    /// The title of the alternative way to authenticate; nil for the host's own title, empty to offer none.
    public var fallbackTitle: String? {
        get { state.withLock { $0.fallbackTitle } }
        set { state.withLock { $0.fallbackTitle = newValue } }
    }

    /// The title of the action that cancels; nil for the host's own title.
    public var cancelTitle: String? {
        get { state.withLock { $0.cancelTitle } }
        set { state.withLock { $0.cancelTitle = newValue } }
    }

    /// Whether the user may be asked; if not, calls that need an answer fail.
    public var isInteractionAllowed: Bool {
        get { state.withLock { $0.isInteractionAllowed } }
        set { state.withLock { $0.isInteractionAllowed = newValue } }
    }

    /// The number of seconds, at most 300, for which the host's last authentication of the user counts here too.
    public var reuseDuration: Double {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The application password of items that are read or added; if it is nil, the user is asked for it.
    public var applicationPassword: Passphrase? {
        get { state.withLock { $0.applicationPassword } }
        set {
            state.withLock { state in
                state.applicationPassword = newValue
                (state.passwordKeys, state.newPasswordKey) = ([:], nil)
            }
        }
    }

    /// Forgets the authentication, and makes pending and later questions fail.
    public func invalidate() {
        let pending = state.withLock { state in
            let pending = state.evaluations
            state = State()
            state.isInvalidated = true
            return pending
        }
        for evaluation in pending { evaluation.finish(.failure(.appCancel)) }
    }
}

// MARK: - Asking

extension AuthenticationContext {
    /// The maximum age of an authentication that is reused, in seconds.
    package static let maximumReuseDuration = 300.0
    /// How many times the user may enter the passphrase.
    static let attemptCount = 3

    /// Whether the user does not have to be asked to authenticate in one of `ways`.
    func isAuthenticated(_ ways: AuthenticationWays, by host: AuthenticationHost?) -> Bool {
        let (authenticated, age) = state.withLock { ($0.authenticatedWays, $0.reuseDuration) }
        if authenticated.contains(where: { ways.isSuperset(of: $0) }) { return true }
        return host?.hasAuthenticated(ways, within: min(age, Self.maximumReuseDuration)) ?? false
    }

    /// Returns the ways in each of which the user has yet to authenticate to meet `conditions`.
    ///
    /// It returns nil if they cannot be met, because other biometry than `enrolled` is enrolled now.
    func missingWays(
        for conditions: AccessControl.Conditions,
        enrolled: [UInt8]?,
        by host: AuthenticationHost?
    ) -> [AuthenticationWays]? {
        var needed = conditions.userConditions
        guard !needed.isEmpty, ignoresSimulator || !Simulator.isOn else { return [] }
        if let enrolled, enrolled != host?.enrolledHash {
            for index in needed.indices { needed[index].remove(.biometry) }
            guard !needed.contains([]) else { return nil }
        }
        return needed.filter { !isAuthenticated($0, by: host) }
    }

    /// Returns why a user cannot authenticate in one of `ways`; nil if the user can.
    package func obstacle(to ways: AuthenticationWays, by host: AuthenticationHost?) -> AuthenticationFailure? {
        if state.withLock({ $0.isInvalidated }) { return .invalidContext }
        guard let host, !ways.isDisjoint(with: host.ways) else {
            if ways.contains(.passphrase) { return .passcodeNotSet }
            return ways.contains(.biometry) ? .biometryNotAvailable : .watchNotAvailable
        }
        return nil
    }

    /// Asks the user to authenticate in one of `ways`, unless this context has that already.
    ///
    /// - Parameters:
    ///   - ways: The ways that suffice.
    ///   - reason: The reason, for the user.
    ///   - keychain: The keychain whose passphrase the user may enter.
    ///   - reply: A closure that is called once, on any thread: with success, or with the failure.
    package func evaluate(
        _ ways: AuthenticationWays,
        reason: String,
        for keychain: Keychain,
        reply: @escaping @Sendable (AuthenticationFailure?) -> Void
    ) {
        // Read here, because the task that prompts does not inherit the task's host.
        let host = AuthenticationHost.current
        if isAuthenticated(ways, by: host) { return reply(nil) }
        let asked = ways.intersection(host?.ways ?? [])
        ask(.user(asked), reason, host, obstacle: obstacle(to: ways, by: host)) { [self] answer, host in
            switch answer {
            case .success: break
            case .password(let passphrase):
                do {
                    guard try keychain.isOpened(by: passphrase) else { return nil }
                } catch KeychainError.noPassphrase {
                    return .failure(.passcodeNotSet)
                } catch {
                    return .failure(.authenticationFailed)
                }
            case .failure: return answer
            }
            // A passphrase that was checked is more than the host's word for one of several ways.
            let proven = if case .password = answer { AuthenticationWays.passphrase } else { asked }
            noteAuthentication(proven)
            host.noteSuccess(proven)
            return .success
        } reply: { answer in
            if case .failure(let failure) = answer { reply(failure) } else { reply(nil) }
        }
    }

    /// Asks the user for everything that an access control demands, unless this context has it already.
    ///
    /// - Parameters:
    ///   - control: The access control.
    ///   - isNew: Whether an item with it is made, which demands only a new application password.
    ///   - reason: The reason, for the user.
    ///   - keychain: The keychain whose passphrase the user may enter.
    /// - Returns: Why that failed; nil if the context has everything now.
    package func evaluate(
        _ control: AccessControl,
        isNew: Bool,
        reason: String,
        for keychain: Keychain
    ) async -> AuthenticationFailure? {
        let conditions = control.conditions ?? []
        let host = AuthenticationHost.current
        guard let ways = isNew ? [] : missingWays(for: conditions, enrolled: control.enrolled, by: host) else {
            return .authenticationFailed
        }
        for ways in ways {
            let failure = await withCheckedContinuation { continuation in
                evaluate(ways, reason: reason, for: keychain) { continuation.resume(returning: $0) }
            }
            if let failure { return failure }
        }
        guard conditions.contains(.applicationPassword), applicationPassword == nil else { return nil }
        let answer = await withCheckedContinuation { continuation in
            askForPassword(isNew: isNew, wrongAnswerCount: 0, reason: reason) { continuation.resume(returning: $0) }
        }
        switch answer {
        case .password(let password): applicationPassword = password
        case .failure(let failure): return failure
        case .success: return .authenticationFailed
        }
        return nil
    }

    /// Asks for an application password.
    func askForPassword(
        isNew: Bool,
        wrongAnswerCount: Int,
        reason: String,
        reply: @escaping Evaluation.Reply
    ) {
        let host = AuthenticationHost.current
        let request: AuthenticationHost.Prompt.Request = isNew ? .newApplicationPassword : .applicationPassword
        ask(request, reason, host, wrongAnswerCount, obstacle: obstacle(to: .passphrase, by: host)) { answer, _ in
            // Only a password opens the item.
            if case .success = answer { .failure(.authenticationFailed) } else { answer }
        } reply: {
            reply($0)
        }
    }

    /// Asks the host until `check` accepts an answer.
    private func ask(
        _ request: AuthenticationHost.Prompt.Request,
        _ reason: String,
        _ host: AuthenticationHost?,
        _ wrongAnswerCount: Int = 0,
        obstacle: AuthenticationFailure?,
        _ check: @escaping @Sendable (AuthenticationHost.Answer, AuthenticationHost) -> AuthenticationHost.Answer?,
        reply: @escaping Evaluation.Reply
    ) {
        let evaluation = Evaluation(reply: reply)
        if let obstacle { return evaluation.finish(.failure(obstacle)) }
        guard let host, isInteractionAllowed else { return evaluation.finish(.failure(.notInteractive)) }
        let titles = state.withLock { state in
            state.evaluations.removeAll(where: \.isFinished)
            if !state.isInvalidated { state.evaluations.append(evaluation) }
            return state.isInvalidated ? nil : (state.fallbackTitle, state.cancelTitle)
        }
        guard let titles else { return evaluation.finish(.failure(.invalidContext)) }
        evaluation.start {
            for wrongAnswerCount in wrongAnswerCount..<wrongAnswerCount + Self.attemptCount {
                let answer = await host.ask(
                    AuthenticationHost.Prompt(
                        request: request,
                        localizedReason: reason,
                        localizedFallbackTitle: titles.0,
                        localizedCancelTitle: titles.1,
                        wrongAnswerCount: wrongAnswerCount
                    )
                )
                if let accepted = check(answer, host) { return accepted }
            }
            return .failure(.authenticationFailed)
        }
    }

    /// Notes that the user has authenticated in one of `ways`.
    package func noteAuthentication(_ ways: AuthenticationWays) {
        state.withLock { state in
            if !state.isInvalidated { state.authenticatedWays.insert(ways) }
        }
    }

    /// What the last call lacked that could not ask the user itself.
    package var missing: AuthenticationDemand? { state.withLock { $0.missing } }

    /// Notes what a call lacks that cannot ask the user itself.
    func note(missing: AuthenticationDemand) { state.withLock { $0.missing = missing } }

    // MARK: - Application passwords

    /// The key of an application password that was entered before.
    func passwordKey(_ stretching: PasswordStretching) -> ApplicationPasswordKey? {
        state.withLock { $0.passwordKeys[stretching] }
    }

    /// The key of a new application password, for items that are added.
    var newPasswordKey: ApplicationPasswordKey? { state.withLock { $0.newPasswordKey } }

    /// Keeps the key of an application password.
    func keep(_ key: ApplicationPasswordKey, isNew: Bool = false) {
        state.withLock { state in
            state.passwordKeys[key.stretching] = key
            if isNew { state.newPasswordKey = key }
        }
    }

    /// Forgets the key of a wrong application password.
    func forgetKey(_ stretching: PasswordStretching) {
        _ = state.withLock { $0.passwordKeys.removeValue(forKey: stretching) }
    }
}

extension AuthenticationHost {
    /// When a host last authenticated the user, by the ways that the user could choose from.
    final class Successes: Sendable {
        fileprivate let times = Guarded<[AuthenticationWays: ContinuousClock.Instant]>([:])
    }

    /// Notes that the user has just authenticated in one of `ways`.
    fileprivate func noteSuccess(_ ways: AuthenticationWays) {
        // This clock goes on while the machine sleeps, and is not set.
        successes.times.withLock { $0[ways] = .now }
    }

    /// Whether the user has authenticated in one of `ways` in the last `seconds`.
    fileprivate func hasAuthenticated(_ ways: AuthenticationWays, within seconds: Double) -> Bool {
        guard seconds > 0 else { return false }
        return successes.times.withLock { times in
            times.contains { ways.isSuperset(of: $0.key) && .now - $0.value <= .seconds(seconds) }
        }
    }
}

extension AuthenticationContext: Equatable {
    /// Whether both are the same context.
    public static func == (one: AuthenticationContext, other: AuthenticationContext) -> Bool { one === other }
}
