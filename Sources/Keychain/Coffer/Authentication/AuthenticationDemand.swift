internal import CofferBasics
package import VaultFormat

/// What a call lacks to use an item.
package enum AuthenticationDemand: Sendable {
    /// The user must authenticate, for each element in one of its ways.
    case user([AuthenticationWays])
    /// The application password of an item is needed.
    case password(PasswordStretching)
    /// A new application password is needed.
    case newPassword
}

extension AuthenticationContext {
    /// Accepts a password that the user has entered for what a call lacked.
    ///
    /// - Parameters:
    ///   - password: The passphrase of the vault, or the application password.
    ///   - demand: What the call lacked.
    ///   - keychain: The keychain of the call.
    /// - Returns: Whether the passphrase is right; whether an application password is right, the next call finds out.
    /// - Throws: ``KeychainError`` if the password cannot be checked.
    package func present(
        _ password: Passphrase,
        for demand: AuthenticationDemand,
        in keychain: Keychain
    ) throws(KeychainError) -> Bool {
        try KeychainError.converting {
            switch demand {
            case .user:
                guard try keychain.isOpened(by: password) else { return false }
                noteAuthentication(.passphrase)
            case .password(let stretching): keep(try keychain.stretched(password, stretching))
            case .newPassword: keep(try keychain.stretched(password, nil), isNew: true)
            }
            return true
        }
    }
}

/// The reasons why authentication failed, with Apple's numbers: `LAError.Code`.
///
/// ```swift
/// let closed = AuthenticationHost { _ in .failure(.userCancel) }
/// ```
public enum AuthenticationFailure: Int, Sendable {
    /// The user presented the wrong credentials.
    case authenticationFailed = -1
    /// The user canceled.
    case userCancel = -2
    /// The user chose the alternative that the fallback title names.
    case userFallback = -3
    /// The system canceled.
    case systemCancel = -4
    /// There is no passphrase, or no host to ask for it.
    case passcodeNotSet = -5
    /// The machine does not support biometry.
    case biometryNotAvailable = -6
    /// No fingerprint or face is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry is locked after too many failures.
    case biometryLockout = -8
    /// The program canceled.
    case appCancel = -9
    /// The context has been invalidated.
    case invalidContext = -10
    /// No watch is nearby.
    case watchNotAvailable = -11
    /// The sensor is not paired with this machine.
    case biometryNotPaired = -12
    /// The sensor is not connected.
    case biometryDisconnected = -13
    /// The dimensions are invalid.
    case invalidDimensions = -14
    /// A prompt is needed, but prompts are forbidden.
    case notInteractive = -1004
}

/// Ways in which a user can authenticate.
///
/// ```swift
/// let asksForBiometry = ways.contains(.biometry)
/// ```
public struct AuthenticationWays: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates the ways with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// By fingerprint or face.
    public static let biometry = AuthenticationWays(rawValue: 1)
    /// By the passphrase of the vault, or what the host uses in its place.
    public static let passphrase = AuthenticationWays(rawValue: 2)
    /// By a paired device, which no host supports so far.
    public static let companion = AuthenticationWays(rawValue: 4)
}

/// The kind of biometry that a host supports.
///
/// ```swift
/// let sensor = AuthenticationHost(biometryType: .touchID) { _ in .failure(.biometryLockout) }
/// ```
public enum BiometryType: Int, Sendable {
    /// No biometry.
    case none
    /// Fingerprints.
    case touchID
    /// Faces.
    case faceID
    /// Irises.
    case opticID = 4
}

extension AccessControl.Conditions {
    /// What the user must do to use an item: for each element, authenticate in one of its ways.
    var userConditions: [AuthenticationWays] {
        if contains(.userPresence) { return [[.biometry, .passphrase]] }
        var ways: [AuthenticationWays] = []
        if !isDisjoint(with: [.biometryAny, .biometryCurrentSet]) { ways.append(.biometry) }
        if contains(.companion) { ways.append(.companion) }
        if contains(.devicePasscode) { ways.append(.passphrase) }
        guard contains(.or), let first = ways.first else { return ways }
        return [ways.dropFirst().reduce(first) { $0.union($1) }]
    }
}
