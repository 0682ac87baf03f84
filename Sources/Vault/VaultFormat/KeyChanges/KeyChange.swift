internal import CofferBasics
package import VaultCrypto

/// The keys of a vault after a replacement of its file, and what happens to items sealed under the old keys.
package struct KeyChange: Sendable {
    /// What happens to the items of a data key.
    package enum DataKeyChange: Sendable {
        /// They are carried as they are.
        case stays
        /// They are sealed again under another data key.
        case moves(NewDataKey)
        /// They are left out.
        case goes
    }

    /// The data key that items are moved to.
    package struct NewDataKey: Sendable {
        package var handle: KeyHandle
        package var group: GroupEpoch
        package var key: Key
    }

    /// The roots that open the vault afterwards.
    package var roots: Keyring.Roots
    package var structureKey: Key
    package var keybag: Keybag
    /// What happens to each existing data key; a handle that is missing has no entry, so its items are gone.
    package var dataKeys: [KeyHandle: DataKeyChange]
    /// The match keys of all groups afterwards.
    package var matchKeys: [GroupEpoch: Key]
    /// The seed of the team key, if the vault has grants afterwards.
    package var teamSecret: Key?
    /// The key that authenticates the header afterwards.
    package var ownerKey: Key
    /// The seed of the team key afterwards, if the settings are signed again: because it is new, or to note revocations.
    package var settingsSecret: Key?
    /// Who loses access by the change.
    package var revocations = Revocations()
    /// The devices whose entries and items are left out.
    package var removedDevices: Set<DeviceID> = []
    /// Whether all keys are renewed, except those of absent devices.
    package var isRotation: Bool
    /// The devices that may be left without a way to open the vault.
    package var acceptedLosses: Set<DeviceID> = []
    /// The recipient slots that are left out because they do not verify.
    package var omittedRecipients: [SlotID] = []
    /// The slots and grants that are left out because their kind is unknown.
    package var omittedWays: [UnknownWay] = []

    /// Whether a key record of the log that could not be opened here is kept.
    ///
    /// For a device that is not here, keys that it shares with others are renewed; it gets them when it unlocks next.
    package func keeps(_ entry: KeybagEntry) -> Bool {
        guard isRotation else { return true }
        return switch entry {
        case .device(let entry): !removedDevices.contains(entry.id)
        case .dataKey(let entry): keeps(entry.protection, of: entry.owner)
        case .structureKey, .alwaysKey, .matchKey, .groupName, .slot, .recipient, .teamKey, .previousRoot, .grant,
            .unknownWay, .unknown:
            false
        }
    }

    private func keeps(_ protection: ProtectionClass, of owner: DeviceID) -> Bool {
        owner != .none && roots.devices[owner] == nil && !removedDevices.contains(owner)
            && (keybag.hasPassphraseSlot || protection != .whenPasscodeSetThisDeviceOnly)
    }
}

/// Why the keys or slots of a vault cannot be changed as requested.
///
/// Nothing has been changed. Most cases name what to unlock first or to change in the request; after ``grant(_:)`` and
/// ``fault(_:)`` the same request fails again, unless there was too little memory.
package enum KeyChangeObstacle: Error, Equatable, Sendable {
    /// The user root is missing: the vault must be unlocked.
    case ownerNeeded
    /// A grant opened the vault, and only an owner can do this.
    case notGranted
    /// No slot that opens the vault would be left.
    case noSlotLeft
    /// A vault with a passphrase cannot have a device unlock slot.
    case passphraseExcludesDeviceUnlock
    /// The first passphrase needs a rotation of all keys, since devices could open everything before.
    case firstPassphrase
    /// The device has an entry in the vault already.
    case deviceIsKnown(DeviceID)
    /// The device has no entry in the vault.
    case deviceIsUnknown(DeviceID)
    /// A slot to replace or remove does not exist.
    case slotIsUnknown(SlotID)
    /// Items of a group are locked and cannot be carried.
    case locked(GroupID, ProtectionClass)
    /// The match key of the group is missing, so it is unknown whether the group holds items.
    case groupIsClosed(GroupID)
    /// The vault has no such grant.
    case grantIsUnknown(GrantID)
    /// A grant could not be made.
    case grant(GrantError)
    /// Nothing else would open the vault for these devices, which are not here and have items of their own.
    case lastSlot(of: [DeviceID])
    /// All epochs have been used.
    case noEpochLeft
    /// A key could not be made, or a reader would refuse the result.
    case fault(Fault.Reason)
}

extension KeyChangeObstacle {
    /// The obstacle for an error that a change of keys threw: an obstacle, a fault, or a failure of the cryptography.
    package init(_ error: any Error) {
        self =
            switch error {
            case let obstacle as KeyChangeObstacle: obstacle
            case let error as GrantError: .grant(error)
            default: .fault(Fault.Reason(error))
            }
    }
}
