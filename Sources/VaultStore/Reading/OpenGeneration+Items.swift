internal import VaultCrypto
package import VaultFormat

// How items are found: first in the log, then in the pages of the snapshot. Items of other devices, and items whose key
// was destroyed, do not exist here.
extension OpenGeneration {
    /// Returns the item with this name, or nil if none exists.
    package mutating func item(_ name: ItemName) throws(StoreError) -> StoredItem? {
        switch try loggedItem(name) {
        case .present(let item): return item
        case .absent: return nil
        case .unchanged: break
        }
        for group in groups(with: name.group) {
            if let item = try sectionItem(name.item, in: group) { return item }
        }
        return nil
    }

    /// Returns the items of a group whose primary key has the same digest as that of `attributes`.
    package mutating func items(
        withPrimaryKeyOf attributes: ItemAttributes,
        in group: GroupID
    ) throws(StoreError) -> [StoredItem] {
        try items(withPrimaryKey: PrimaryKey(of: attributes), in: group)
    }

    /// Returns the items of a group whose primary key has the same digest as `key`.
    ///
    /// There is more than one only if several devices created them without noticing each other.
    package mutating func items(
        withPrimaryKey key: PrimaryKey,
        in group: GroupID
    ) throws(StoreError) -> [StoredItem] {
        var found: [StoredItem] = []
        for epoch in groups(with: group) {
            guard let keys = try matchKeys(of: epoch) else { continue }
            let digest = PrimaryKeyDigest(of: key, keys: keys)
            try appendItems(withPrimaryKey: digest, in: epoch, to: &found)
        }
        guard found.count > 1 else { return found }
        // A lookup by primary key returns the item with the greater creation order.
        return found.sorted { ($1.order, $1.name.item) < ($0.order, $0.name.item) }
    }

    /// Appends the items of a group epoch that have this primary key digest.
    mutating func appendItems(
        withPrimaryKey digest: PrimaryKeyDigest,
        in group: GroupEpoch,
        to found: inout [StoredItem]
    ) throws(StoreError) {
        if !log.items.isEmpty {
            for name in log.items(withPrimaryKey: digest) where name.group == group.group {
                guard case .present(let item) = try loggedItem(name) else { continue }
                if item.group == group, item.digests.primaryKey == digest { found.append(item) }
            }
        }
        guard let number = try sectionNumber(of: group) else { return }
        let entries = try withSection(number: number) { section throws(VaultFormatError) in
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
    ) throws(StoreError) -> [StoredItem] {
        guard !values.isEmpty else { return try items(in: group).filter { $0.itemClass == itemClass } }
        let numbers = values.map { itemClass.primaryKey.firstIndex(of: $0.name) }
        var found: [StoredItem] = []
        for epoch in groups(with: group) {
            guard let keys = try matchKeys(of: epoch) else { continue }
            let digests = values.map { MatchDigests.attribute($0, canonicalValue: $1, keys: keys) }
            let fits = { (other: ItemClass, known: MatchDigests) in
                other == itemClass
                    && zip(numbers, digests).allSatisfy { number, digest in
                        number.map { known.attributes[$0] == digest } ?? false
                    }
            }
            try appendItems(withAttribute: digests[0], in: epoch, fits, to: &found)
            found.removeAll { $0.group == epoch && !fits($0.itemClass, $0.digests) }
        }
        return found.inCreationOrder
    }

    /// Appends the items of a group epoch that have this attribute digest; those that do not fit are not examined.
    private mutating func appendItems(
        withAttribute digest: UInt64,
        in group: GroupEpoch,
        _ fits: (ItemClass, MatchDigests) -> Bool,
        to found: inout [StoredItem]
    ) throws(StoreError) {
        if !log.items.isEmpty {
            for name in log.items(withAttribute: digest) where name.group == group.group {
                // An invalid one may hide a state that fits.
                guard let match = log.match(of: name), fits(match.itemClass, match.digests) || log.hidesAnother(name)
                else { continue }
                if case .present(let item) = try loggedItem(name), item.group == group { found.append(item) }
            }
        }
        guard let number = try sectionNumber(of: group) else { return }
        let entries = try withSection(number: number) { section throws(VaultFormatError) in
            try section.entries(withAttribute: digest)
        }
        try appendCurrent(entries.filter { fits($0.itemClass, $0.digests) }, ofSection: number, to: &found)
    }

    /// Returns the flags that at least one item of a group may have; no item has any other flag.
    package mutating func flags(of group: GroupID) throws(StoreError) -> MatchFlags {
        var flags = log.flags[group] ?? []
        for epoch in groups(with: group) {
            guard let number = try sectionNumber(of: epoch) else { continue }
            flags.formUnion(sections[number].reader.fence.flags)
        }
        return flags
    }

    /// Returns all items of a group, oldest first.
    package mutating func items(in group: GroupID) throws(StoreError) -> [StoredItem] {
        var found: [StoredItem] = []
        for epoch in groups(with: group) { found += try items(in: epoch) }
        return found.inCreationOrder
    }

    private mutating func items(in group: GroupEpoch) throws(StoreError) -> [StoredItem] {
        var found: [StoredItem] = []
        for name in log.items.keys where name.group == group.group {
            if case .present(let item) = try loggedItem(name), item.group == group { found.append(item) }
        }
        return found + (try sectionItems(of: group).filter { log.items[$0.name] == nil })
    }

    /// Returns all items in the section of a group, whatever the log says.
    mutating func sectionItems(of group: GroupEpoch) throws(StoreError) -> [StoredItem] {
        guard let number = try sectionNumber(of: group) else { return [] }
        var entries: [MatchEntry] = []
        entries.reserveCapacity(sections[number].section.count)
        try withSection(number: number) { section throws(VaultFormatError) in
            try section.forEachEntry { entries.append($0) }
        }
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

    /// What the log says about an item.
    private enum Logged {
        /// Nothing: the snapshot determines the item.
        case unchanged
        case absent
        case present(StoredItem)
    }

    private mutating func loggedItem(_ name: ItemName) throws(StoreError) -> Logged {
        while let state = log.items[name] {
            guard let number = state.put, let (put, match) = log.put(number) else { return .absent }
            if !state.isVerified, let fault = try fault(of: put, match) {
                log.invalidatePut(of: name, fault: fault)
                continue
            }
            if !state.isVerified { log.markVerified(name) }
            guard let key = opening.keyring.dataKeyEntries[put.dataKey] else { return .absent }
            let presence = opening.keyring.presence(of: put.dataKey)
            guard presence != .otherDevice else { return .absent }
            return .present(
                StoredItem(
                    name: name,
                    group: key.group,
                    revision: put.revision,
                    itemClass: match.itemClass,
                    flags: match.flags,
                    order: match.order,
                    dataKey: put.dataKey,
                    protection: key.protection,
                    presence: presence,
                    hasData: !put.secret.isEmpty,
                    digests: match.digests,
                    place: .log(number),
                    generation: mark
                )
            )
        }
        return .unchanged
    }

    /// Returns what is wrong with the metadata or the data of a put, if they can be opened here.
    ///
    /// A writer with the match key but without the data key can make a put that is wrong only in these; it must not
    /// hide the previous revision.
    mutating func fault(of put: Put, _ match: ItemMatch) throws(StoreError) -> Fault? {
        guard let entry = opening.keyring.dataKeyEntries[put.dataKey], let dataKeys = try dataKeys(of: put.dataKey),
            let matchKeys = try matchKeys(of: entry.group)
        else { return nil }
        do throws(Fault) {
            let metadata = try put.openedMetadata(keys: dataKeys)
            _ = try metadata.attributes(matching: match, keys: matchKeys)
            guard !put.secret.isEmpty else { return nil }
            try Secret(opening: put.secret.span, of: put.revision, keys: dataKeys).check()
            return nil
        } catch {
            if case .cipher(let error) = error { throw StoreError(.unavailable(.cipher(error)), path: path) }
            return error
        }
    }

    /// Returns an item in the section of a group, whatever the log says.
    mutating func sectionItem(_ id: ItemID, in group: GroupEpoch) throws(StoreError) -> StoredItem? {
        guard let number = try sectionNumber(of: group) else { return nil }
        let entry = try withSection(number: number) { section throws(VaultFormatError) in
            try section.entry(withID: id)
        }
        guard let entry else { return nil }
        return try item(entry, ofSection: number)
    }

    /// Appends those of `entries` that the log has not changed, as items.
    private mutating func appendCurrent(
        _ entries: [MatchEntry],
        ofSection number: Int,
        to found: inout [StoredItem]
    ) throws(StoreError) {
        let group = sections[number].group.group
        found.reserveCapacity(found.count + entries.count)
        for entry in entries {
            let isChanged = !log.items.isEmpty && log.items[ItemName(group: group, item: entry.revision.item)] != nil
            if !isChanged, let item = try item(entry, ofSection: number) { found.append(item) }
        }
    }

    /// Returns the item of a snapshot entry, or nil if its key was destroyed or belongs to another device.
    mutating func item(_ entry: MatchEntry, ofSection number: Int) throws(StoreError) -> StoredItem? {
        guard case .known(let handle, let protection, let presence) = entryKeys(ofSection: number)[entry.dataKey] else {
            guard case .foreign = entryKeys(ofSection: number)[entry.dataKey] else { return nil }
            throw StoreError(.snapshotFailure(.disagrees, offset: header.snapshotRange.lowerBound), path: path)
        }
        let group = sections[number].group
        return StoredItem(
            name: ItemName(group: group.group, item: entry.revision.item),
            group: group,
            revision: entry.revision,
            itemClass: entry.itemClass,
            flags: entry.flags,
            order: entry.order,
            dataKey: handle,
            protection: protection,
            presence: presence,
            hasData: entry.secret != nil,
            digests: entry.digests,
            place: .snapshot(entry.block, secret: entry.secret),
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
