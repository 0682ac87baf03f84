internal import VaultFormat

/// When the data of an item can be read: `kSecAttrAccessible`.
///
/// ```swift
/// var login = GenericPassword(service: "mail", account: "kim")
/// login.accessibility = .afterFirstUnlock
/// try keychain.add(login, secret: "hunter2")
/// ```
public enum Accessibility: String, CaseIterable, Sendable {
    /// While the keychain is unlocked.
    case whenUnlocked = "ak"
    /// Once the keychain has been unlocked, until it is closed.
    case afterFirstUnlock = "ck"
    /// Always, even while the keychain is locked.
    case always = "dk"
    /// While the keychain is unlocked, and on this machine only.
    case whenUnlockedThisDeviceOnly = "aku"
    /// Once the keychain has been unlocked, until it is closed, and on this machine only.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// Always, and on this machine only.
    case alwaysThisDeviceOnly = "dku"
    /// While the keychain is unlocked, on this machine only, and only as long as a passphrase protects the vault.
    case whenPasscodeSetThisDeviceOnly = "akpu"
}

extension Accessibility {
    /// The protection class in the vault format.
    var protection: ProtectionClass {
        switch self {
        case .whenUnlocked: .whenUnlocked
        case .afterFirstUnlock: .afterFirstUnlock
        case .always: .always
        case .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
        case .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
        case .alwaysThisDeviceOnly: .alwaysThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
        }
    }

    init(_ protection: ProtectionClass) {
        self =
            switch protection {
            case .whenUnlocked: .whenUnlocked
            case .afterFirstUnlock: .afterFirstUnlock
            case .always: .always
            case .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
            case .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
            case .alwaysThisDeviceOnly: .alwaysThisDeviceOnly
            case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
            }
    }
}
