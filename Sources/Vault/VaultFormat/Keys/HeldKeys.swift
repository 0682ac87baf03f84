internal import CofferBasics
package import VaultCrypto

/// Keys of a vault that are available without the roots that wrap them.
///
/// These are keys that stay open while the vault is locked, or that another process of the user has opened. Each is
/// used only if the vault commits to it.
package struct HeldKeys: Sendable {
    package var structureKey: (key: Key, epoch: UInt32)
    package var classKeys: [ClassKeyName: Key]
    package var matchKeys: [GroupEpoch: Key]
    /// The devices whose items are present, even if their keys are locked: locked items are not absent.
    package var devices: Set<DeviceID>
    /// Whether this process derived the keys from the roots itself, so that they need no proof.
    package var isOwn = false

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

    /// Whether these keys are those of the vault with this `prelude`, and have not been renewed since.
    package func fit(_ prelude: VaultPrelude) -> Bool {
        let opens = prelude.keybag.entries.contains { entry in
            guard case .structureKey(let entry) = entry else { return false }
            return entry.isKept(by: structureKey, vault: prelude.header.vault)
        }
        let always = ClassKeyName(protection: .always, owner: .none, epoch: prelude.keybag.rootEpoch)
        guard opens, let key = try? classKeys[always]?.ownerKey() else { return false }
        return Header.isAuthentic(prelude.headerBytes, key: key)
    }
}

extension StructureKeyEntry {
    /// Whether `held` is the key in the entry: it has the same epoch and matches the commitment.
    func isKept(by held: (key: Key, epoch: UInt32), vault: VaultID) -> Bool {
        held.epoch == epoch && holds(held.key, vault: vault)
    }
}

extension WrappedKeyEntry {
    /// Whether `key` matches the commitment of the entry.
    func holds(_ key: Key, vault: VaultID) -> Bool {
        areEqual(commitment(to: key, vault: vault).span, wrap.commitment.span)
    }
}
