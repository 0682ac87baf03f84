internal import VaultFormat

/// When an item can be read, and under which conditions: `SecAccessControl`.
///
/// ```swift
/// let control = AccessControl(.whenUnlockedThisDeviceOnly, .userPresence)
/// control?.accessibility  // .whenUnlockedThisDeviceOnly
/// AccessControl(.whenUnlocked, [.or, .and])  // nil: they contradict each other
/// ```
public struct AccessControl: Equatable, Sendable {
    /// The conditions for reading an item: the bits of `SecAccessControlCreateFlags`.
    public struct Conditions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Creates the conditions with these bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The user is present.
        public static let userPresence = Conditions(rawValue: 1 << 0)
        /// Any enrolled finger or face.
        public static let biometryAny = Conditions(rawValue: 1 << 1)
        /// A finger or face that is enrolled when the condition is set.
        public static let biometryCurrentSet = Conditions(rawValue: 1 << 3)
        /// The passphrase.
        public static let devicePasscode = Conditions(rawValue: 1 << 4)
        /// A watch nearby.
        public static let companion = Conditions(rawValue: 1 << 5)
        /// One of the conditions must be met.
        public static let or = Conditions(rawValue: 1 << 14)
        /// All conditions must be met.
        public static let and = Conditions(rawValue: 1 << 15)
        /// The item is a private key that is used where it is stored.
        public static let privateKeyUsage = Conditions(rawValue: 1 << 30)
        /// A password that the application provides.
        public static let applicationPassword = Conditions(rawValue: 1 << 31)
    }

    /// When the item can be read.
    public let accessibility: Accessibility

    /// The conditions; nil for an item that was stored without an access control.
    ///
    /// Empty conditions differ from nil: a request that gives them must not set the accessibility a second time.
    public let conditions: Conditions?

    /// A hash of the biometry that was enrolled when the conditions were set; nil if it does not matter or is unknown.
    package fileprivate(set) var enrolled: [UInt8]?

    /// The access control of an item that was stored with an accessibility only.
    init(_ accessibility: Accessibility) {
        self.accessibility = accessibility
        conditions = nil
    }

    /// The access control of a stored item, without a check, since another version may allow more.
    init(_ accessibility: Accessibility, _ stored: AccessControlEntry?) {
        self.accessibility = accessibility
        conditions = stored.map { Conditions(rawValue: $0.flags) }
        enrolled = stored?.enrolled
    }

    /// The access control as an item stores it; nil if it has no conditions, or one of them is not complete.
    var stored: AccessControlEntry? {
        conditions.flatMap { AccessControlEntry(flags: $0.rawValue, enrolled: enrolled) }
    }

    /// This access control as an item of a class gets it: bound to the biometry that is enrolled now, if that matters.
    ///
    /// - Throws: ``KeychainError/authenticationFailed`` if none is enrolled, ``KeychainError/invalid(_:)`` if the item
    ///   cannot be a private key but the conditions are about its use.
    func bound(for itemClass: ItemClass) throws(KeychainError) -> AccessControl {
        if conditions?.contains(.privateKeyUsage) ?? false, itemClass != .key {
            throw .invalid(.value(of: .accessControl))
        }
        guard let conditions, conditions.contains(.biometryCurrentSet), enrolled == nil else { return self }
        guard let hash = AuthenticationHost.current?.enrolledHash else { throw .authenticationFailed }
        var control = self
        control.enrolled = hash
        return control
    }

    /// Creates an access control with conditions, or nil if they contradict each other.
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

    /// Creates the access control that an item had elsewhere, bound to the biometry that was enrolled there.
    ///
    /// It is nil if the conditions contradict each other, or if they and the hash do not belong together.
    package init?(_ accessibility: Accessibility, _ conditions: Conditions, enrolled: [UInt8]?) {
        self.init(accessibility, conditions)
        self.enrolled = enrolled
        guard stored != nil else { return nil }
    }
}
