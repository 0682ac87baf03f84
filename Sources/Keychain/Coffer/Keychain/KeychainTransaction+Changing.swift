internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// The steps of changes, which leave what they did if they fail halfway.
extension KeychainTransaction {
    /// Adds an item, and returns it with its data if the addition asks for something.
    mutating func insert(_ addition: Addition) throws -> ItemContent {
        let data = addition.query.data
        let added = try insert(addition, data?.span)
        guard !addition.query.returns.isEmpty else { return ItemContent(added, nil, nil, in: transaction.vault) }
        let secret = data.map { HeldSecret(copying: $0.span) }
        return ItemContent(added, addition.attributes, secret, in: transaction.vault)
    }

    /// Adds an item with this secret.
    mutating func insert<Item: KeychainItem>(_ addition: Addition, _ secret: Span<UInt8>?) throws -> Stored<Item> {
        Stored(try insert(addition, secret), addition.attributes, in: transaction.vault)
    }

    /// Adds an item with this secret.
    mutating func insert(_ addition: Addition, _ secret: Span<UInt8>?) throws -> StoredItem {
        let (attributes, protection) = (addition.attributes, addition.accessibility.protection)
        return try transaction.add(
            attributes,
            secret: secret,
            group: Array(addition.group.utf8),
            protection: protection,
            owner: transaction.vault.owner(for: protection),
            password: secret == nil ? nil : authentication.password(for: attributes)
        )
    }

    /// Changes all items that match an update.
    mutating func apply(_ update: ItemUpdate) throws {
        switch update.target {
        case .items(let search, let changes): try apply(changes, to: search)
        case .identities(let search, let certificates, let keys): try apply((certificates, keys), to: search)
        }
    }

    private mutating func apply(_ changes: ItemChanges, to search: ItemSearch) throws {
        let found = try search.items(in: &transaction.vault, authentication, limit: .max) { match, _ in match }
            .elements()
        var damages: [StoreError] = []
        for match in found { if let damage = try apply(changes, to: match) { damages.append(damage) } }
        // Damaged items are not changed, just as lists leave them out.
        if let damage = damages.first, damages.count == found.count { throw damage }
    }

    /// Deletes all items that match a query; throws if none do.
    mutating func deleteMatches(of query: ItemQuery) throws {
        switch query.target {
        case .items(let search):
            guard try deleteMatches(of: search) > 0 else { throw KeychainError.itemNotFound }
        case .identities(let search): try deleteIdentities(search)
        }
    }

    /// Deletes all items that a search finds, and returns their number.
    mutating func deleteMatches(of search: ItemSearch) throws -> Int {
        let found = try search.items(in: &transaction.vault, nil, limit: .max)
        for match in found { try delete(match.item) }
        return found.count
    }

    /// Deletes an item with the versions of it that lost, one of which would be found in its place, and returns their ids.
    @discardableResult
    mutating func delete(_ item: StoredItem) throws -> [ItemID] {
        let versions = try transaction.vault.lostVersions(of: item) + [item]
        for version in versions { try transaction.delete(version) }
        return versions.map(\.name.item)
    }

    /// Changes an item, or returns the damage if the item must keep its data and that cannot be read.
    mutating func apply(_ changes: ItemChanges, to match: ItemSearch.Found) throws -> StoreError? {
        guard let data = changes.data else { return try apply(changes, .keep, to: match) }
        return try apply(changes, .replace(data.span), to: match)
    }

    /// Changes the attributes of an item as in `changes`, and its data as in `secret`.
    mutating func apply(
        _ changes: ItemChanges,
        _ secret: SecretChange,
        to match: ItemSearch.Found
    ) throws -> StoreError? {
        guard let old = match.attributes else { throw KeychainError.itemNotFound }
        let attributes = try changed(old, changes, after: old)
        let accessibility = changes.accessibility ?? changes.accessControl?.accessibility
        let group = try keychain.groups.named(changes.group, for: .update)
        let target = group.flatMap { isIn($0, match.item, transaction.vault) ? nil : $0 }
        let getsData =
            switch secret {
            case .remove: false
            case .keep: match.item.hasData
            case .replace: true
            }
        do {
            let sealed = try transaction.vault.sealedSecret(of: match.item, old)
            let passwords = try authentication.passwords(replacing: sealed, for: getsData ? attributes : nil)
            try write(match.item, attributes, secret, passwords, accessibility, target)
            return nil
        } catch let error as StoreError where error.isDamageOfOneItem {
            return error
        }
    }

    /// Writes an item again, in another group or with another protection if these are given.
    private mutating func write(
        _ item: StoredItem,
        _ attributes: ItemAttributes,
        _ secret: SecretChange,
        _ passwords: ApplicationPasswords,
        _ accessibility: Accessibility?,
        _ group: String?
    ) throws {
        try transaction.checkLeavesNoVersion(item, for: group == nil ? attributes : nil)
        let protection = accessibility?.protection
        let owner = transaction.vault.owner(for: protection ?? item.protection)
        guard let group else {
            return try transaction.update(
                item,
                attributes: attributes,
                secret: secret,
                protection: protection,
                owner: protection == nil ? .none : owner,
                passwords: passwords
            )
        }
        try transaction.move(
            item,
            to: Array(group.utf8),
            attributes: attributes,
            secret: secret,
            protection: protection ?? item.protection,
            owner: owner,
            passwords: passwords
        )
    }

    private func isIn(_ group: String, _ item: StoredItem, _ vault: OpenGeneration) -> Bool {
        vault.opening.keyring.groupNames[item.group].map { $0.elementsEqual(group.utf8) } ?? false
    }

    /// The attributes `old` with changes applied, as a successor of the attributes `latest` that the item has now.
    func changed(
        _ old: ItemAttributes,
        _ changes: ItemChanges,
        after latest: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        var values = AttributeList()
        for (name, value) in old.values {
            if let name = name.string.flatMap({ AttributeName($0) }) { values[name] = ItemValue(value) }
        }
        values[.accessControl] = nil
        for name in changes.removedNames { values[name] = nil }
        for (name, value) in changes.attributes.entries { values[name] = value }
        if let synchronizable = changes.synchronizable { values[.synchronizable] = synchronizable }
        if let creationDate = changes.creationDate { values[.creationDate] = creationDate }
        values[.modificationDate] = .date(secondsSinceReferenceDate: later(than: latest[.modificationDate]))
        if let kept = try accessControl(of: old, changes) { values[.accessControl] = .accessControl(kept) }
        return try ItemAttributes(old.itemClass, values)
    }

    /// The conditions of an item after a change; a new protection removes the old ones.
    private func accessControl(
        of old: ItemAttributes,
        _ changes: ItemChanges
    ) throws(KeychainError) -> AccessControl? {
        if let new = changes.accessControl { return new.conditions == nil ? nil : try new.bound(for: old.itemClass) }
        guard changes.accessibility == nil, let stored = old.accessControl else { return nil }
        return AccessControl(.whenUnlocked, stored)
    }

    /// The current time, or just after the last change to the item if the clock stands still or was set back.
    private func later(than date: ArchiveValue?) -> Double {
        guard case .date(let before)? = date else { return keychain.now }
        return max(keychain.now, before + 0.001)
    }
}
