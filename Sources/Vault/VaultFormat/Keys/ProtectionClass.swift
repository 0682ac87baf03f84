internal import CofferBasics
package import VaultCrypto

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

/// The name of a class key: its protection class, owner and epoch.
package struct ClassKeyName: Hashable, Sendable {
    package var protection: ProtectionClass
    /// The device that the items are bound to, or none.
    package var owner: DeviceID
    /// The epoch of the user root that the key is derived from.
    package var epoch: UInt32

    package init(protection: ProtectionClass, owner: DeviceID, epoch: UInt32) {
        self.protection = protection
        self.owner = owner
        self.epoch = epoch
    }

    /// What the class key is derived from, besides the root.
    func input(vault: VaultID) -> [UInt8] {
        var input = vault.bytes + [protection.rawValue] + owner.bytes
        input.append(littleEndian: epoch)
        return input
    }

    /// Section 3.3: the class key, or nil if a root that it is derived from is missing.
    func key(user: Key?, device: Key?, cipher: Cipher) throws(CipherError) -> Key? {
        let input = input(vault: cipher.vault)
        switch protection {
        case .whenUnlocked, .afterFirstUnlock, .always:
            return try user?.derived(.classKey, input)
        case .alwaysThisDeviceOnly:
            return try device?.derived(.classKey, input)
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
            guard let user, let device else { return nil }
            let both = try user.derived(.bothRoots, cipher.vault.bytes + owner.bytes, appending: device)
            return try both.derived(.classKey, input)
        }
    }
}

extension Key {
    /// The key that authenticates the header; this key is the class key of `always`.
    package func ownerKey() throws(CipherError) -> Key { try derived(.owner) }
}
