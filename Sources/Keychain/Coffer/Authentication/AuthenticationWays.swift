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
