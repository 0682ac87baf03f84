internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

/// Ways to open a vault that are added to the existing ones.
///
/// They are made around the vault's user root, and take effect when the store has added them.
package struct SlotAddition: SlotAccepting, KeybagAddition {
    package var draft: SlotDraft

    init(_ draft: SlotDraft) {
        self.draft = draft
    }

    // MARK: - Adding

    /// Returns the roots that open the vault on this machine afterwards.
    package func roots(beside roots: Keyring.Roots) -> Keyring.Roots {
        var roots = roots
        roots.devices.merge(draft.deviceRoots) { $1 }
        return roots
    }

    /// Adds the entries to the keys of a vault, with the wraps that new devices need.
    package func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws {
        try check(keybag, vault)
        var keyring = try Keyring(roots: roots(beside: vault.keyring.roots), cipher: vault.cipher)
        try keyring.open(keybag)
        keybag.entries += draft.entries
        keybag.entries += try keyring.missingWraps(in: keybag, of: Set(draft.deviceRoots.keys))
        try keybag.check()
    }

    private func check(_ keybag: Keybag, _ vault: OpenGeneration) throws {
        let user = try vault.owner
        // The slots must have been made around the vault's current user root, which its epoch identifies.
        guard user.epoch == draft.epoch, vault.vault == draft.cipher.vault else {
            throw StoreError.keysChanged(path: vault.path)
        }
        let added = draft.keybag
        guard !added.hasPassphraseSlot || keybag.hasPassphraseSlot else {
            throw StoreError.keyChange(.firstPassphrase, path: vault.path)
        }
        guard !keybag.hasPassphraseSlot || !added.slots.contains(where: { $0.kind == .deviceUnlock }) else {
            throw StoreError.keyChange(.passphraseExcludesDeviceUnlock, path: vault.path)
        }
        let known = Set(keybag.devices.map(\.id))
        for device in draft.deviceRoots.keys where known.contains(device) {
            throw StoreError.keyChange(.deviceIsKnown(device), path: vault.path)
        }
        let devices = known.union(draft.deviceRoots.keys)
        for device in added.slots.compactMap(\.device) where !devices.contains(device) {
            throw StoreError.keyChange(.deviceIsUnknown(device), path: vault.path)
        }
    }
}
