internal import CofferBasics
internal import VaultFormat

extension VaultStore {
    /// Creates the groups that are missing among those with these names, if the vault is unlocked and can be written.
    package func makeGroups(named names: [[UInt8]]) throws {
        guard readOnlyReason == nil else { return }
        let missing = try read { vault in
            vault.keyring.isOwner ? names.filter { vault.keyring.group(named: $0) == nil } : []
        }
        guard !missing.isEmpty else { return }
        try transaction { transaction in
            for name in missing { _ = try transaction.group(named: name) }
        }
    }

    /// Makes a group, and in it the missing keys of all classes, if the vault is open with its roots.
    ///
    /// Programs that have the class keys without the roots can then add items of each class to every group that exists: a
    /// class key counts once it has opened something.
    package func makeKeys(inGroupNamed name: [UInt8]) throws {
        guard readOnlyReason == nil, try read({ vault in vault.lacksKeys(inGroupNamed: name) }) else { return }
        try transaction { transaction in
            let group = try transaction.group(named: name)
            for purpose in transaction.vault.keyring.purposes(in: group)
            where transaction.vault.lacksKey(for: purpose) { _ = try transaction.dataKey(purpose) }
        }
    }
}

extension OpenGeneration {
    fileprivate func lacksKeys(inGroupNamed name: [UInt8]) -> Bool {
        guard keyring.isOwner else { return false }
        guard let group = keyring.group(named: name) else { return true }
        return keyring.purposes(in: group).contains { lacksKey(for: $0) }
    }

    /// Whether there is no such key; not if there is one that cannot be used.
    fileprivate func lacksKey(for purpose: DataKeyPurpose) -> Bool {
        do {
            return try keyring.dataKey(for: purpose) == nil
        } catch {
            return false
        }
    }
}

// The keys that an item gets; missing keys are created.
extension Transaction {
    /// Returns the keys of an item to add, creating the missing ones, and its digests.
    mutating func keys(
        _ place: Place,
        for attributes: ItemAttributes
    ) throws -> (ItemKeys, MatchDigests) {
        // First, because a locked key is reported before a duplicate, as in Apple's keychain.
        let keys = try keys(place)
        return (keys, try uniqueDigests(of: attributes, in: keys.group, replacing: nil))
    }

    /// Returns the keys of items at a place, creating the missing ones.
    mutating func keys(_ place: Place) throws -> ItemKeys {
        if let keys = lastKeys, lastPlace == place { return keys }
        let group = try group(named: place.name)
        let purpose = DataKeyPurpose(group: group, protection: place.protection, owner: place.owner)
        let keys = try keys(of: dataKey(purpose))
        lastPlace = place
        return keys
    }

    mutating func keys(of handle: KeyHandle) throws -> ItemKeys {
        if let lastKeys, lastKeys.handle == handle { return lastKeys }
        guard let entry = vault.opening.keyring.dataKeyEntries[handle], let data = try vault.dataKeys(of: handle),
            let match = try vault.matchKeys(of: entry.group)
        else { throw StoreError.keys(.locked) }
        let keys = ItemKeys(handle: handle, group: entry.group, match: match, data: data)
        (lastPlace, lastKeys) = (nil, keys)
        return keys
    }

    mutating func group(named name: [UInt8]) throws -> GroupEpoch {
        if let group = vault.opening.keyring.group(named: name) { return group }
        guard !name.isEmpty else { throw StoreError.refused(.badValue) }
        guard name.count <= Limits.groupNameByteCount else {
            throw StoreError.refused(.limitExceeded(.groupName, value: UInt64(name.count)))
        }
        let (group, entries) = try vault.opening.makeGroup(named: name)
        try append(entries)
        return group
    }

    mutating func dataKey(_ purpose: DataKeyPurpose) throws -> KeyHandle {
        let isBound = purpose.owner != .none
        guard isBound || !purpose.protection.isBoundToDevice else { throw StoreError.keys(.deviceNeeded) }
        guard !isBound || purpose.protection.isBoundToDevice else { throw StoreError.refused(.badValue) }
        let known = try vault.opening.keyring.dataKey(for: purpose)
        if let known { return known }
        let entry = try vault.opening.makeDataKey(for: purpose)
        try append([.dataKey(entry)])
        return entry.handle
    }

    mutating func append(_ keys: [KeybagEntry]) throws {
        for key in keys {
            try append(.key(key))
            try vault.opening.append(key)
        }
        guard try vault.opening.openWaitingEntries().isEmpty else {
            throw StoreError.refused(.notAuthentic)
        }
        vault.noteKeys()
    }
}
