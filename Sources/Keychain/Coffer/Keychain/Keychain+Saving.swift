// Changing typed items. Each call is a transaction of its own.
extension Keychain {
    /// Adds an item without a secret, which is not the same as an empty secret.
    ///
    /// - Parameter item: The item to add.
    /// - Returns: The item as stored.
    /// - Throws: ``KeychainError/duplicateItem`` if an item with the same primary key exists, or another
    ///   ``KeychainError``.
    @discardableResult
    public func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item> {
        let addition = try addition(of: item, .add, to: calls)
        return try changeItems(creatingVault: true) { try $0.insert(addition, nil) }
    }

    /// Adds an item with a secret.
    ///
    /// ```swift
    /// let added = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
    /// ```
    ///
    /// - Parameters:
    ///   - item: The item to add.
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    /// - Returns: The item as stored.
    /// - Throws: ``KeychainError/duplicateItem`` if an item with the same primary key exists, or another
    ///   ``KeychainError``.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        let addition = try addition(of: item, .add, carriesSecret: true, to: calls)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems(creatingVault: true) { try $0.insert(addition, bytes) }
        }
    }

    /// Adds an item, or changes the secret and attributes of the one with the same primary key.
    ///
    /// An existing item keeps the attributes that `item` does not set, its reference, its creation date and its place
    /// in the order.
    ///
    /// ```swift
    /// try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "correct horse")
    /// ```
    ///
    /// - Parameters:
    ///   - item: The item to save.
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    /// - Returns: The item as stored.
    /// - Throws: ``KeychainError/locked`` if the item exists and is locked, or another ``KeychainError``.
    @discardableResult
    public func save<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        let addition = try addition(of: item, .save, carriesSecret: true, to: calls)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems(creatingVault: true) { try $0.save(item, addition, bytes) }
        }
    }

    /// Changes the attributes of an item.
    ///
    /// If `change` changes nothing, no new revision is made. Attributes that become nil are removed; a group or an
    /// accessibility that becomes nil stays as it is.
    ///
    /// ```swift
    /// let renamed = try keychain.update(stored.reference, ifRevision: stored.revision) { $0.label = "Mail" }
    /// ```
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - expected: The revision that must be the current one; nil to change any.
    ///   - change: A closure that changes the item; it must not use the keychain.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed, ``KeychainError/itemNotFound`` if it does
    ///   not exist, or another ``KeychainError``.
    @discardableResult
    public func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.update, reference) { try $0.update(reference, ifRevision: expected, change) }
    }

    /// Replaces the secret of an item.
    ///
    /// - Parameters:
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    ///   - reference: The reference to the item.
    ///   - expected: The revision that must be the current one; nil to change any.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed, ``KeychainError/itemNotFound`` if it does
    ///   not exist, or another ``KeychainError``.
    @discardableResult
    public func setSecret<Item: KeychainItem>(
        _ secret: borrowing some SecretSource & ~Copyable & ~Escapable,
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItem(.update, reference, carriesSecret: true) {
                try $0.setSecret(bytes, of: reference, ifRevision: expected)
            }
        }
    }

    /// Removes the secret of an item, which is not the same as setting an empty secret.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - expected: The revision that must be the current one; nil to change any.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed, ``KeychainError/itemNotFound`` if it does
    ///   not exist, or another ``KeychainError``.
    @discardableResult
    public func removeSecret<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.update, reference) { try $0.removeSecret(of: reference, ifRevision: expected) }
    }

    /// Deletes an item, even if it is locked.
    ///
    /// Items that lost against it are deleted too, so that none of them is found in its place; see
    /// ``conflicts(_:)``.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - expected: The revision that must be the current one; nil to delete any.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed, ``KeychainError/itemNotFound`` if it does
    ///   not exist, or another ``KeychainError``.
    public func delete<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) {
        try changeItem(.delete, reference) { try $0.delete(reference, ifRevision: expected) }
    }

    /// Deletes an item for good, with its past: ``delete(_:ifRevision:)`` keeps what ``HistorySettings`` say.
    ///
    /// The vault is written anew, which only its owner can do. Earlier copies of the file still have the item, and a merge
    /// with one brings its past back. What only another machine has the keys for stays.
    ///
    /// - Parameter reference: The reference to the item.
    /// - Throws: ``KeychainError``. If writing the vault anew fails, the item is deleted already.
    public func erase<Item: KeychainItem>(_ reference: KeychainReference<Item>) throws(KeychainError) {
        try erase { try changeItem(.delete, reference) { try $0.deleteVersions(of: reference) } }
    }

    /// Deletes all items that match the conditions.
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - conditions: The conditions that the items must match; without any, all that are not synchronizable match.
    /// - Returns: The number of deleted items.
    /// - Throws: ``KeychainError/locked`` if a condition cannot be checked because an item is locked, or another
    ///   ``KeychainError``.
    @discardableResult
    public func deleteAll<Item: KeychainItem>(
        _ type: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try calls.announce(.delete, ItemTarget(conditions))
        do {
            return try changeItems { try $0.deleteAll(type, where: .all(conditions)) }
        } catch .itemNotFound {
            return 0
        }
    }

    /// Announces a call that changes an item, and lends `body` a transaction for it.
    func changeItem<Item: KeychainItem, Result: Sendable>(
        _ operation: KeychainOperation,
        _ reference: KeychainReference<Item>,
        carriesSecret: Bool = false,
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws(KeychainError) -> Result {
        try calls.announce(operation, ItemTarget(reference), carriesSecret: carriesSecret)
        return try changeItems(body)
    }
}
