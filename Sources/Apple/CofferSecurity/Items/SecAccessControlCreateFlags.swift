internal import Coffer

/// What the user must present before an item can be read.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Creates flags with these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The user is present.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// Any enrolled finger: the older name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// A finger or face that is enrolled now, not one enrolled later.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// A finger that is enrolled now: the older name of `biometryCurrentSet`.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passphrase.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A watch nearby: the older name of `companion`.
    public static let watch = companion
    /// A paired device nearby, such as a watch.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of the conditions suffices.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All conditions must hold.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The item is a private key that is used without leaving the keychain.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password that the application provides.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

extension SecAccessControlCreateFlags {
    private static let known: SecAccessControlCreateFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    /// The same conditions for the keychain; nil if a flag is unknown.
    var conditions: AccessControl.Conditions? {
        guard isSubset(of: Self.known), let bits = UInt32(exactly: rawValue) else { return nil }
        return AccessControl.Conditions(rawValue: bits)
    }
}
