internal import VaultCrypto
package import VaultFormat

/// All ways to open a vault, around a new user root; ways that are not included no longer open it.
///
/// Without a passphrase, the key of a device should open the vault; otherwise only a key file or a recovery code does.
package struct Rotation: Sendable, SlotAccepting {
    package var draft: SlotDraft
    /// Whether the team key is renewed, so that former holders of the user root can no longer sign.
    package var renewsTeamKey = false
    /// Devices to remove, with their items.
    package var removedDevices: Set<DeviceID> = []
    /// Slots of recipients to remove; the others are sealed to their public keys again.
    package var removedRecipients: Set<SlotID> = []
    /// Grants to revoke; the others are made anew.
    package var revokedGrants: Set<GrantID> = []
    /// Absent devices that may lose their items because nothing opens the vault there any more.
    package var acceptedLosses: Set<DeviceID> = []
    /// Slots that have a successor here; the other slots no longer open the vault.
    package var replacedSlots: Set<SlotID> = []

    init(_ draft: SlotDraft) {
        self.draft = draft
    }

    // MARK: - Rotating

    /// Returns the slots of `keybag` that have no successor.
    func leftOutSlots(of keybag: Keybag) -> [SlotID] {
        keybag.slots.map(\.id).filter { !replacedSlots.contains($0) }
    }

    /// Returns the keys of the vault after the rotation.
    func change(of vault: OpenGeneration) throws -> KeyChange {
        let keybag = vault.verifiedKeybag
        guard vault.vault == draft.cipher.vault, vault.keyring.greatestEpoch + 1 == draft.epoch else {
            throw StoreError.keysChanged(path: vault.path)
        }
        let slots = Set(keybag.slots.map(\.id))
        for slot in replacedSlots where !slots.contains(slot) {
            throw StoreError.keyChange(.slotIsUnknown(slot), path: vault.path)
        }
        var order = RotationRequest(
            userRoot: draft.userRoot,
            epoch: draft.epoch,
            entries: draft.entries,
            newDeviceRoots: draft.deviceRoots
        )
        order.removedDevices = removedDevices
        order.removedRecipients = removedRecipients
        order.revokedGrants = revokedGrants
        order.renewsTeamKey = renewsTeamKey
        var change = try vault.keyring.rotated(keybag, records: vault.unverifiedKeys, order)
        change.acceptedLosses = acceptedLosses
        return change
    }
}

/// The result of a rotation.
package struct RotationReport: Equatable, Sendable {
    package let generation: UInt64
    package let byteCountBefore: Int
    package let byteCountAfter: Int
    /// Items that were resealed.
    package let resealedItemCount: Int
    /// Items of absent devices, which stay unchanged until these are here again.
    package let carriedItemCount: Int
    /// Items that were lost with a device or with the last passphrase.
    package let lostItemCount: Int
    /// Past revisions that were dropped.
    package let droppedRevisionCount: Int
    /// Invalid records, which were left out.
    package let invalidRecordCount: Int
    /// The slots without a successor, which open nothing any more.
    package let leftOutSlots: [SlotID]
    /// Slots for recipients that were not made by the owner of the vault, and were left out.
    package let omittedRecipients: [SlotID]
    /// Slots and grants of unknown kinds, which could not be renewed.
    package let omittedWays: [UnknownWay]
}
