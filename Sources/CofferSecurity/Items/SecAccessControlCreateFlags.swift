internal import Coffer

/// What must be shown before an item can be read.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// The flags with these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The user is there.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any finger or face that is known.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// Any finger or face that is known: the older name.
    public static let touchIDAny = biometryAny
    /// A finger or face that is known now.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// A finger or face that is known now: the older name.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passphrase.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A watch that is near: the older name.
    public static let watch = companion
    /// A device that is near, such as a watch.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of the conditions is enough.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All conditions must hold.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The item is a private key that is used where it lies.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the application's own.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

extension SecAccessControlCreateFlags {
    private static let known: SecAccessControlCreateFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    /// The same conditions for the keychain; nil if a bit has no meaning.
    var conditions: AccessControl.Conditions? {
        guard isSubset(of: Self.known), let bits = UInt32(exactly: rawValue) else { return nil }
        return AccessControl.Conditions(rawValue: bits)
    }
}
