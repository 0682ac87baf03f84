// Changing typed items: each is a transaction of its own.
extension Keychain {
    /// Adds an item without a secret, which is not the same as an empty one.
    ///
    /// - Parameter item: What the item says.
    /// - Returns: The item as it is stored.
    /// - Throws: ``KeychainError/duplicateItem`` if there is one with the same primary key, and others.
    @discardableResult
    public func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add) { item.request }
        return try changeItems { (transaction) throws(KeychainError) in try transaction.add(item) }
    }

    /// Adds an item with a secret.
    ///
    /// ```swift
    /// let added = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
    /// ```
    ///
    /// - Parameters:
    ///   - item: What the item says.
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    /// - Returns: The item as it is stored.
    /// - Throws: ``KeychainError/duplicateItem`` if there is one with the same primary key, and others.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add, carriesSecret: true) { item.request }
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems { (transaction) throws(KeychainError) in try transaction.add(item, secret: bytes) }
        }
    }

    /// Adds an item, or gives the one with the same primary key this secret, and what `item` says.
    ///
    /// What `item` does not say stays as it is, as do the reference, the date of creation and the place in the order.
    ///
    /// ```swift
    /// try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "correct horse")
    /// ```
    ///
    /// - Parameters:
    ///   - item: What the item says.
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    /// - Returns: The item as it is stored.
    /// - Throws: ``KeychainError/locked`` if the item is there and locked, and others.
    @discardableResult
    public func save<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.save, carriesSecret: true) { item.request }
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems { (transaction) throws(KeychainError) in try transaction.save(item, secret: bytes) }
        }
    }

    /// Changes what an item says.
    ///
    /// If `change` changes nothing, no new revision is made. An attribute that becomes nil is taken away; a group or a
    /// protection that becomes nil stays what it is.
    ///
    /// ```swift
    /// let renamed = try keychain.update(stored.reference, ifRevision: stored.revision) { $0.label = "Mail" }
    /// ```
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - expected: The revision that the caller saw; nil to change whatever is there.
    ///   - change: Changes the item; it must not use the keychain.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed meanwhile, ``KeychainError/itemNotFound`` if it
    ///   is gone, and others.
    @discardableResult
    public func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        return try changeItems { (transaction) throws(KeychainError) in
            try transaction.update(reference, ifRevision: expected, change)
        }
    }

    /// Gives an item another secret.
    ///
    /// - Parameters:
    ///   - secret: The secret: a `String`, an array of bytes, or a `Span`.
    ///   - reference: What names the item.
    ///   - expected: The revision that the caller saw; nil to change whatever is there.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed meanwhile, ``KeychainError/itemNotFound`` if it
    ///   is gone, and others.
    @discardableResult
    public func setSecret<Item: KeychainItem>(
        _ secret: borrowing some SecretSource & ~Copyable & ~Escapable,
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update, carriesSecret: true) { reference.request }
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems { (transaction) throws(KeychainError) in
                try transaction.setSecret(bytes, of: reference, ifRevision: expected)
            }
        }
    }

    /// Takes the secret of an item away, which is not the same as an empty one.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - expected: The revision that the caller saw; nil to change whatever is there.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed meanwhile, ``KeychainError/itemNotFound`` if it
    ///   is gone, and others.
    @discardableResult
    public func removeSecret<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        return try changeItems { (transaction) throws(KeychainError) in
            try transaction.removeSecret(of: reference, ifRevision: expected)
        }
    }

    /// Deletes an item, which may be locked.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - expected: The revision that the caller saw; nil to delete whatever is there.
    /// - Throws: ``KeychainError/revisionDiffers`` if the item was changed meanwhile, ``KeychainError/itemNotFound`` if it
    ///   is gone, and others.
    public func delete<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) {
        try calls.announce(.delete) { reference.request }
        try changeItems { (transaction) throws(KeychainError) in
            try transaction.delete(reference, ifRevision: expected)
        }
    }

    /// Deletes all items that fulfil the conditions.
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What they must be; without any, all that are not synchronizable.
    /// - Returns: How many there were.
    /// - Throws: ``KeychainError/locked`` if a condition cannot be judged since an item is locked, and others.
    @discardableResult
    public func deleteAll<Item: KeychainItem>(
        _ type: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try calls.announce(.delete) { [String: ItemValue](announcing: conditions) }
        return try changeItems { (transaction) throws(KeychainError) in try transaction.deleteAll(conditions) }
    }
}
