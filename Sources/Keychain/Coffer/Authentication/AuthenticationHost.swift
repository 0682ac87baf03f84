internal import CofferBasics
internal import VaultFiles

/// The part of a program that asks users to authenticate, since Linux has no system service for that.
///
/// Without a host, no prompt appears: every evaluation fails, and items whose access control demands the user cannot be
/// used. A program that can prompt, at its terminal or in a window, installs a host when it starts:
///
/// ```swift
/// let host = AuthenticationHost { prompt in
///     guard let passphrase = ask(prompt.localizedReason) else { return .failure(.userCancel) }
///     return .password(passphrase)
/// }
/// AuthenticationHost.install(host)
/// ```
///
/// A passphrase is compared with the passphrases of the vault. Any other answer of the host is trusted. No answer opens
/// a vault: that always requires its own secret.
public struct AuthenticationHost: Sendable {
    /// A question to the user.
    public struct Prompt: Equatable, Sendable {
        /// The subject of a question.
        public enum Request: Equatable, Sendable {
            /// The user must authenticate in one of these ways, all of which the host supports.
            case user(AuthenticationWays)
            /// The application password that protects an item.
            case applicationPassword
            /// A new application password, to protect an item with.
            case newApplicationPassword
        }

        /// The subject of the question.
        public let request: Request
        /// The reason: the rest of a sentence that begins with the program's name.
        public let localizedReason: String
        /// The title of the alternative way to authenticate; nil for the host's own title, empty to offer none.
        public let localizedFallbackTitle: String?
        /// The title of the action that cancels; nil for the host's own title.
        public let localizedCancelTitle: String?
        /// How many times this question was answered with a wrong password.
        public let wrongAnswerCount: Int
    }

    /// The answer to a prompt.
    public enum Answer: Sendable {
        /// The user is authenticated.
        case success
        /// The user has entered a password: the passphrase of the vault, or an application password.
        case password(Passphrase)
        /// The user is not authenticated.
        case failure(AuthenticationFailure)
    }

    /// The biometry that the host supports; if it is `none`, the host is never asked for biometry.
    public let biometryType: BiometryType
    private let enrolledBiometry: @Sendable () -> [UInt8]?
    let ask: @Sendable (Prompt) async -> Answer
    let successes = Successes()

    /// Creates a host that prompts with `ask`, whose task is canceled when the answer is no longer needed.
    ///
    /// - Parameters:
    ///   - biometryType: The biometry that the host supports.
    ///   - enrolledBiometry: A function that returns bytes that change when a finger or face is enrolled or removed; nil
    ///     if none is enrolled.
    ///   - ask: The function that prompts. It runs on a thread of its own, and concurrently if several calls ask at
    ///     once. The call that asks waits meanwhile, so the function must not need the thread that made the call.
    public init(
        biometryType: BiometryType = .none,
        enrolledBiometry: @escaping @Sendable () -> [UInt8]? = { nil },
        asking ask: @escaping @Sendable (Prompt) async -> Answer
    ) {
        self.biometryType = biometryType
        self.enrolledBiometry = enrolledBiometry
        self.ask = ask
    }

    /// Bytes that change when a finger or face is enrolled or removed; nil if none is enrolled, or if they are unknown.
    package var enrolledBiometryState: [UInt8]? { biometryType == .none ? nil : enrolledBiometry() }

    /// The ways in which this host can authenticate the user.
    var ways: AuthenticationWays { biometryType == .none ? .passphrase : [.biometry, .passphrase] }
}

extension AuthenticationHost {
    /// The host of the process.
    ///
    /// The lock is held only to copy the value, never during a prompt.
    private static let installed = Guarded<AuthenticationHost?>(nil)

    /// The host of a task, which may be none; the task-local value is nil outside `with`.
    private enum Scope: Sendable {
        case of(AuthenticationHost?)
    }

    @TaskLocal private static var scope: Scope?

    /// The host that an evaluation started now would use, or nil.
    public static var current: AuthenticationHost? {
        switch scope {
        case .of(let host): host
        case nil: installed.withLock { $0 }
        }
    }

    /// Sets the host of the process; nil removes it.
    public static func install(_ host: AuthenticationHost?) {
        installed.withLock { $0 = host }
    }

    /// Runs `body` with another host or none, so that tests do not disturb each other.
    ///
    /// Evaluations that start in `body`, and in tasks that it creates, use that host.
    public static func with<Result>(_ host: AuthenticationHost?, _ body: () throws -> Result) rethrows -> Result {
        try $scope.withValue(.of(host), operation: body)
    }

    /// Runs `body` with another host or none, so that tests do not disturb each other.
    ///
    /// Evaluations that start in `body`, and in tasks that it creates, use that host.
    public static func with<Result>(
        _ host: AuthenticationHost?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(.of(host), operation: body, isolation: isolation)
    }
}

/// The behavior of Apple's simulator, where items are read without a prompt whatever their access control says.
///
/// It is meant for test suites that expect that.
enum Simulator {
    private static let variable = "COFFER_SIMULATOR"

    /// Whether the process behaves like the simulator; if so, a line on standard error has said it.
    static let isOn: Bool = {
        guard let value = ProgramEnvironment()[variable], value == "1" else { return false }
        StandardError.write(
            line: "coffer: warning: \(variable) is set: items are used without the authentication that they demand"
        )
        return true
    }()
}

extension AuthenticationHost {
    /// A host that asks at the terminal of the process, for the passphrase of the vault or for an application password.
    ///
    /// If there is no terminal, or the process is in the background, nothing is asked and the call fails.
    ///
    /// ```swift
    /// AuthenticationHost.install(.terminal)
    /// ```
    public static let terminal = AuthenticationHost { prompt in
        // One question at a time.
        terminalUse.withLock { _ in prompt.askAtTerminal() }
    }

    private static let terminalUse = Guarded(())
}

extension AuthenticationHost.Prompt {
    fileprivate func askAtTerminal() -> AuthenticationHost.Answer {
        guard let terminal = ControllingTerminal() else { return .failure(.notInteractive) }
        let name: String
        var isNew = false
        switch request {
        case .user: name = "Passphrase"
        case .applicationPassword: name = "Password of the item"
        case .newApplicationPassword: (name, isNew) = ("New password of the item", true)
        }
        let program = ApplicationIdentifier.default(
            environment: ProgramEnvironment(),
            executable: CurrentProcess.executable ?? "a program"
        )
        let reason = "\(program) \(localizedReason).\n".escapingInvisibleInLines
        let question = wrongAnswerCount == 0 ? "\(reason)\(name): " : "That is wrong; try again.\n\(name): "
        guard let answer = terminal.passphrase(question) else { return .failure(.userCancel) }
        guard isNew else { return .password(answer) }
        guard let again = terminal.passphrase("Repeat: ") else { return .failure(.userCancel) }
        return answer == again ? .password(answer) : .failure(.authenticationFailed)
    }
}

extension ControllingTerminal {
    /// What the user types; nil if the user cancels or types nothing.
    fileprivate func passphrase(_ question: String) -> Passphrase? {
        var buffer = SecretBuffer(byteCount: Passphrase.byteCountLimit)
        let byteCount = buffer.withMutableSpan { bytes in
            try? secret(question, into: &bytes) { !Task.isCancelled }
        }
        guard let byteCount = byteCount ?? nil, byteCount > 0 else { return nil }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }
}
