/// When an item can be read, and what must be shown before: `SecAccessControl`.
///
/// ```swift
/// let control = AccessControl(.whenUnlockedThisDeviceOnly, .userPresence)
/// control?.accessibility  // .whenUnlockedThisDeviceOnly
/// AccessControl(.whenUnlocked, [.or, .and])  // nil: they contradict one another
/// ```
public struct AccessControl: Equatable, Sendable {
    /// What must be shown, and for what: the bits of `SecAccessControlCreateFlags`.
    public struct Conditions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// The conditions with these bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The user is there.
        public static let userPresence = Conditions(rawValue: 1 << 0)
        /// Any finger or face that is known.
        public static let biometryAny = Conditions(rawValue: 1 << 1)
        /// A finger or face that is known now.
        public static let biometryCurrentSet = Conditions(rawValue: 1 << 3)
        /// The passphrase.
        public static let devicePasscode = Conditions(rawValue: 1 << 4)
        /// A watch that is near.
        public static let companion = Conditions(rawValue: 1 << 5)
        /// One of the conditions is enough.
        public static let or = Conditions(rawValue: 1 << 14)
        /// All conditions must hold.
        public static let and = Conditions(rawValue: 1 << 15)
        /// The item is a private key that is used where it lies.
        public static let privateKeyUsage = Conditions(rawValue: 1 << 30)
        /// A password of the application's own.
        public static let applicationPassword = Conditions(rawValue: 1 << 31)
    }

    /// When the item can be read.
    public let accessibility: Accessibility

    /// What must be shown; nil for what an item has that was stored without.
    ///
    /// Empty conditions are not none: who gave them has decided about the item's access, and may not decide again.
    public let conditions: Conditions?

    /// The access control of an item that was stored with a protection only.
    init(_ accessibility: Accessibility) {
        self.accessibility = accessibility
        conditions = nil
    }

    /// The access control that an item was stored with, whatever conditions another version allowed.
    init(stored accessibility: Accessibility, _ conditions: Conditions) {
        self.accessibility = accessibility
        self.conditions = conditions
    }

    /// An access control with conditions, or nil if they contradict one another.
    public init?(_ accessibility: Accessibility, _ conditions: Conditions) {
        guard !conditions.isSuperset(of: [.or, .and]),
            !conditions.isSuperset(of: [.biometryAny, .biometryCurrentSet])
        else { return nil }
        if conditions.contains(.userPresence) {
            let others = conditions.subtracting([.userPresence, .applicationPassword, .privateKeyUsage])
            guard others.isEmpty else { return nil }
        }
        self.accessibility = accessibility
        self.conditions = conditions
    }
}
