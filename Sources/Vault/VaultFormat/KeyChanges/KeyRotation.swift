internal import CofferBasics
package import VaultCrypto

/// The request for a rotation: the new slots, and who loses access, section 10.2.
package struct RotationRequest: Sendable {
    /// The user root afterwards, and its epoch.
    package var userRoot: Key
    package var rootEpoch: UInt32
    /// The epoch of what is renewed.
    package var epoch: UInt32
    /// The groups whose keys are renewed; nil for all.
    package var groups: Set<GroupID>?
    /// The entries of the new slots and of devices that are added.
    package var entries: [KeybagEntry]
    package var newDeviceRoots: [DeviceID: Key]
    package var removedDevices: Set<DeviceID> = []
    package var removedRecipients: Set<SlotID> = []
    package var revokedGrants: Set<GrantID> = []
    package var renewsTeamKey = false

    package init(
        userRoot: Key,
        epoch: UInt32,
        entries: [KeybagEntry],
        newDeviceRoots: [DeviceID: Key]
    ) {
        self.userRoot = userRoot
        rootEpoch = epoch
        self.epoch = epoch
        self.entries = entries
        self.newDeviceRoots = newDeviceRoots
    }
}

/// Renews the keys of a vault, or those that a grant held.
final class KeyRotation {
    private let keyring: Keyring
    /// The keybag before the rotation.
    private let old: Keybag
    /// The key records of the log that cannot be opened here.
    private let records: [KeybagEntry]
    private let order: RotationRequest
    private let maker: KeyMaker
    private let oldUserRoot: Key
    private let hasPassphrase: Bool
    private var change: KeyChange

    init(
        of keyring: Keyring,
        _ old: Keybag,
        records: [KeybagEntry],
        _ order: RotationRequest
    ) throws {
        guard let user = keyring.roots.user else { throw KeyChangeObstacle.ownerNeeded }
        self.keyring = keyring
        self.old = old
        self.records = records
        self.order = order
        oldUserRoot = user.key
        hasPassphrase = Keybag(entries: order.entries).hasPassphraseSlot
        let kept = keyring.roots.devices.filter { !order.removedDevices.contains($0.key) }
        let devices = kept.merging(order.newDeviceRoots) { $1 }
        maker = try KeyMaker(
            userRoot: order.userRoot,
            devices: devices,
            epoch: order.epoch,
            rootEpoch: order.rootEpoch,
            cipher: keyring.cipher
        )
        let (structureKey, entries) = try maker.structureKey()
        change = KeyChange(
            roots: Keyring.Roots(user: (order.userRoot, order.rootEpoch), devices: devices),
            structureKey: structureKey,
            keybag: Keybag(entries: order.entries + entries),
            dataKeys: [:],
            matchKeys: [:],
            ownerKey: try maker.ownerKey(),
            isRotation: true
        )
        change.removedDevices = order.removedDevices
    }

    func finished() throws -> KeyChange {
        try checkOrder()
        try addTeam()
        for entry in old.entries {
            switch entry {
            case .device(let device):
                if !order.removedDevices.contains(device.id) { change.keybag.entries.append(entry) }
            case .unknownWay(let way):
                // It holds the user root, or keys that are renewed.
                if way.kind == .slot, order.rootEpoch == keyring.rootEpoch {
                    change.keybag.entries.append(entry)
                } else {
                    change.omittedWays.append(way)
                }
            case .unknown: change.keybag.entries.append(entry)
            default: break
            }
        }
        try decideDataKeys()
        addKeptKeys()
        try addGroups()
        try addDataKeys()
        try change.renewGrants(keyring.grants.filter { !order.revokedGrants.contains($0.id) }, keyring.cipher)
        try change.keybag.check()
        return change
    }

    private func checkOrder() throws {
        let isOpenedByDevice = change.keybag.slots.contains { $0.kind == .deviceUnlock }
        guard !hasPassphrase || !isOpenedByDevice else { throw KeyChangeObstacle.passphraseExcludesDeviceUnlock }
        let devices = Set(Keybag(entries: old.entries + records).devices.map(\.id))
        for device in order.removedDevices where !devices.contains(device) {
            throw KeyChangeObstacle.deviceIsUnknown(device)
        }
        for device in order.newDeviceRoots.keys where devices.contains(device) {
            throw KeyChangeObstacle.deviceIsKnown(device)
        }
        let remaining = devices.subtracting(order.removedDevices).union(order.newDeviceRoots.keys)
        for device in change.keybag.slots.compactMap(\.device) where !remaining.contains(device) {
            throw KeyChangeObstacle.deviceIsUnknown(device)
        }
        let recipients = Set(old.recipients.map(\.id))
        for slot in order.removedRecipients where !recipients.contains(slot) {
            throw KeyChangeObstacle.slotIsUnknown(slot)
        }
        for grant in order.revokedGrants where !keyring.grants.contains(where: { $0.id == grant }) {
            throw KeyChangeObstacle.grantIsUnknown(grant)
        }
        if let group = keyring.closedGroups.min() { throw KeyChangeObstacle.groupIsClosed(group) }
    }

    private var remainingRecipients: [RecipientSlot] {
        old.recipients.filter { !order.removedRecipients.contains($0.id) }
    }

    // MARK: - Team key and recipients

    private func addTeam() throws {
        let former = try keyring.teamSecret(in: old)
        let isNew = order.renewsTeamKey || former == nil
        let secret = if !isNew, let former { former } else { try keyring.cipher.random.key() }
        noteRevocations()
        if isNew || !change.revocations.isEmpty { change.settingsSecret = secret }
        change.keybag.entries.append(maker.teamKey(secret))
        for slot in remainingRecipients {
            guard let teamKey = old.teamKey,
                slot.isAuthentic(userRoot: oldUserRoot, teamKey: teamKey, vault: keyring.cipher.vault)
            else {
                change.omittedRecipients.append(slot.id)
                continue
            }
            change.keybag.entries.append(.recipient(try renewed(slot, signedBy: secret)))
        }
        guard !change.keybag.slots.isEmpty || !change.keybag.recipients.isEmpty else {
            throw KeyChangeObstacle.noSlotLeft
        }
    }

    private func noteRevocations() {
        for grant in keyring.grants where order.revokedGrants.contains(grant.id) {
            change.revocations.insert(grant, epoch: order.epoch)
        }
        // Random, so that those who were removed cannot note it in a copy of their own, with the team key that they had.
        for _ in order.removedDevices { noteRemoval(.device) }
        for _ in order.removedRecipients { noteRemoval(.recipient) }
    }

    private func noteRemoval(_ kind: Revocations.Kind) {
        let id: SectionID = keyring.cipher.random.identifier()
        change.revocations.insert(kind, id.bytes, of: .none, epoch: order.epoch)
    }

    private func renewed(_ slot: RecipientSlot, signedBy secret: Key) throws -> RecipientSlot {
        try RecipientSlot(
            sealing: order.userRoot,
            epoch: order.rootEpoch,
            id: slot.id,
            created: slot.created,
            publicKey: slot.publicKey,
            teamSecret: secret,
            cipher: keyring.cipher
        )
    }

    // MARK: - Items

    /// Decides for each data key whether its items stay or go; those of all other keys are moved.
    private func decideDataKeys() throws {
        for entry in keyring.dataKeyEntries.values {
            if order.removedDevices.contains(entry.owner) || !mayExist(entry.protection) {
                change.dataKeys[entry.handle] = .goes
            } else if isAbsent(entry.owner) || !isRenewed(entry.group.group) {
                change.dataKeys[entry.handle] = .stays
            } else if keyring.dataKeys[entry.handle] == nil {
                throw KeyChangeObstacle.locked(entry.group.group, entry.protection)
            }
        }
    }

    private func isRenewed(_ group: GroupID) -> Bool { order.groups?.contains(group) ?? true }

    private func isAbsent(_ owner: DeviceID) -> Bool { owner != .none && keyring.roots.devices[owner] == nil }

    private func mayExist(_ protection: ProtectionClass) -> Bool {
        hasPassphrase || protection != .whenPasscodeSetThisDeviceOnly
    }

    /// Keeps the keys that are not renewed, with the earlier user roots that they need.
    private func addKeptKeys() {
        var epochs: Set<UInt32> = []
        for case .dataKey(let key) in records where change.keeps(.dataKey(key)) { epochs.insert(key.classEpoch) }
        for case .dataKey(let key) in old.entries {
            guard case .stays = change.dataKeys[key.handle] else { continue }
            epochs.insert(key.classEpoch)
            change.keybag.entries.append(.dataKey(key))
        }
        epochs.remove(order.rootEpoch)
        for epoch in epochs.sorted() {
            guard let root = keyring.userRoots[epoch] else { continue }
            change.keybag.entries.append(maker.previousRoot(root, epoch: epoch))
        }
    }

    /// Adds each renewed group in the new epoch, and in its old epoch if items of absent devices need it.
    private func addGroups() throws {
        var kept = Set(
            keyring.dataKeyEntries.values.compactMap { entry in
                if case .stays = change.dataKeys[entry.handle] { entry.group } else { nil }
            }
        )
        kept.formUnion(keyring.knownGroups.filter { !isRenewed($0.group) })
        for group in kept.sorted() {
            guard let key = keyring.matchKeys[group] else { continue }
            try add(group, key)
        }
        for id in Set(keyring.knownGroups.map(\.group)).filter(isRenewed).sorted() {
            let group = GroupEpoch(group: id, epoch: order.epoch)
            try add(group, try maker.groups.root.matchKey(of: group, vault: keyring.cipher.vault))
        }
    }

    private func add(_ group: GroupEpoch, _ matchKey: Key) throws {
        guard let name = keyring.newestName(of: group.group) else { throw KeyChangeObstacle.groupIsClosed(group.group) }
        change.matchKeys[group] = matchKey
        change.keybag.entries += try maker.groups.entries(of: group, matchKey: matchKey, name: name)
    }

    private func addDataKeys() throws {
        let moving = keyring.dataKeyEntries.values.filter { change.dataKeys[$0.handle] == nil }
        var made = DataKeyMaker(maker)
        for entry in moving.sorted(by: { $0.handle < $1.handle }) {
            var purpose = entry.purpose
            purpose.group.epoch = order.epoch
            change.dataKeys[entry.handle] = .moves(try made.dataKey(for: purpose))
        }
        change.keybag.entries += made.entries
    }
}

extension Keyring {
    /// The change that renews all keys as `order` says, section 10.2.
    ///
    /// `keybag` holds the verified keys, `records` the key records of the log that cannot be opened here.
    ///
    /// - Throws: An error for ``KeyChangeObstacle/init(_:)``.
    package func rotated(
        _ keybag: Keybag,
        records: [KeybagEntry],
        _ order: RotationRequest
    ) throws -> KeyChange {
        try KeyRotation(of: self, keybag, records: records, order).finished()
    }

    /// The name of a group in its newest epoch.
    func newestName(of group: GroupID) -> [UInt8]? {
        groupNames.filter { $0.key.group == group }.max { $0.key.epoch < $1.key.epoch }?.value
    }
}
