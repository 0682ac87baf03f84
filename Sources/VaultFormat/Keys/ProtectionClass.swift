/// When an item can be read: `kSecAttrAccessible`, with Apple's numbers.
package enum ProtectionClass: UInt8, CaseIterable, Sendable {
    case whenUnlocked = 6
    case afterFirstUnlock = 7
    case always = 8
    case whenUnlockedThisDeviceOnly = 9
    case afterFirstUnlockThisDeviceOnly = 10
    case alwaysThisDeviceOnly = 11
    case whenPasscodeSetThisDeviceOnly = 12

    /// Whether items of this class belong to one device.
    package var isBoundToDevice: Bool { rawValue >= Self.whenUnlockedThisDeviceOnly.rawValue }

    /// Whether the keys of this class leave the memory when the vault is locked.
    package var endsWhenLocked: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: false
        }
    }

    /// The roots that a key of this class may be wrapped under.
    var roots: Set<Root> {
        switch self {
        case .whenUnlocked, .afterFirstUnlock: [.user]
        case .always: [.user, .device]
        case .alwaysThisDeviceOnly: [.device]
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: [.both]
        }
    }
}

/// Which root secret a key is wrapped under.
package enum Root: UInt8, Sendable {
    case user = 1
    case device = 2
    /// The user root and a device root together.
    case both = 3
}
