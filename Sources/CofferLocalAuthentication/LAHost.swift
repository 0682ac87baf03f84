internal import Synchronization

/// The part of a program that asks users to authenticate, since Linux has no system service for that.
///
/// Without a host, no prompt appears and every evaluation fails. A program that can prompt, at its terminal or in a
/// window, installs a host when it starts:
///
/// ```swift
/// LAHost.install(LAHost { prompt in
///     askForPassphrase(prompt.localizedReason) ? .success : .failure(.authenticationFailed)
/// })
/// ```
///
/// The host's answer is trusted, but it opens no vault: a vault always requires the right passphrase.
public struct LAHost: Sendable {
    /// A question to the user.
    public struct Prompt: Equatable, Sendable {
        /// The allowed ways to authenticate.
        public let policy: LAPolicy
        /// The reason: the rest of a sentence that begins with the program's name.
        public let localizedReason: String
        /// The title of the alternative way to authenticate; nil for the host's own title, empty to offer none.
        public let localizedFallbackTitle: String?
        /// The title of the action that cancels; nil for the host's own title.
        public let localizedCancelTitle: String?
    }

    /// The outcome of a prompt.
    public enum Answer: Equatable, Sendable {
        /// The user is authenticated.
        case success
        /// The user is not authenticated.
        case failure(LAError.Code)
    }

    /// The biometry that the host supports; if it is `none`, the host is never asked for biometry.
    public let biometryType: LABiometryType

    let ask: @Sendable (Prompt) async -> Answer

    /// Creates a host that prompts with `ask`, whose task is canceled when the answer is no longer needed.
    ///
    /// - Parameters:
    ///   - biometryType: The biometry that the host supports.
    ///   - ask: The function that prompts; called on any thread, and concurrently if several contexts evaluate at once.
    public init(
        biometryType: LABiometryType = .none,
        asking ask: @escaping @Sendable (Prompt) async -> Answer
    ) {
        self.biometryType = biometryType
        self.ask = ask
    }
}

extension LAHost {
    /// The host of the process.
    ///
    /// The lock is held only to copy the value, never during a prompt.
    private static let installed = Mutex<LAHost?>(nil)

    /// The host of a task, which may be none; the task-local value is nil outside `with`.
    private enum Scope: Sendable {
        case of(LAHost?)
    }

    @TaskLocal private static var scope: Scope?

    /// The host that an evaluation started now would use, or nil.
    public static var current: LAHost? {
        switch scope {
        case .of(let host): host
        case nil: installed.withLock { $0 }
        }
    }

    /// Sets the host of the process; nil removes it.
    public static func install(_ host: LAHost?) {
        installed.withLock { $0 = host }
    }

    /// Runs `body` with another host or none, so that tests do not disturb each other.
    ///
    /// Evaluations that start in `body`, and in tasks that it creates, use that host.
    public static func with<Result>(_ host: LAHost?, _ body: () throws -> Result) rethrows -> Result {
        try $scope.withValue(.of(host), operation: body)
    }

    /// Runs `body` with another host or none, so that tests do not disturb each other.
    ///
    /// Evaluations that start in `body`, and in tasks that it creates, use that host.
    public static func with<Result>(
        _ host: LAHost?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(.of(host), operation: body, isolation: isolation)
    }
}
