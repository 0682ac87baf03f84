internal import VaultCrypto
package import VaultFormat

/// All ways to open a vault, around a new user root: those that are not named here open it no more.
///
/// Without a passphrase, the key of a device should open the vault, or nothing but a key file or a code will.
package struct Rotation: Sendable, TakesSlots {
    package var draft: SlotDraft
    /// Whether the past is dropped, which otherwise is sealed anew.
    package var dropsHistory = false
    /// Whether the team key is made anew, so that nobody who had the user root can sign any more.
    package var renewsTeamKey = false
    /// Devices that are taken away, with their items.
    package var removedDevices: Set<DeviceID> = []
    /// Slots of recipients who are taken away; the others are sealed to their public keys again.
    package var removedRecipients: Set<SlotID> = []
    /// Grants that are revoked; all must be, for nobody but their holders knows what they give.
    package var revokedGrants: Set<GrantID> = []
    /// Devices that are not here and may lose their items, since nothing opens the vault there any more.
    package var acceptedLosses: Set<DeviceID> = []
    /// Slots that have a successor here; who has the others can open the vault no more.
    package var replacedSlots: Set<SlotID> = []

    init(_ draft: SlotDraft) {
        self.draft = draft
    }

    // MARK: - Rotating

    /// The slots of `keybag` that have no successor.
    func leftOutSlots(of keybag: Keybag) -> [SlotID] {
        keybag.slots.map(\.id).filter { !replacedSlots.contains($0) }
    }

    /// The keys of the vault after the rotation.
    func change(of vault: OpenGeneration) throws(StoreError) -> KeyChange {
        let keybag = vault.verifiedKeybag
        guard vault.vault == draft.cipher.vault, vault.keyring.greatestEpoch + 1 == draft.epoch else {
            throw .keysChanged(path: vault.path)
        }
        let slots = Set(keybag.slots.map(\.id))
        for slot in replacedSlots where !slots.contains(slot) {
            throw .keyChange(.slotIsUnknown(slot), path: vault.path)
        }
        var order = RotationOrder(
            userRoot: draft.userRoot,
            epoch: draft.epoch,
            entries: draft.entries,
            newDeviceRoots: draft.deviceRoots
        )
        order.removedDevices = removedDevices
        order.removedRecipients = removedRecipients
        order.revokedGrants = revokedGrants
        order.renewsTeamKey = renewsTeamKey
        do throws(KeyChangeObstacle) {
            var change = try vault.keyring.rotated(keybag, records: vault.unverifiedKeys, order)
            change.acceptedLosses = acceptedLosses
            return change
        } catch {
            throw StoreError(keyChange: error, path: vault.path)
        }
    }
}

/// What a rotation did.
package struct RotationReport: Equatable, Sendable {
    package let generation: UInt64
    package let byteCountBefore: Int
    package let byteCountAfter: Int
    /// Items that were sealed anew.
    package let resealedItemCount: Int
    /// Items of devices that are not here, which stay as they are until these are here again.
    package let carriedItemCount: Int
    /// Items that went with a device or with the last passphrase.
    package let lostItemCount: Int
    /// Past revisions that were dropped.
    package let droppedRevisionCount: Int
    /// Records that counted for nobody, and were left out.
    package let invalidRecordCount: Int
    /// The slots that had no successor: what opened them opens nothing any more.
    package let leftOutSlots: [SlotID]
    /// Slots for recipients that the owner of the vault has not made, and that were left out.
    package let leftOutRecipients: [SlotID]
}
