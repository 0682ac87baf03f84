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
        let group = try group(named: name)
        try checkUnique(attributes, in: group.group, except: nil)
        let handle = try dataKey(DataKeyPurpose(group: group, protection: protection, owner: owner))
        let revision = newRevision(of: ItemID(suite.randomBytes(ItemID.byteCount).span), number: 1)
        let order = CreationOrder.order(sequence: sequence, record: records.count)
        try put(revision, attributes, secret: try sealed(secret, of: revision, handle), order: order, handle: handle)
        return ItemName(group: group.group, item: revision.item)
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
        try checkUnique(attributes, in: item.group.group, except: item.name)
        let purpose = DataKeyPurpose(
            group: item.group,
            protection: protection ?? item.protection,
            owner: protection == nil ? vault.keyring.dataKeyEntries[item.dataKey]?.owner ?? .none : owner
        )
        let handle = protection == nil ? item.dataKey : try dataKey(purpose)
        let revision = newRevision(of: item.name.item, number: item.revision.number + 1)
        let box: [UInt8]
        switch secret {
        case .remove: box = []
        case .replace(let bytes): box = try sealed(bytes, of: revision, handle)
        case .keep: box = try resealed(item, as: revision, handle)
        }
        try put(revision, attributes, secret: box, order: item.order, handle: handle)
    }

    /// Makes an item what it was: as a new revision, or anew if it was deleted.
    package mutating func restore(_ past: PastRevision) throws(StoreError) {
        let attributes = try vault.attributes(of: past)
        try checkUnique(attributes, in: past.group.group, except: past.name)
        let current = try vault.item(past.name)
        // The number of a delete that was dropped is not known; it was the next but one at most.
        let known = try vault.revisions(of: past.name).map(\.revision.number).max() ?? past.revision.number
        let revision = newRevision(of: past.name.item, number: max(current?.revision.number ?? 0, known) + 2)
        var box: [UInt8] = []
        if let secret = try vault.secret(of: past) {
            box = try secret.withBytes { bytes throws(StoreError) in
                try sealed(bytes, form: secret.form, of: revision, past.dataKey)
            }
        }
        try put(revision, attributes, secret: box, order: past.order, handle: past.dataKey)
    }

    /// Deletes an item, whose revision must be the one that was found; it need not be readable.
    package mutating func delete(_ item: StoredItem) throws(StoreError) {
        try checkCurrent(item)
        guard let keys = try vault.matchKeys(of: item.group) else { throw .locked(item.name) }
        let revision = newRevision(of: item.name.item, number: item.revision.number + 1)
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

    /// Throws if another item of the group that is present here has the same primary key.
    private mutating func checkUnique(
        _ attributes: ItemAttributes,
        in group: GroupID,
        except own: ItemName?
    ) throws(StoreError) {
        let twins = try vault.items(withPrimaryKeyOf: attributes, in: group)
        if let twin = twins.first(where: { $0.name != own }) { throw .duplicate(twin.name) }
    }

    // MARK: - Keys

    private mutating func group(named name: [UInt8]) throws(StoreError) -> GroupEpoch {
        if let group = vault.keyring.group(named: name) { return group }
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
            try vault.keyring.dataKey(for: purpose)
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

    private func newRevision(of item: ItemID, number: UInt64) -> Revision {
        let salt = suite.randomBytes(8).span.littleEndian(at: 0, as: UInt64.self)
        return Revision(item: item, number: number, salt: salt)
    }

    private mutating func sealed(
        _ secret: Span<UInt8>?,
        of revision: Revision,
        _ handle: KeyHandle
    ) throws(StoreError) -> [UInt8] {
        guard let secret else { return [] }
        guard secret.count <= Limits.secretByteCount else {
            throw .refused(.limitExceeded(.secret, value: UInt64(secret.count)))
        }
        return try sealed(secret, form: .data, of: revision, handle)
    }

    /// The data of an item, sealed anew for another revision or key.
    private mutating func resealed(
        _ item: StoredItem,
        as revision: Revision,
        _ handle: KeyHandle
    ) throws(StoreError) -> [UInt8] {
        guard let secret = try vault.secret(of: item) else { return [] }
        return try secret.withBytes { bytes throws(StoreError) in
            try sealed(bytes, form: secret.form, of: revision, handle)
        }
    }

    private mutating func sealed(
        _ content: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        _ handle: KeyHandle
    ) throws(StoreError) -> [UInt8] {
        guard let keys = try vault.dataKeys(of: handle) else { throw .keys(.locked) }
        var buffer = SecretBuffer(byteCount: 1 + content.count)
        buffer.withMutableSpan { bytes in
            bytes[0] = form.rawValue
            for index in content.indices { bytes[1 + index] = content[index] }
        }
        return buffer.withSpan { bytes in
            Put.sealedSecret(bytes, of: revision, keys: keys, vault: vault.vault, suite: suite)
        }
    }

    private mutating func put(
        _ revision: Revision,
        _ attributes: ItemAttributes,
        secret: [UInt8],
        order: UInt64,
        handle: KeyHandle
    ) throws(StoreError) {
        guard let entry = vault.keyring.dataKeyEntries[handle], let dataKeys = try vault.dataKeys(of: handle),
            let matchKeys = try vault.matchKeys(of: entry.group)
        else { throw .keys(.locked) }
        let (put, content) = try translating(StoreError.refused) { () throws(Fault) in
            try Put.sealing(
                revision,
                order: order,
                attributes: attributes,
                secret: secret,
                handle: handle,
                keys: (match: matchKeys, data: dataKeys),
                vault: vault.vault,
                suite: suite
            )
        }
        append(
            .put(put),
            about: ItemName(group: entry.group.group, item: revision.item),
            match: VaultContents.Match(content)
        )
    }

    private mutating func append(_ record: Record, about name: ItemName, match: VaultContents.Match?) {
        formerStates.append((name, vault.log.items[name]))
        var entry = entry(record)
        entry.match = match
        vault.append(entry, about: name, isVerified: true)
        records.append(record)
    }

    private func entry(_ record: Record) -> LogIndex.Entry {
        let place = VaultContents.Place.frame(sequence: sequence, record: records.count)
        return LogIndex.Entry(sequence: sequence, time: time, place: place, record: record)
    }
}
