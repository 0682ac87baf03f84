internal import CofferBasics
package import VaultCrypto

/// Why the keys for new items cannot be made.
///
/// The vault is unchanged. Provide what the case says is needed, such as the passphrase, and add the items again.
package enum KeyMakingError: Error, Equatable, Sendable {
    /// The user root is needed, or a class key that exists but is locked.
    case locked
    /// What opens the vault is needed, which was unlocked with keys that another process has left.
    case ownerNeeded
    /// The class is bound to a device, and the device key is not available.
    case deviceNeeded
    /// The class exists only while a passphrase opens the vault.
    case passphraseNeeded
    case cipher(CipherError)
}

// Section 3.4: groups and data keys are made when the first item needs them. A key that exists but cannot be opened is
// never replaced, because items depend on it.
extension Keyring {
    /// The group with this name, in its newest epoch.
    package func group(named name: [UInt8]) -> GroupEpoch? {
        groupNames.lazy.filter { $0.value == name }.map(\.key).max { $0.epoch < $1.epoch }
    }

    /// The data key for new items, or nil if none exists.
    package func dataKey(for purpose: DataKeyPurpose) throws(KeyMakingError) -> KeyHandle? {
        let entries = dataKeyEntries.values.filter { $0.purpose == purpose }
        guard !entries.isEmpty else { return nil }
        let open = entries.filter { dataKeys[$0.handle] != nil }
        let newest = open.max { one, other in
            (one.classEpoch, one.handle) < (other.classEpoch, other.handle)
        }
        guard let newest else { throw .locked }
        return newest.handle
    }

    /// What data keys of a group can be for now: each class, bound to none or to each device that is here.
    package func purposes(in group: GroupEpoch) -> [DataKeyPurpose] {
        ProtectionClass.allCases.flatMap { protection in
            guard hasPassphraseSlot || protection != .whenPasscodeSetThisDeviceOnly else { return [DataKeyPurpose]() }
            let owners = protection.isBoundToDevice ? roots.devices.keys.filter(isPresent) : [.none]
            return owners.map { DataKeyPurpose(group: group, protection: protection, owner: $0) }
        }
    }

    /// The entries of a new group.
    package mutating func makeGroup(
        named name: [UInt8]
    ) throws(KeyMakingError) -> (group: GroupEpoch, entries: [KeybagEntry]) {
        do throws(CipherError) {
            // Items must not be sealed under a key that somebody else may have made up.
            if let (root, isProven) = try groupRoot(), isProven {
                let maker = GroupMaker(root: root, devices: deviceWrapping, cipher: cipher)
                let (group, _, entries) = try maker.group(named: name, epoch: greatestEpoch)
                return (group, entries)
            }
        } catch {
            throw .cipher(error)
        }
        throw isUnlocked ? .ownerNeeded : .locked
    }

    /// The entry of a new data key.
    ///
    /// The vault may be locked, as long as the key of the class is not.
    package mutating func makeDataKey(
        for purpose: DataKeyPurpose
    ) throws(KeyMakingError) -> DataKeyEntry {
        guard hasPassphraseSlot || purpose.protection != .whenPasscodeSetThisDeviceOnly else { throw .passphraseNeeded }
        guard isPresent(purpose.owner) else { throw .deviceNeeded }
        let name = ClassKeyName(protection: purpose.protection, owner: purpose.owner, epoch: rootEpoch)
        do throws(CipherError) {
            // Items must not be sealed under a key that somebody else may have made up.
            if let known = try classKey(name), known.isProven {
                return try DataKeyEntry.made(for: purpose, under: known.wrapping, classEpoch: rootEpoch).entry
            }
        } catch {
            throw .cipher(error)
        }
        throw isUnlocked ? .ownerNeeded : .locked
    }
}

/// The items that a data key is for: those of one group, protection class and owner.
package struct DataKeyPurpose: Hashable, Sendable {
    package var group: GroupEpoch
    package var protection: ProtectionClass
    /// The device that the items are bound to, or none.
    package var owner: DeviceID

    package init(group: GroupEpoch, protection: ProtectionClass, owner: DeviceID) {
        self.group = group
        self.protection = protection
        self.owner = owner
    }
}

extension DataKeyEntry {
    /// The name of the class key that wraps this key.
    var className: ClassKeyName { ClassKeyName(protection: protection, owner: owner, epoch: classEpoch) }

    /// The items that the key is for.
    package var purpose: DataKeyPurpose { DataKeyPurpose(group: group, protection: protection, owner: owner) }
}

extension Keyring {
    /// The secret half of the vault's team key, or nil without the user root or a team key.
    package func teamSecret(in keybag: Keybag) throws -> Key? {
        for case .teamKey(let entry) in keybag.entries {
            guard let wrapping = wrapping(root: .user, device: .none) else { return nil }
            return try entry.opened(under: wrapping)
        }
        return nil
    }

    /// Whether the entry can be opened, and so verified, here with the key that wraps it.
    ///
    /// Having the key in the entry is not enough, since it may come from elsewhere. A data key counts only together
    /// with the name of its group: without it, the keybag would lack the group.
    package func opens(_ entry: KeybagEntry) -> Bool {
        switch entry {
        case .structureKey(let entry): wrapping(root: entry.root, device: entry.device) != nil
        case .alwaysKey(let entry): isOwner || roots.devices[entry.device] != nil
        case .matchKey(let entry): isOwner || roots.devices[entry.device] != nil && groupsOfKeybag.contains(entry.group)
        case .dataKey(let entry): dataKeys[entry.handle] != nil && (isOwner || groupsOfKeybag.contains(entry.group))
        case .groupName(let entry): isOwner && matchKeys[entry.group] != nil
        case .device(let entry): roots.devices[entry.id] != nil
        case .teamKey, .previousRoot: isOwner
        case .slot, .recipient, .grant, .unknownWay, .unknown: false
        }
    }
}
