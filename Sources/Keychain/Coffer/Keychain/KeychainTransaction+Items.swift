package import CofferBasics
internal import VaultFormat
internal import VaultStore

// Typed items in a transaction, with the same functions as in ``Keychain``.
extension KeychainTransaction {
    /// Returns the items that match all conditions, oldest first.
    public mutating func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try read(.find, ItemTarget(conditions)) { try $0.stored(limit: limit, in: &$1, $2) }
    }

    /// Returns the oldest item that matches all conditions, or nil if none does.
    public mutating func item<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Stored<Item>? {
        try read(.find, ItemTarget(conditions)) { try $0.first(in: &$1, $2) }
    }

    /// Returns the item with this reference as it is now, or nil if it no longer exists.
    public mutating func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try read(.find, ItemTarget(reference)) { try $0.first(in: &$1, $2) }
    }

    /// Returns the number of items that match all conditions.
    public mutating func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try read(.count, ItemTarget(conditions), returning: []) { try $0.items(in: &$1, $2, limit: .max).count }
    }

    /// Lends `body` the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - body: A closure that uses the bytes; if it copies them, it must wipe the copy.
    /// - Returns: The result of `body`, or nil if the item has no secret, which is not the same as an empty secret.
    /// - Throws: The error of `body`, ``KeychainError/itemNotFound`` if the item does not exist,
    ///   ``KeychainError/locked`` if it is locked, or another ``KeychainError``.
    public mutating func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try secret(of: ItemTarget(reference)).lent(to: body)
    }

    /// Returns the secret of the oldest item that matches all conditions, in wiped memory; nil if the item has none.
    package mutating func oldestSecret<Item: KeychainItem>(
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> HeldSecret? {
        try secret(of: ItemTarget(conditions)).lent { HeldSecret(copying: $0) }
    }

    private mutating func secret(of target: ItemTarget) throws(KeychainError) -> Secret? {
        try read(.readSecret, target, returning: .data) { try $0.secret(in: &$1, $2) }
    }

    // MARK: - Changing

    /// Adds an item without a secret, which is not the same as an empty secret.
    @discardableResult
    public mutating func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item> {
        try add(keychain.addition(of: item, .add, to: calls), nil)
    }

    /// Adds an item with a secret.
    @discardableResult
    public mutating func add<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        let addition = try keychain.addition(of: item, .add, carriesSecret: true, to: calls)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in try add(addition, bytes) }
    }

    /// Adds an item, or changes the secret and attributes of the one with the same primary key.
    @discardableResult
    public mutating func save<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        let addition = try keychain.addition(of: item, .save, carriesSecret: true, to: calls)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in try save(item, addition, bytes) }
    }

    /// Changes the attributes of an item; if `change` changes nothing, no new revision is made.
    @discardableResult
    public mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update, ItemTarget(reference))
        return try update(reference, expected, .keep, change)
    }

    /// Changes attributes of an item and gives it a secret, or none, as one revision.
    @discardableResult
    package mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        secret: Span<UInt8>?,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update, ItemTarget(reference), carriesSecret: secret != nil)
        guard let secret else { return try update(reference, expected, .remove, change) }
        return try update(reference, expected, .replace(secret), change)
    }

    /// Replaces the secret of an item.
    @discardableResult
    public mutating func setSecret<Item: KeychainItem>(
        _ secret: borrowing some SecretSource & ~Copyable & ~Escapable,
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try update(reference, ifRevision: expected, secret: bytes) { _ in }
        }
    }

    /// Removes the secret of an item, which is not the same as setting an empty secret.
    @discardableResult
    public mutating func removeSecret<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try update(reference, ifRevision: expected, secret: nil) { _ in }
    }

    /// Deletes an item, even if it is locked.
    public mutating func delete<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) {
        try calls.announce(.delete, ItemTarget(reference))
        try deleteVersions(of: reference, ifRevision: expected)
    }

    /// Deletes all items that match the conditions, and returns their number.
    @discardableResult
    public mutating func deleteAll<Item: KeychainItem>(
        _ type: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        let target = ItemTarget(conditions)
        try calls.announce(.delete, target)
        let search = try keychain.groups.search(target.query(), for: .delete)
        return try undoingIfItFails { try $0.deleteMatches(of: search) }
    }
}

// MARK: - Steps

extension Keychain {
    /// Announces the addition of an item, and returns it as far as it is known without the vault.
    func addition<Item: KeychainItem>(
        of item: Item,
        _ operation: KeychainOperation,
        carriesSecret: Bool = false,
        to calls: CallAnnouncer
    ) throws(KeychainError) -> Addition {
        try calls.announce(operation, carriesSecret: carriesSecret) { item.request }
        return try groups.addition(item.query(), at: now)
    }
}

extension KeychainTransaction {
    /// Adds an item.
    mutating func add<Item: KeychainItem>(
        _ addition: Addition,
        _ secret: Span<UInt8>?
    ) throws(KeychainError) -> Stored<Item> {
        try undoingIfItFails { try $0.insert(addition, secret) }
    }

    /// Adds an item, or changes the one with the same primary key.
    mutating func save<Item: KeychainItem>(
        _ item: Item,
        _ addition: Addition,
        _ secret: Span<UInt8>
    ) throws(KeychainError) -> Stored<Item> {
        let existingItem = try read { (vault, authentication) in
            try addition.existingItem(in: &vault, authentication)
        }
        guard let existingItem else { return try add(addition, secret) }
        return try rewrite(existingItem, item.attributes.changes(of: Item.itemClass), .replace(secret))
    }

    /// Changes the attributes and the secret of an item; if nothing changes, no new revision is made.
    private mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ expected: ItemRevision?,
        _ secret: SecretChange,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        let found = try found(reference, expected, for: .update)
        guard let attributes = found.attributes else { throw .itemNotFound }
        let old = Stored<Item>(found.item, attributes, in: transaction.vault)
        var new = old.item
        change(&new)
        if case .keep = secret, new == old.item { return old }
        return try rewrite(found, new.attributes.changes(from: old.item.attributes, of: Item.itemClass), secret)
    }

    /// Finds the item with this reference, which must have the expected revision.
    private mutating func found<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ expected: ItemRevision?,
        for operation: ItemOperation
    ) throws(KeychainError) -> ItemSearch.Found {
        let search = try keychain.groups.search(ItemTarget(reference).query(), for: operation)
        let found = try read { (vault, authentication) in
            // An item is deleted whatever its access control demands.
            try search.items(in: &vault, operation == .delete ? nil : authentication, limit: 1).first
        }
        guard let found else { throw .itemNotFound }
        guard expected.map({ $0 == ItemRevision(found.item.revision) }) ?? true else { throw .revisionDiffers }
        return found
    }

    /// Deletes an item with the versions of it that lost, and returns their ids.
    @discardableResult
    mutating func deleteVersions<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> [ItemID] {
        let found = try found(reference, expected, for: .delete)
        return try undoingIfItFails { try $0.delete(found.item) }
    }

    private mutating func rewrite<Item: KeychainItem>(
        _ found: ItemSearch.Found,
        _ changes: ItemChanges,
        _ secret: SecretChange
    ) throws(KeychainError) -> Stored<Item> {
        try undoingIfItFails { transaction in
            if let damage = try transaction.apply(changes, secret, to: found) { throw damage }
        }
        let former = transaction.vault.keyring.groupNames[found.item.group].map { String(decoding: $0, as: UTF8.self) }
        let group = try keychain.groups.named(changes.group, for: .update) ?? former
        return try written(KeychainReference(found.item.name.item, in: group))
    }

    /// Returns an item that was just written.
    mutating func written<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item> {
        let search = try keychain.groups.search(ItemTarget(reference).query(returning: .attributes), for: .find)
        let stored: Stored<Item>? = try read { (vault, _) in try search.first(in: &vault, nil) }
        guard let stored else { throw .itemNotFound }
        return stored
    }
}

extension KeychainItem {
    /// The item as a request, by Apple's names.
    var request: [String: ItemValue] { attributes.values.merging(["class": .string(Self.itemClass.rawValue)]) { $1 } }

    /// A query with the attributes of this item.
    func query() throws(KeychainError) -> Query {
        try Query.checkObjects { attributes[$0] }
        var query = Query(Self.itemClass)
        for (name, value) in attributes.values { try query.set(name, value) }
        try query.checkProtection()
        return query
    }
}
