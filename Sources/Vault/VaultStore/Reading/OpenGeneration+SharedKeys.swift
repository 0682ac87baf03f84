internal import VaultFormat

// Items with one primary key, which several copies of a vault added before they were merged: the one that VF-72 names
// counts, and the others are versions of it that lost.
extension OpenGeneration {
    /// Returns those of the items of a class or group that count; `items` must be in creation order.
    package mutating func counting(_ items: [StoredItem]) throws -> [StoredItem] {
        let lost = try positionsOfVersions(in: items).flatMap { $0.dropLast() }
        guard !lost.isEmpty else { return items }
        let isLost = Set(lost)
        return items.indices.filter { !isLost.contains($0) }.map { items[$0] }
    }

    /// Returns the items with the primary key of another one, one list for each key, the item that counts first.
    ///
    /// `items` must be in creation order.
    package mutating func versions(in items: [StoredItem]) throws -> [[StoredItem]] {
        try positionsOfVersions(in: items).map { positions in positions.reversed().map { items[$0] } }
    }

    /// Returns the items with the primary key of `item`, itself included, the one that counts first.
    package mutating func versions(of item: StoredItem) throws -> [StoredItem] {
        let epochs = try openEpochs(of: item.name.group)
        guard epochs.count == 1 else {
            return try versions(in: items(in: item.name.group)).first { $0.contains { $0.name == item.name } } ?? [item]
        }
        var found: [StoredItem] = []
        try appendItems(withPrimaryKey: item.digests.primaryKey, in: epochs[0], to: &found)
        return found.inCreationOrder.reversed()
    }

    /// Returns the items with the primary key of `item` that lost against it; none if it lost itself.
    package mutating func lostVersions(of item: StoredItem) throws -> [StoredItem] {
        let versions = try versions(of: item)
        return versions.first?.name == item.name ? Array(versions.dropFirst()) : []
    }

    /// Returns the positions of items with the primary key of another one, one list for each key, oldest first.
    private mutating func positionsOfVersions(in items: [StoredItem]) throws -> [[Int]] {
        guard items.count > 1 else { return [] }
        var first: [PrimaryKeyDigest: Int] = [:]
        var versions: [Int: [Int]] = [:]
        first.reserveCapacity(items.count)
        for position in items.indices {
            let own = items[position].digests.primaryKey
            let others = try primaryKeys(inEpochsOf: items[position])
            let known = first[own] ?? others.lazy.compactMap { first[$0] }.first
            first[own] = known ?? position
            for digest in others { first[digest] = known ?? position }
            if let known { versions[known, default: [known]].append(position) }
        }
        return versions.values.sorted { $0[0] < $1[0] }
    }

    /// Returns the digests of the primary key of an item under the match keys of all epochs of its group, if there are
    /// several; none if the attributes cannot be read.
    private mutating func primaryKeys(inEpochsOf item: StoredItem) throws -> [PrimaryKeyDigest] {
        do {
            let epochs = try openEpochs(of: item.name.group)
            guard epochs.count > 1 else { return [] }
            let attributes = try attributes(of: item)
            return epochs.map { PrimaryKeyDigest(of: attributes, keys: $0.keys) }
        } catch {
            if case StoreError.locked = error { return [] }
            if case StoreError.invalidItem = error { return [] }
            guard error.isAboutSnapshot else { throw error }
            return []
        }
    }
}
