internal import CofferBasics
package import VaultCrypto

/// The keys that a replacement of the file gives a vault, and what becomes of what was sealed under those before.
package struct KeyChange: Sendable {
    /// What becomes of the items of a data key.
    package enum Fate: Sendable {
        /// They are carried as they are sealed.
        case stays
        /// They are sealed anew.
        case moves(NewDataKey)
        /// They are left out.
        case goes
    }

    /// Where items are moved to.
    package struct NewDataKey: Sendable {
        package var handle: KeyHandle
        package var group: GroupEpoch
        package var key: Key
    }

    /// What opens the vault afterwards.
    package var roots: Keyring.Roots
    package var structureKey: Key
    package var keybag: Keybag
    /// What becomes of the data keys that there are; one that is not named has no entry, and its items are gone.
    package var fates: [KeyHandle: Fate]
    /// The match keys of the groups that there are afterwards.
    package var matchKeys: [GroupEpoch: Key]
    /// The seed of the team key, if that is another one, under which the settings are signed again.
    package var newTeamSecret: Key?
    /// Devices of which something is left out.
    package var removedDevices: Set<DeviceID> = []
    /// Whether all keys that anybody has of the vault are made anew.
    package var isRotation: Bool
    /// Devices of which it does not matter whether anything opens the vault there.
    package var acceptedLosses: Set<DeviceID> = []
    /// Slots for recipients that nobody can vouch for, and so are left out.
    package var leftOutRecipients: [SlotID] = []

    /// Whether an entry that the log brings, and that could not be opened here, goes on.
    ///
    /// Of the keys of a device that is not here, those that others have too are made anew; it gets them when it is here.
    package func keeps(_ entry: KeybagEntry) -> Bool {
        guard isRotation else { return true }
        return switch entry {
        case .device(let entry): !removedDevices.contains(entry.id)
        case .classKey(let entry): keeps(entry.protection, of: entry.owner)
        case .dataKey(let entry): keeps(entry.protection, of: entry.owner)
        case .structureKey, .matchKey, .groupName, .slot, .recipient, .teamKey, .previousRoot, .grant, .unknown: false
        }
    }

    private func keeps(_ protection: ProtectionClass, of owner: DeviceID) -> Bool {
        owner != .none && roots.devices[owner] == nil && !removedDevices.contains(owner)
            && (keybag.hasPassphraseSlot || protection != .whenPasscodeSetThisDeviceOnly)
    }
}

/// Why those who can open a vault cannot be changed so.
package enum KeyChangeObstacle: Error, Equatable, Sendable {
    /// The user root is not here: the vault must be unlocked.
    case ownerNeeded
    /// No slot would be left that opens the vault.
    case nothingOpens
    /// A vault with a passphrase is opened by no device alone.
    case passphraseExcludesDeviceUnlock
    /// The first passphrase changes all keys, since devices could open everything until then.
    case firstPassphrase
    /// The device has a part in the vault already.
    case deviceIsKnown(DeviceID)
    /// The device has no part in the vault.
    case deviceIsUnknown(DeviceID)
    /// A slot that was to be replaced or taken away is not there.
    case slotIsUnknown(SlotID)
    /// Items of a group are locked, and could not be carried.
    case locked(GroupID, ProtectionClass)
    /// Nothing of the group can be told here, not even whether it holds an item.
    case groupIsClosed(GroupID)
    /// What these grants give is known to their holders only, so they cannot be made anew; they must be revoked.
    case grants([GrantID])
    /// Nothing else would open the vault for these devices, which are not here and have items of their own.
    case lastSlot(of: [DeviceID])
    /// The epochs have all been used.
    case noEpochLeft
    /// A key could not be made, or a reader would refuse what was to be written.
    case fault(Fault)
}

extension KeyChangeObstacle {
    init(_ error: CipherError) { self = .fault(.cipher(error)) }
}
