internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

extension Transaction {
    /// Adds an item, and returns it.
    ///
    /// Creates the group and the keys that the item needs, if they do not exist. `secret` is nil for an item without
    /// data; `owner` is the device that the item is bound to, if its protection class is bound to one; `password` is
    /// the application password of the data, if it has one.
    package mutating func add(
        _ attributes: ItemAttributes,
        secret: Span<UInt8>?,
        group name: [UInt8],
        protection: ProtectionClass,
        owner: DeviceID = .none,
        password: ApplicationPasswordKey? = nil
    ) throws -> StoredItem {
        try checkItemCount()
        let (keys, digests) = try keys(Place(name: name, protection: protection, owner: owner), for: attributes)
        let revision = Revision(newItemWith: cipher.random)
        let box = try sealed(secret, of: revision, password, keys)
        let place = try nextPlace(in: keys.group.group)
        try put(revision, replacing: nil, attributes, digests, secret: box, order: place, isNew: true, keys)
        let name = ItemName(group: keys.group.group, item: revision.item)
        guard let added = vault.loggedItem(vault.log.entries.count - 1, name) else { throw StoreError.noSuchItem(name) }
        return added
    }

    /// Changes an item, whose current revision must be that of `item`.
    package mutating func update(
        _ item: StoredItem,
        attributes: ItemAttributes,
        secret: SecretChange,
        protection: ProtectionClass? = nil,
        owner: DeviceID = .none,
        passwords: ApplicationPasswords = ApplicationPasswords()
    ) throws {
        try checkCurrent(item)
        try checkReadable(item, for: secret)
        let purpose = DataKeyPurpose(
            group: item.group,
            protection: protection ?? item.protection,
            owner: protection == nil ? vault.opening.keyring.dataKeyEntries[item.dataKey]?.owner ?? .none : owner
        )
        let handle = protection == nil ? item.dataKey : try dataKey(purpose)
        let revision = item.revision.next(random: cipher.random)
        // First, because a locked key is reported before a duplicate.
        let keys = try keys(of: handle)
        let digests = try uniqueDigests(of: attributes, in: item.group, replacing: item)
        let box = try box(secret, of: item, as: revision, passwords, keys)
        try put(revision, replacing: item.revision, attributes, digests, secret: box, order: item.order, keys)
    }

    /// Moves an item to another group, where it keeps its id; its current revision must be that of `item`.
    package mutating func move(
        _ item: StoredItem,
        to name: [UInt8],
        attributes: ItemAttributes,
        secret: SecretChange,
        protection: ProtectionClass,
        owner: DeviceID = .none,
        passwords: ApplicationPasswords = ApplicationPasswords()
    ) throws {
        try checkReadable(item, for: secret)
        let (keys, digests) = try keys(Place(name: name, protection: protection, owner: owner), for: attributes)
        let revision = item.revision.next(skipping: true, random: cipher.random)
        let box = try box(secret, of: item, as: revision, passwords, keys)
        try delete(item)
        try put(revision, replacing: nil, attributes, digests, secret: box, order: item.order, keys)
    }

    /// Restores a past state of an item, as a new revision, or by adding the item again if it was deleted.
    ///
    /// The item gets `attributes`, or the past ones if that is nil.
    package mutating func restore(
        _ past: PastRevision,
        attributes: ItemAttributes? = nil,
        passwords: ApplicationPasswords = ApplicationPasswords()
    ) throws {
        let attributes = if let attributes { attributes } else { try vault.attributes(of: past) }
        let current = try vault.item(past.name)
        let digests = try uniqueDigests(of: attributes, in: past.group, replacing: current)
        let known = try vault.revisions(of: past.name).map(\.revision) + [current?.revision ?? past.revision]
        let last = known.max { $0.number < $1.number } ?? past.revision
        let revision = last.next(skipping: true, random: cipher.random)
        let box = try sealed(vault.secret(of: past), of: revision, passwords, keys(of: past.dataKey))
        try put(
            revision,
            replacing: current?.revision,
            attributes,
            digests,
            secret: box,
            order: past.order,
            keys(of: past.dataKey)
        )
    }

    /// Deletes an item, whose current revision must be that of `item`; it need not be readable.
    package mutating func delete(_ item: StoredItem) throws {
        try checkCurrent(item)
        try checkLive(item.revision, of: item.name)
        for revision in try vault.live(of: item.name).all {
            let group = GroupEpoch(group: item.name.group, epoch: revision.epoch)
            guard let keys = try vault.matchKeys(of: group) else { throw StoreError.locked(item.name) }
            let ended = Revision(item: item.name.item, number: revision.number, salt: revision.salt)
            let delete = Delete(ending: ended, group: group, keys: keys)
            try append(delete, about: item.name)
        }
    }

    /// Changes the settings of the vault, such as how much history a compaction keeps.
    package mutating func change(_ settings: Settings) throws {
        var settings = settings
        settings.revision = max(settings.revision, vault.settings?.revision ?? 0) + 1
        settings.revocations.formUnion(vault.settings?.revocations ?? Revocations())
        let seed = try vault.keyring.teamSecret(in: vault.prelude.keybag)
        guard let seed else { throw StoreError.keys(vault.keyring.isUnlocked ? .ownerNeeded : .locked) }
        let record = try SettingsRecord(settings, signedBy: seed, vault: vault.vault)
        try append(.settings(body: record.body))
        vault.log.note(record)
    }
}

// MARK: - Checks

extension Transaction {
    /// Throws if the vault has as many items as it may have.
    func checkItemCount() throws {
        guard vault.itemCount < Limits.itemCount else {
            throw StoreError.refused(.limitExceeded(.items, value: UInt64(vault.itemCount + 1)))
        }
    }

    /// Throws if the id of an item does not lead to its revision, as in a damaged snapshot: nothing could end it.
    mutating func checkLive(_ revision: Revision, of name: ItemName) throws {
        guard try vault.live(of: name)[salt: revision.salt] == nil else { return }
        let offset = vault.header.snapshotRange.lowerBound
        throw StoreError(.snapshotFailure(.disagrees, offset: offset), path: vault.path)
    }

    private mutating func checkCurrent(_ item: StoredItem) throws {
        // An item that was found in this snapshot and that the log does not mention cannot have changed.
        if case .snapshot = item.place, vault.isInPlace(item), vault.log.items[item.name] == nil { return }
        guard let current = try vault.item(item.name) else { throw StoreError.noSuchItem(item.name) }
        guard current.revision == item.revision else {
            throw StoreError.revisionDiffers(item.name, current: current.revision.number)
        }
    }

    /// Throws if the data of an item is to be kept but cannot be read.
    private mutating func checkReadable(_ item: StoredItem, for change: SecretChange) throws {
        guard case .keep = change, item.hasData else { return }
        guard try vault.dataKeys(of: item.dataKey) != nil else { throw StoreError.locked(item.name) }
    }

    /// Throws if an item that gets these attributes, or another group if they are nil, leaves versions behind that lost:
    /// one of them would take its place.
    package mutating func checkLeavesNoVersion(_ item: StoredItem, for attributes: ItemAttributes?) throws {
        guard try !vault.lostVersions(of: item).isEmpty else { return }
        if let attributes {
            let others = try vault.items(withPrimaryKeyOf: attributes, in: item.name.group)
            guard !others.contains(where: { $0.name == item.name }) else { return }
        }
        throw StoreError.contested(item.name)
    }

    /// Returns the digests of an item; throws if another item of the group that is present here has the same primary
    /// key.
    ///
    /// An item that keeps its primary key may share it with an item of another machine.
    mutating func uniqueDigests(
        of attributes: ItemAttributes,
        in group: GroupEpoch,
        replacing own: StoredItem?
    ) throws -> MatchDigests {
        guard let keys = try vault.matchKeys(of: group) else { throw StoreError.keys(.locked) }
        let digests = MatchDigests(attributes, keys: keys)
        if let own, own.group == group, own.digests.primaryKey == digests.primaryKey { return digests }
        for epoch in try vault.openEpochs(of: group.group) {
            let isSame = epoch.group == group
            let digest = isSame ? digests.primaryKey : PrimaryKeyDigest(of: attributes, keys: epoch.keys)
            var duplicates: [StoredItem] = []
            try vault.appendItems(withPrimaryKey: digest, in: epoch, to: &duplicates)
            if let duplicate = duplicates.first(where: { $0.name != own?.name }) {
                throw StoreError.duplicate(duplicate.name)
            }
        }
        return digests
    }
}
