public import Coffer
internal import CofferBasics
public import Foundation
@_exported public import struct Coffer.Passphrase
@_exported public import enum Coffer.BiometryType
@_exported public import struct Coffer.AuthenticationHost

/// A context in which a user authenticates, through the program's host.
///
/// Apple's systems have a service for this; Linux has none (see `LAHost`). Without a host, every evaluation fails. An
/// evaluation counts for all calls of the keychain that get the context as `kSecUseAuthenticationContext`.
///
/// Contexts are thread-safe.
open class LAContext: NSObject, @unchecked Sendable {
    /// What the user has presented.
    package let authentication = AuthenticationContext()

    /// Creates a context without any authentication.
    public override init() {}

    /// The reason for a prompt of the keychain, if it prompts.
    open var localizedReason: String {
        get { authentication.reason }
        set { authentication.reason = newValue }
    }

    /// The title of the alternative way to authenticate; nil for the host's own title, empty to offer none.
    open var localizedFallbackTitle: String? {
        get { authentication.fallbackTitle }
        set { authentication.fallbackTitle = newValue }
    }

    /// The title of the action that cancels; nil for the host's own title.
    open var localizedCancelTitle: String? {
        get { authentication.cancelTitle }
        set { authentication.cancelTitle = newValue }
    }

    /// Whether prompts are forbidden; if they are, evaluations fail with `LAError.notInteractive`.
    open var interactionNotAllowed: Bool {
        get { !authentication.isInteractionAllowed }
        set { authentication.isInteractionAllowed = !newValue }
    }

    /// The number of seconds, at most 300, for which the host's last authentication of the user counts here too.
    ///
    /// On Apple systems this is about unlocking the device with Touch ID.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { authentication.reuseDuration }
        set { authentication.reuseDuration = newValue }
    }

    /// The biometry that the host supports.
    open var biometryType: LABiometryType { LAHost.current?.biometryType ?? .none }

    /// What the user can authenticate with, and whether that has changed.
    open var domainState: LADomainState { LADomainState(LAHost.current) }

    /// The older name of `domainState.biometry.stateHash`.
    open var evaluatedPolicyDomainState: Data? { domainState.biometry.stateHash }

    /// Whether a user can authenticate in this way; if not, `error` receives the reason.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = authentication.obstacle(to: policy.ways, by: LAHost.current) else { return true }
        error?.pointee = LAError(obstacle)._nsError
        return false
    }

    /// Asks the user to authenticate, unless this context was evaluated before.
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
        authentication.evaluate(policy.ways, reason: localizedReason, for: .default) { failure in
            Task.detached { reply(failure == nil, failure.map { LAError($0) }) }
        }
    }

    /// Asks the user to authenticate; returns true on success, and throws an `LAError` otherwise.
    ///
    /// Canceling the task ends the wait with `LAError.appCancel`; `invalidate` withdraws the prompt.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        // Through the other method, which a subclass may have overridden.
        try await Self.outcome { evaluatePolicy(policy, localizedReason: localizedReason, reply: $0) }
    }

    /// Waits for the reply of an evaluation that `start` begins.
    package static func outcome(
        of start: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async throws -> Bool {
        let (answers, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        start { isAuthenticated, error in
            continuation.yield(error.map { .failure($0) } ?? .success(isAuthenticated))
            continuation.finish()
        }
        // The stream ends early if the task is canceled.
        for await answer in answers { return try answer.get() }
        throw LAError(.appCancel)
    }

    /// Sets the application password for items that are read or added with this context, or removes it.
    ///
    /// - Parameters:
    ///   - credential: The password in UTF-8; nil to remove it.
    ///   - type: The type of the credential.
    /// - Returns: Whether the type is supported, and the credential is not empty.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard type == .applicationPassword, !(credential?.isEmpty ?? false) else { return false }
        authentication.applicationPassword = credential.map { credential in
            [UInt8](credential).wipedAfter { Passphrase($0.span) }
        }
        return true
    }

    /// Whether a credential of this type is set.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        type == .applicationPassword && authentication.applicationPassword != nil
    }

    /// Invalidates the context: pending evaluations fail with `LAError.appCancel`, and all later ones with
    /// `LAError.invalidContext`.
    open func invalidate() {
        authentication.invalidate()
    }
}

extension LAPolicy {
    /// The ways to authenticate that the policy allows.
    var ways: AuthenticationWays {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: .biometry
        case .deviceOwnerAuthentication: [.biometry, .passphrase]
        }
    }
}

/// The part of a program that asks users to authenticate, since Linux has no system service for that.
///
/// Without a host, no prompt appears: every evaluation fails, and `SecItemCopyMatching` returns
/// `errSecInteractionNotAllowed` for items whose access control demands the user.
///
/// ```swift
/// LAHost.install(LAHost { prompt in
///     askForPassphrase(prompt.localizedReason) ? .success : .failure(.authenticationFailed)
/// })
/// ```
public typealias LAHost = AuthenticationHost

/// The ways in which a user may authenticate.
public enum LAPolicy: Int, Sendable {
    /// By fingerprint or face.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// By fingerprint, face or passphrase.
    case deviceOwnerAuthentication = 2
}

/// The kind of biometry that a machine supports.
public typealias LABiometryType = BiometryType

/// The maximum number of seconds for which a Touch ID authentication can be reused on Apple systems.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// What an access control is evaluated for.
public enum LAAccessControlOperation: Int, Sendable {
    /// An item is added.
    case createItem
    /// An item is read or changed.
    case useItem
    /// A key is created.
    case createKey
    /// A private key signs.
    case useKeySign
    /// A private key decrypts.
    case useKeyDecrypt
    /// A private key agrees on a secret with another key.
    case useKeyKeyExchange
}

/// The types of credentials that a context can have.
public enum LACredentialType: Int, Sendable {
    /// The password of items that are protected by an application password.
    case applicationPassword = 0
    /// The PIN of a smart card, which is not supported.
    case smartCardPIN = -3
}

/// What a user can authenticate with, and whether that has changed.
public final class LADomainState: NSObject, @unchecked Sendable {
    /// The biometry of the host.
    public let biometry: LADomainStateBiometry
    /// The paired devices, which no host supports.
    public let companion = LADomainStateCompanion()

    init(_ host: LAHost?) { biometry = LADomainStateBiometry(host) }

    /// A value that changes when biometry or a paired device is enrolled or removed; nil if there is neither.
    public var stateHash: Data? { biometry.stateHash }
}

/// The biometry that the host supports, and whether what is enrolled has changed.
public final class LADomainStateBiometry: NSObject, @unchecked Sendable {
    /// The biometry that the host supports.
    public let biometryType: LABiometryType
    /// A value that changes when a finger or face is enrolled or removed; nil if the host does not know one.
    public let stateHash: Data?

    init(_ host: LAHost?) {
        biometryType = host?.biometryType ?? .none
        stateHash = host?.enrolledBiometryState.map { Data($0) }
    }
}

/// The paired devices that can authenticate a user; Linux has none.
public final class LADomainStateCompanion: NSObject, @unchecked Sendable {
    override init() {}

    /// A value that changes when a device is paired or removed; always nil.
    public var stateHash: Data? { nil }
}
