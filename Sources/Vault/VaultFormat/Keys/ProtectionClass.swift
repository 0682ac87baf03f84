/// The protection class of an item, `kSecAttrAccessible`, with Apple's numbers.
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

    /// Whether the keys of this class are released when the vault is locked.
    package var isReleasedWhenLocked: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: false
        }
    }

}

/// The root secret that wraps a key.
package enum Root: UInt8, Sendable {
    case user = 1
    case device = 2
}
