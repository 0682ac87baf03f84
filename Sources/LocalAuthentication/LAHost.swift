internal import Synchronization

/// Who asks people to authenticate: the program that the code runs in, as Linux has no service of the system for that.
///
/// Without a host nobody is asked, and every evaluation fails. A program that can ask, at its terminal or in a window,
/// installs itself when it starts:
///
/// ```swift
/// LAHost.install(LAHost { prompt in
///     askForPassphrase(prompt.localizedReason) ? .success : .failure(.authenticationFailed)
/// })
/// ```
///
/// What the host answers is believed: it opens no vault, which takes the right passphrase whatever was answered here.
public struct LAHost: Sendable {
    /// What somebody is asked.
    public struct Prompt: Equatable, Sendable {
        /// How they shall authenticate.
        public let policy: LAPolicy
        /// What for: the rest of a sentence that begins with the program's name.
        public let localizedReason: String
        /// How another way is called; nil for what the host calls it, and empty to offer none.
        public let localizedFallbackTitle: String?
        /// How turning down is called; nil for what the host calls it.
        public let localizedCancelTitle: String?
    }

    /// What came of it.
    public enum Answer: Equatable, Sendable {
        /// They are authenticated.
        case success
        /// They are not.
        case failure(LAError.Code)
    }

    /// What the host knows people by; for `none`, it is not asked for biometry.
    public let biometryType: LABiometryType

    let ask: @Sendable (Prompt) async -> Answer

    /// A host that asks with `ask`, which is cancelled when nobody waits for the answer any more.
    ///
    /// - Parameters:
    ///   - biometryType: What it knows people by.
    ///   - ask: Called on any thread, several times at once if several contexts evaluate at once.
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
    /// The lock is held only while a value is copied, never while somebody is asked.
    private static let installed = Mutex<LAHost?>(nil)

    /// The host of a task, which may also be none; nil outside of `with`.
    private enum Scope: Sendable {
        case of(LAHost?)
    }

    @TaskLocal private static var scope: Scope?

    /// The host that evaluations which begin now ask, if there is one.
    public static var current: LAHost? {
        switch scope {
        case .of(let host): host
        case nil: installed.withLock { $0 }
        }
    }

    /// Makes `host` the one of the process, or takes it away.
    public static func install(_ host: LAHost?) {
        installed.withLock { $0 = host }
    }

    /// Runs `body` with another host, or with none: for tests, which so do not disturb one another.
    ///
    /// Evaluations that begin in `body`, and in tasks that it makes, ask that host.
    public static func with<Result>(_ host: LAHost?, _ body: () throws -> Result) rethrows -> Result {
        try $scope.withValue(.of(host), operation: body)
    }

    /// Runs `body` with another host, or with none: for tests, which so do not disturb one another.
    ///
    /// Evaluations that begin in `body`, and in tasks that it makes, ask that host.
    public static func with<Result>(
        _ host: LAHost?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(.of(host), operation: body, isolation: isolation)
    }
}
