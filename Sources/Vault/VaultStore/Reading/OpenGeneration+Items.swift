internal import VaultCrypto
package import VaultFormat

// How items are found: first in the log, then in the pages of the snapshot. Items of other devices, and items whose key
// was destroyed, do not exist here.
extension OpenGeneration {
    /// Returns the item with this name, or nil if none exists.
    package mutating func item(_ name: ItemName) throws -> StoredItem? {
        guard let current = try live(of: name).current else { return nil }
        return try item(name, current)
    }

    /// Returns a live revision of an item, or nil if its key was destroyed or belongs to another device.
    mutating func item(_ name: ItemName, _ revision: LiveRevision) throws -> StoredItem? {
        if let put = revision.put { return loggedItem(put, name) }
        if revision.isIndexed { return try indexedItem(name, revision) }
        let group = GroupEpoch(group: name.group, epoch: revision.epoch)
        guard let number = try sectionNumber(of: group) else { return nil }
        let entry = try entries(withID: name.item, in: group).first { revision.isEntry($0.revision, of: group) }
        return try entry.flatMap { entry in try item(entry, ofSection: number) }
    }

    /// Returns the items of a group whose primary key has the same digest as that of `attributes`.
    package mutating func items(
        withPrimaryKeyOf attributes: ItemAttributes,
        in group: GroupID
    ) throws -> [StoredItem] {
        try items(withPrimaryKey: PrimaryKey(of: attributes), in: group)
    }

    /// Returns the items of a group whose primary key has the same digest as `key`, the one that lookups take first.
    ///
    /// There is more than one only if several machines added them without noticing each other.
    package mutating func items(
        withPrimaryKey key: PrimaryKey,
        in group: GroupID
    ) throws -> [StoredItem] {
        var found: [StoredItem] = []
        for epoch in try openEpochs(of: group) {
            try appendItems(withPrimaryKey: PrimaryKeyDigest(of: key, keys: epoch.keys), in: epoch, to: &found)
        }
        guard found.count > 1 else { return found }
        // A lookup by primary key returns the item with the greater creation order.
        return found.sorted { ($1.order, $1.name.item) < ($0.order, $0.name.item) }
    }

    /// Appends the items of a group epoch that have this primary key digest.
    mutating func appendItems(
        withPrimaryKey digest: PrimaryKeyDigest,
        in epoch: OpenEpoch,
        to found: inout [StoredItem]
    ) throws {
        if isIndexed {
            found += try indexedItems(in: epoch.group) { section in
                try section.entries(withPrimaryKey: digest)
            }
        }
        if !log.items.isEmpty {
            for name in log.items(withPrimaryKey: digest) where name.group == epoch.group.group {
                guard let put = log.items[name]?.current?.put, let item = loggedItem(put, name) else { continue }
                if item.group == epoch.group { found.append(item) }
            }
        }
        guard let number = epoch.section else { return }
        let entries = try withSection(number: number) { section in
            try section.entries(withPrimaryKey: digest)
        }
        try appendCurrent(entries, ofSection: number, to: &found)
    }

    /// Returns the items of a group whose digests match all of `values`; their metadata must still be compared.
    ///
    /// The values are canonical values of attributes in the primary key of the class.
    package mutating func items(
        of itemClass: ItemClass,
        in group: GroupID,
        having values: [(name: String, canonicalValue: [UInt8])]
    ) throws -> [StoredItem] {
        guard !values.isEmpty else { return try items(in: group).filter { $0.itemClass == itemClass } }
        var found: [StoredItem] = []
        for epoch in try openEpochs(of: group) {
            guard let pattern = MatchPattern(itemClass, having: values, keys: epoch.keys) else { continue }
            try appendItems(matching: pattern, in: epoch, to: &found)
        }
        return found.inCreationOrder
    }

    /// Appends the items of a group epoch that match a pattern.
    private mutating func appendItems(
        matching pattern: MatchPattern,
        in epoch: OpenEpoch,
        to found: inout [StoredItem]
    ) throws {
        if isIndexed {
            found += try indexedItems(in: epoch.group) { section in try section.entries(matching: pattern) }
        }
        if !log.items.isEmpty {
            for name in log.items(matching: pattern) where name.group == epoch.group.group {
                guard let put = log.items[name]?.current?.put else { continue }
                if let item = loggedItem(put, name), item.group == epoch.group { found.append(item) }
            }
        }
        guard let number = epoch.section else { return }
        let entries = try withSection(number: number) { section in try section.entries(matching: pattern) }
        try appendCurrent(entries, ofSection: number, to: &found)
    }

    /// Returns the flags that at least one item of a group may have; no item has any other flag.
    package mutating func flags(of group: GroupID) throws -> MatchFlags {
        var flags: MatchFlags = []
        for fence in try indexedFences(of: group) { flags.formUnion(fence.flags) }
        flags.formUnion(log.flags[group] ?? [])
        for epoch in try openEpochs(of: group) {
            if let number = epoch.section { flags.formUnion(sections[number].reader.fence.flags) }
        }
        return flags
    }

    /// Returns all items of a group, oldest first.
    package mutating func items(in group: GroupID) throws -> [StoredItem] {
        var found: [StoredItem] = []
        for epoch in groups(with: group) { found += try items(in: epoch) }
        return found.inCreationOrder
    }

    private mutating func items(in group: GroupEpoch) throws -> [StoredItem] {
        var found = try indexedItems(in: group) { section in try section.allEntries() }
        for (name, state) in log.items where name.group == group.group {
            guard let put = state.current?.put, let item = loggedItem(put, name), item.group == group else { continue }
            found.append(item)
        }
        guard let number = try sectionNumber(of: group) else { return found }
        let entries = try withSection(number: number) { section in try section.allEntries() }
        try appendCurrent(entries, ofSection: number, to: &found)
        return found
    }

    /// Returns all live revisions in the section of a group, whatever the log says.
    mutating func sectionItems(of group: GroupEpoch) throws -> [StoredItem] {
        guard let number = try sectionNumber(of: group) else { return [] }
        let entries = try withSection(number: number) { section in try section.allEntries() }
        var items: [StoredItem] = []
        items.reserveCapacity(entries.count)
        for entry in entries { if let item = try item(entry, ofSection: number) { items.append(item) } }
        return items
    }

    /// The names of all groups, by their ids.
    package var groupNames: [GroupID: [UInt8]] {
        Dictionary(keyring.groupNames.map { ($0.key.group, $0.value) }) { first, _ in first }
    }

    // MARK: - Log and snapshot

    /// Returns the item of a put of the log, or nil if its key was destroyed or belongs to another device.
    func loggedItem(_ number: Int, _ name: ItemName) -> StoredItem? {
        guard let (put, match) = log.put(number), let key = opening.keyring.dataKeyEntries[put.dataKey] else {
            return nil
        }
        let presence = opening.keyring.presence(of: put.dataKey)
        guard presence != .otherDevice else { return nil }
        return StoredItem(
            name: name,
            group: key.group,
            revision: put.revision,
            origin: put.provenance.origin,
            itemClass: match.itemClass,
            flags: match.flags,
            order: match.order,
            written: PastRevision.Moment(sequence: log.entries[number].sequence, time: match.written),
            dataKey: put.dataKey,
            protection: key.protection,
            presence: presence,
            hasData: !put.secret.isEmpty,
            digests: match.digests,
            place: .log(number),
            generation: mark
        )
    }

    /// Returns what is wrong with the metadata or the data of a put, if they can be opened here.
    ///
    /// A writer with the match key but without the data key can make a put that is wrong only in these. It counts, since
    /// readers without the data key cannot tell; the item is damaged.
    mutating func fault(of put: Put, _ match: ItemMatch) throws -> Fault.Reason? {
        guard let entry = opening.keyring.dataKeyEntries[put.dataKey], let dataKeys = try dataKeys(of: put.dataKey),
            let matchKeys = try matchKeys(of: entry.group)
        else { return nil }
        do throws(Fault) {
            _ = try put.checkedMetadata(matching: match, keys: (matchKeys, dataKeys))
            return nil
        } catch {
            if case .cipher(let error) = error.reason { throw StoreError(.unavailable(.cipher(error)), path: path) }
            return error.reason
        }
    }

    /// Returns the entries of an item in the section of a group, whatever the log says.
    mutating func entries(withID id: ItemID, in group: GroupEpoch) throws -> [MatchEntry] {
        guard let number = try sectionNumber(of: group) else { return [] }
        return try withSection(number: number) { section in
            try section.entries(withID: id)
        }
    }

    /// Appends those of `entries` that are the current revisions of their items, as items.
    private mutating func appendCurrent(
        _ entries: [MatchEntry],
        ofSection number: Int,
        to found: inout [StoredItem]
    ) throws {
        found.reserveCapacity(found.count + entries.count)
        for entry in entries where try isCurrent(entry, in: sections[number].group) {
            if let item = try item(entry, ofSection: number) { found.append(item) }
        }
    }

    /// Whether the data key of an entry was destroyed, so that it is not live.
    func isDestroyed(_ entry: MatchEntry, in group: GroupEpoch) -> Bool {
        guard let handles = sectionDataKeys(group) else { return false }
        return opening.keyring.dataKeyEntries[handles[entry.dataKey]] == nil
    }

    /// Whether an entry of the snapshot is the current revision of its item.
    mutating func isCurrent(_ entry: MatchEntry, in group: GroupEpoch) throws -> Bool {
        let name = ItemName(group: group.group, item: entry.revision.item)
        // In the usual case, the entry is the only live revision, and nothing need be looked up.
        let hasEpochs = try openEpochs(of: group.group).count > 1
        let mayHaveOthers = hasEpochs || entry.flags.contains(.contested)
        if !mayHaveOthers, !isIndexed, log.items.isEmpty || log.items[name] == nil { return true }
        return try live(of: name).current?.isEntry(entry.revision, of: group) ?? false
    }

    /// Returns the item of a snapshot entry, or nil if its key was destroyed or belongs to another device.
    mutating func item(_ entry: MatchEntry, ofSection number: Int) throws -> StoredItem? {
        let item = try itemOfAnyDevice(entry, ofSection: number)
        return item?.presence == .otherDevice ? nil : item
    }

    /// Returns the item of a snapshot entry, or nil if its key was destroyed.
    mutating func itemOfAnyDevice(_ entry: MatchEntry, ofSection number: Int) throws -> StoredItem? {
        let (handle, protection, presence): (KeyHandle, ProtectionClass, Keyring.Presence)
        switch key(of: entry, inSection: number) {
        case .known(let known, let itsProtection, let itsPresence):
            (handle, protection, presence) = (known, itsProtection, itsPresence)
        case .destroyed: return nil
        case .foreign:
            throw StoreError(.snapshotFailure(.disagrees, offset: header.snapshotRange.lowerBound), path: path)
        }
        let group = sections[number].group
        return StoredItem(
            name: ItemName(group: group.group, item: entry.revision.item),
            group: group,
            revision: entry.revision,
            origin: entry.origin,
            itemClass: entry.itemClass,
            flags: entry.flags.subtracting(.contested),
            order: entry.order,
            written: PastRevision.Moment(sequence: entry.sequence, time: entry.written),
            dataKey: handle,
            protection: protection,
            presence: presence,
            hasData: entry.secret != nil,
            digests: entry.digests,
            place: StoredItem.Place(of: entry),
            generation: mark
        )
    }
}

extension [StoredItem] {
    /// The items, oldest first.
    var inCreationOrder: [StoredItem] {
        count < 2 ? self : sorted { ($0.order, $0.name.item) < ($1.order, $1.name.item) }
    }
}

extension Put {
    /// Returns the metadata; throws if they or the secret are invalid, or if they contradict the match data.
    func checkedMetadata(
        matching match: ItemMatch,
        keys: (match: MatchKeys, data: DataKeys)
    ) throws(Fault) -> ItemMetadata {
        let metadata = try openedMetadata(keys: keys.data)
        let attributes = try metadata.attributes(matching: match, keys: keys.match)
        if !secret.isEmpty { try Secret(opening: secret.span, of: revision, keys: keys.data).check(for: attributes) }
        return metadata
    }
}

extension Record {
    /// The item that a put or delete is about.
    var item: ItemID? {
        switch self {
        case .put(let put): put.revision.item
        case .delete(let delete): delete.revision.item
        case .key, .settings, .seen, .unknown, .malformed: nil
        }
    }
}
