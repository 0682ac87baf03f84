package import VaultCrypto

/// The name of a class key: for which items it is, of which device, of which epoch.
package struct ClassKeyName: Hashable, Sendable {
    package var protection: ProtectionClass
    /// The device that the items are bound to, or none.
    package var owner: DeviceID
    package var epoch: UInt32

    package init(protection: ProtectionClass, owner: DeviceID, epoch: UInt32) {
        self.protection = protection
        self.owner = owner
        self.epoch = epoch
    }
}

/// Keys of a vault that are at hand without the roots that wrap them: those that stay while it is locked, or those that
/// another process of the user has opened.
///
/// Each counts only for a vault that has committed to it.
package struct HeldKeys: Sendable {
    package var structureKey: (key: Key, epoch: UInt32)
    package var classKeys: [ClassKeyName: Key]
    package var matchKeys: [GroupEpoch: Key]
    /// The devices whose items are here, whether their keys are or not: what is locked is not absent.
    package var devices: Set<DeviceID>

    package init(
        structureKey: (key: Key, epoch: UInt32),
        classKeys: [ClassKeyName: Key],
        matchKeys: [GroupEpoch: Key],
        devices: Set<DeviceID>
    ) {
        self.structureKey = structureKey
        self.classKeys = classKeys
        self.matchKeys = matchKeys
        self.devices = devices
    }

    /// Whether `prelude` is that of the vault whose keys these are, and they have not been renewed since.
    package func fit(_ prelude: VaultPrelude) -> Bool {
        prelude.keybag.entries.contains { entry in
            guard case .structureKey(let entry) = entry else { return false }
            return entry.isKept(by: structureKey, vault: prelude.header.vault)
        }
    }
}

extension VaultPrelude {
    /// The epoch of the newest structure key, or 0 if there is none; nothing has authenticated it yet.
    package var structureKeyEpoch: UInt32 {
        keybag.entries.reduce(0) { greatest, entry in
            guard case .structureKey(let entry) = entry else { return greatest }
            return max(greatest, entry.epoch)
        }
    }
}

extension ClassKeyEntry {
    /// The name of the key.
    var name: ClassKeyName { ClassKeyName(protection: protection, owner: owner, epoch: epoch) }
}

extension StructureKeyEntry {
    /// Whether `held` is the key that the entry wraps, of the same epoch: the commitment is to the one in the entry.
    func isKept(by held: (key: Key, epoch: UInt32), vault: VaultID) -> Bool {
        held.epoch == epoch && holds(held.key, vault: vault)
    }
}

extension WrappedKeyEntry {
    /// Whether the entry wraps `key`, as its commitment says.
    func holds(_ key: Key, vault: VaultID) -> Bool {
        areEqual(commitment(to: key, vault: vault).span, wrap.commitment.span)
    }
}
