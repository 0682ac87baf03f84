internal import VaultCrypto
package import VaultFormat

/// Changes that happen wholly or not at all, while nobody else writes.
///
/// What was changed is seen by the same transaction at once, and by everybody when it is done.
package struct Transaction: ~Copyable {
    /// The vault with the changes so far.
    package var vault: OpenGeneration

    private(set) var records: [Record] = []
    private let sequence: UInt64
    private let time: Time
    private let firstEntry: Int
    /// What items were before they were changed.
    private var formerStates: [(name: ItemName, state: LogIndex.ItemState?)] = []
    /// The keys before the first was added.
    private var formerOpening: VaultOpening<SodiumSuite>?
    private let formerSettings: Settings?
    /// Where the last item was added; most that follow go there too.
    private var lastPlace: Place?
    private var lastKeys: ItemKeys?

    /// What decides which key an added item gets.
    private struct Place: Equatable {
        let name: [UInt8]
        let protection: ProtectionClass
        let owner: DeviceID
    }

    /// The keys of items that have one data key.
    private struct ItemKeys {
        let handle: KeyHandle
        let group: GroupEpoch
        let match: MatchKeys<SodiumSuite>
        let data: DataKeys<SodiumSuite>
    }

    init(_ vault: consuming OpenGeneration, time: Time) {
        sequence = vault.position.sequence + 1
        firstEntry = vault.log.entries.count
        formerSettings = vault.settings
        self.time = time
        self.vault = vault
    }

    private var suite: SodiumSuite { vault.suite }

    /// The vault as it was.
    consuming func abandoned() -> OpenGeneration {
        vault.log.remove(from: firstEntry, restoring: formerStates)
        if let formerOpening {
            vault.opening = formerOpening
            vault.noteKeys()
        }
        vault.settings = formerSettings
        return vault
    }

    /// The vault as it is now.
    consuming func finished() -> OpenGeneration { vault }
}

// MARK: - Changes

/// What becomes of the data of an item that is changed.
package enum SecretChange: ~Escapable {
    /// They stay as they are.
    case keep
    /// The item has no data any more, which is not the same as empty data.
    case remove
    /// These are the data now.
    case replace(Span<UInt8>)
}

extension Transaction {
    /// Adds an item.
    ///
    /// The group, and the keys that the item needs, are made if they are not there. `secret` is nil for an item without
    /// data; `owner` is the device that it is bound to, if its class is bound to one.
    package mutating func add(
        _ attributes: ItemAttributes,
        secret: Span<UInt8>?,
        group name: [UInt8],
        protection: ProtectionClass,
        owner: DeviceID = .none
    ) throws(StoreError) -> ItemName {
        guard vault.itemCount < Limits.itemCount else {
            throw .refused(.limitExceeded(.items, value: UInt64(vault.itemCount + 1)))
        }
        let (keys, digests) = try keys(Place(name: name, protection: protection, owner: owner), for: attributes)
        let id = ItemID(suite.randomBytes(ItemID.byteCount).span)
        let revision = Revision(item: id, number: 1, suite: suite)
        let order = CreationOrder.order(sequence: sequence, record: records.count)
        try put(revision, attributes, digests, secret: try sealed(secret, of: revision, keys), order: order, keys)
        return ItemName(group: keys.group.group, item: id)
    }

    /// Changes an item, whose revision must be the one that was found.
    package mutating func update(
        _ item: StoredItem,
        attributes: ItemAttributes,
        secret: SecretChange,
        protection: ProtectionClass? = nil,
        owner: DeviceID = .none
    ) throws(StoreError) {
        try checkCurrent(item)
        try checkReadable(item, for: secret)
        let digests = try uniqueDigests(of: attributes, in: item.group, except: item.name)
        let purpose = DataKeyPurpose(
            group: item.group,
            protection: protection ?? item.protection,
            owner: protection == nil ? vault.opening.keyring.dataKeyEntries[item.dataKey]?.owner ?? .none : owner
        )
        let handle = protection == nil ? item.dataKey : try dataKey(purpose)
        let revision = Revision(item: item.name.item, number: item.revision.number + 1, suite: suite)
        let keys = try keys(of: handle)
        let box = try box(secret, of: item, as: revision, keys)
        try put(revision, attributes, digests, secret: box, order: item.order, keys)
    }

    /// Moves an item to another group, where it keeps its id; its revision must be the one that was found.
    package mutating func move(
        _ item: StoredItem,
        to name: [UInt8],
        attributes: ItemAttributes,
        secret: SecretChange,
        protection: ProtectionClass,
        owner: DeviceID = .none
    ) throws(StoreError) {
        try checkReadable(item, for: secret)
        let (keys, digests) = try keys(Place(name: name, protection: protection, owner: owner), for: attributes)
        // Greater than all that the item has had here or there, for it may have been in the group before.
        let revision = Revision(item: item.name.item, number: item.revision.number + 2, suite: suite)
        let box = try box(secret, of: item, as: revision, keys)
        try delete(item)
        try put(revision, attributes, digests, secret: box, order: item.order, keys)
    }

    /// Makes an item what it was: as a new revision, or anew if it was deleted.
    package mutating func restore(_ past: PastRevision) throws(StoreError) {
        let attributes = try vault.attributes(of: past)
        let digests = try uniqueDigests(of: attributes, in: past.group, except: past.name)
        let current = try vault.item(past.name)
        // The number of a delete that was dropped is not known; it was the next but one at most.
        let known = try vault.revisions(of: past.name).map(\.revision.number).max() ?? past.revision.number
        let number = max(current?.revision.number ?? 0, known) + 2
        let revision = Revision(item: past.name.item, number: number, suite: suite)
        let box = try sealed(vault.secret(of: past), of: revision, keys(of: past.dataKey))
        try put(revision, attributes, digests, secret: box, order: past.order, keys(of: past.dataKey))
    }

    /// Deletes an item, whose revision must be the one that was found; it need not be readable.
    package mutating func delete(_ item: StoredItem) throws(StoreError) {
        try checkCurrent(item)
        guard let keys = try vault.matchKeys(of: item.group) else { throw .locked(item.name) }
        let revision = Revision(item: item.name.item, number: item.revision.number + 1, suite: suite)
        let delete = Delete(revision: revision, group: item.group, keys: keys, vault: vault.vault, suite: suite)
        append(.delete(delete), about: item.name, match: nil)
    }

    /// Decides something about the vault: how much history a compaction keeps, and the like.
    package mutating func change(_ settings: Settings) throws(StoreError) {
        var settings = settings
        settings.revision = (vault.settings?.revision ?? 0) + 1
        let seed = try translating(StoreError.refused) { () throws(Fault) in
            try vault.keyring.teamSecret(in: vault.prelude.keybag)
        }
        guard let seed else { throw .keys(.locked) }
        let body = try translating(StoreError.refused) { () throws(Fault) in
            try settings.signed(by: seed, vault: vault.vault, suite: suite)
        }
        records.append(.settings(body: body))
        vault.settings = settings
        vault.log.append(entry(.settings(body: body)))
    }

    // MARK: - Checks

    private mutating func checkCurrent(_ item: StoredItem) throws(StoreError) {
        // What was found in this snapshot, and the log does not mention, cannot have changed.
        if case .snapshot = item.place, vault.isInPlace(item), vault.log.items[item.name] == nil { return }
        guard let current = try vault.item(item.name) else { throw .noSuchItem(item.name) }
        guard current.revision == item.revision else {
            throw .revisionDiffers(item.name, current: current.revision.number)
        }
    }

    /// Throws if the data of an item are to be kept, and cannot be read.
    private mutating func checkReadable(_ item: StoredItem, for change: SecretChange) throws(StoreError) {
        guard case .keep = change, item.hasData else { return }
        guard try vault.dataKeys(of: item.dataKey) != nil else { throw .locked(item.name) }
    }

    /// The digests of an item; throws if another item of the group that is present here has the same primary key.
    private mutating func uniqueDigests(
        of attributes: ItemAttributes,
        in group: GroupEpoch,
        except own: ItemName?
    ) throws(StoreError) -> MatchDigests {
        guard let keys = try vault.matchKeys(of: group) else { throw .keys(.locked) }
        let digests = MatchDigests(attributes, keys: keys, suite: suite)
        for epoch in vault.groups(with: group.group) {
            var digest = digests.primaryKey
            if epoch != group {
                guard let keys = try vault.matchKeys(of: epoch) else { continue }
                digest = PrimaryKeyDigest(of: attributes, keys: keys, suite: suite)
            }
            var twins: [StoredItem] = []
            try vault.appendItems(withPrimaryKey: digest, in: epoch, to: &twins)
            if let twin = twins.first(where: { $0.name != own }) { throw .duplicate(twin.name) }
        }
        return digests
    }

    // MARK: - Keys

    /// The keys of an item that is added, made if they are not there, and its digests.
    private mutating func keys(
        _ place: Place,
        for attributes: ItemAttributes
    ) throws(StoreError) -> (ItemKeys, MatchDigests) {
        if let keys = lastKeys, lastPlace == place {
            return (keys, try uniqueDigests(of: attributes, in: keys.group, except: nil))
        }
        let group = try group(named: place.name)
        let purpose = DataKeyPurpose(group: group, protection: place.protection, owner: place.owner)
        // First, for a key that is locked is told before a duplicate, as Apple's keychain does.
        let keys = try keys(of: dataKey(purpose))
        let digests = try uniqueDigests(of: attributes, in: group, except: nil)
        lastPlace = place
        return (keys, digests)
    }

    private mutating func keys(of handle: KeyHandle) throws(StoreError) -> ItemKeys {
        if let lastKeys, lastKeys.handle == handle { return lastKeys }
        guard let entry = vault.opening.keyring.dataKeyEntries[handle], let data = try vault.dataKeys(of: handle),
            let match = try vault.matchKeys(of: entry.group)
        else { throw .keys(.locked) }
        let keys = ItemKeys(handle: handle, group: entry.group, match: match, data: data)
        (lastPlace, lastKeys) = (nil, keys)
        return keys
    }

    private mutating func group(named name: [UInt8]) throws(StoreError) -> GroupEpoch {
        if let group = vault.opening.keyring.group(named: name) { return group }
        let (group, entries) = try translating(StoreError.keys) { () throws(KeyMakingError) in
            try vault.keyring.madeGroup(named: name)
        }
        try append(entries)
        return group
    }

    private mutating func dataKey(_ purpose: DataKeyPurpose) throws(StoreError) -> KeyHandle {
        let isBound = purpose.owner != .none
        guard isBound || !purpose.protection.isBoundToDevice else { throw .keys(.deviceNeeded) }
        guard !isBound || purpose.protection.isBoundToDevice else { throw .refused(.badValue) }
        let known = try translating(StoreError.keys) { () throws(KeyMakingError) in
            try vault.opening.keyring.dataKey(for: purpose)
        }
        if let known { return known }
        let (handle, entries) = try translating(StoreError.keys) { () throws(KeyMakingError) in
            try vault.keyring.madeDataKey(for: purpose)
        }
        try append(entries)
        return handle
    }

    private mutating func append(_ keys: [KeybagEntry]) throws(StoreError) {
        if formerOpening == nil { formerOpening = vault.opening }
        for key in keys {
            try translating(StoreError.refused) { () throws(Fault) in try vault.opening.append(key) }
            vault.log.append(entry(.key(key)))
            records.append(.key(key))
        }
        vault.noteKeys()
    }

    // MARK: - Records

    /// The data that an item has after a change, sealed for its next revision.
    private mutating func box(
        _ change: SecretChange,
        of item: StoredItem,
        as revision: Revision,
        _ keys: ItemKeys
    ) throws(StoreError) -> [UInt8] {
        switch change {
        case .remove: []
        case .replace(let bytes): try sealed(bytes, of: revision, keys)
        case .keep: sealed(try vault.secret(of: item), of: revision, keys)
        }
    }

    private func sealed(
        _ secret: Span<UInt8>?,
        of revision: Revision,
        _ keys: ItemKeys
    ) throws(StoreError) -> [UInt8] {
        guard let secret else { return [] }
        guard secret.count <= Limits.secretByteCount else {
            throw .refused(.limitExceeded(.secret, value: UInt64(secret.count)))
        }
        return sealed(secret, form: .data, of: revision, keys)
    }

    /// The data of an item, sealed anew for another revision or key.
    private func sealed(_ secret: consuming Secret?, of revision: Revision, _ keys: ItemKeys) -> [UInt8] {
        guard let secret else { return [] }
        return secret.withBytes { sealed($0, form: secret.form, of: revision, keys) }
    }

    private func sealed(
        _ data: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        _ keys: ItemKeys
    ) -> [UInt8] {
        Put.sealedSecret(data, form: form, of: revision, keys: keys.data, vault: vault.vault, suite: suite)
    }

    private mutating func put(
        _ revision: Revision,
        _ attributes: ItemAttributes,
        _ digests: MatchDigests,
        secret: [UInt8],
        order: UInt64,
        _ keys: ItemKeys
    ) throws(StoreError) {
        let (vault, suite) = (vault.vault, suite)
        let (put, content) = try translating(StoreError.refused) { () throws(Fault) in
            try Put.sealing(
                revision,
                order: order,
                attributes: attributes,
                digests: digests,
                secret: secret,
                handle: keys.handle,
                keys: (match: keys.match, data: keys.data),
                vault: vault,
                suite: suite
            )
        }
        let name = ItemName(group: keys.group.group, item: revision.item)
        append(.put(put), about: name, match: VaultContents.Match(content))
    }

    private mutating func append(_ record: Record, about name: ItemName, match: VaultContents.Match?) {
        formerStates.append((name, vault.log.items[name]))
        vault.append(entry(record), about: name, match: match)
        records.append(record)
    }

    private func entry(_ record: Record) -> LogIndex.Entry {
        let place = VaultContents.Place.frame(sequence: sequence, record: records.count)
        return LogIndex.Entry(sequence: sequence, time: time, place: place, record: record)
    }
}
