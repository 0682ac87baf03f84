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
        try items(type, whereAll: conditions, limit: limit)
    }

    /// Returns the items that match all conditions, oldest first.
    package mutating func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>],
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.typedSearch(conditions)
        return try read { (vault, authentication) in
            try search.stored(Item.self, limit: limit, in: &vault, authentication)
        }
    }

    /// Returns the oldest item that matches all conditions, or nil if none does.
    public mutating func item<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.typedSearch(conditions)
        return try read { (vault, authentication) in
            try search.stored(Item.self, limit: 1, in: &vault, authentication).first
        }
    }

    /// Returns the item with this reference as it is now, or nil if it no longer exists.
    public mutating func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { reference.request }
        let search = try keychain.typedSearch(reference)
        return try read { (vault, authentication) in
            try search.stored(Item.self, limit: 1, in: &vault, authentication).first
        }
    }

    /// Returns the number of items that match all conditions.
    public mutating func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try count(type, whereAll: conditions)
    }

    /// Returns the number of items that match all conditions.
    package mutating func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> Int {
        try calls.announce(.count) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.groups.search(Query(conditions), for: .find)
        return try read { (vault, authentication) in
            try search.items(in: &vault, authentication, limit: .max).count
        }
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
        try calls.announce(.readSecret) { reference.request }
        let search = try keychain.secretSearch(reference)
        return try read { (vault, authentication) in try search.secret(in: &vault, authentication) }.lent(to: body)
    }

    // MARK: - Changing

    /// Adds an item without a secret, which is not the same as an empty secret.
    @discardableResult
    public mutating func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add) { item.request }
        return try insert(keychain.groups.addition(item.query(), at: keychain.now), nil)
    }

    /// Adds an item with a secret.
    @discardableResult
    public mutating func add<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add, carriesSecret: true) { item.request }
        let addition = try keychain.groups.addition(item.query(), at: keychain.now)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in try insert(addition, bytes) }
    }

    /// Adds an item, or changes the secret and attributes of the one with the same primary key.
    @discardableResult
    public mutating func save<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.save, carriesSecret: true) { item.request }
        let addition = try keychain.groups.addition(item.query(), at: keychain.now)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in try save(item, addition, bytes) }
    }

    /// Changes the attributes of an item; if `change` changes nothing, no new revision is made.
    @discardableResult
    public mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        let found = try found(reference, expected)
        let (old, new) = try changed(found, change)
        guard new != old.item else { return old }
        return try rewrite(found, new.attributes.changes(from: old.item.attributes, of: Item.itemClass), .keep)
    }

    /// Changes attributes of an item and gives it a secret, or none, as one revision.
    @discardableResult
    package mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        secret: Span<UInt8>?,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update, carriesSecret: secret != nil) { reference.request }
        let found = try found(reference, expected)
        let (old, new) = try changed(found, change)
        let changes = try new.attributes.changes(from: old.item.attributes, of: Item.itemClass)
        guard let secret else { return try rewrite(found, changes, .remove) }
        return try rewrite(found, changes, .replace(secret))
    }

    /// Replaces the secret of an item.
    @discardableResult
    public mutating func setSecret<Item: KeychainItem>(
        _ secret: borrowing some SecretSource & ~Copyable & ~Escapable,
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update, carriesSecret: true) { reference.request }
        let found = try found(reference, expected)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try rewrite(found, ItemChanges(), .replace(bytes))
        }
    }

    /// Removes the secret of an item, which is not the same as setting an empty secret.
    @discardableResult
    public mutating func removeSecret<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        return try rewrite(found(reference, expected), ItemChanges(), .remove)
    }

    /// Deletes an item, even if it is locked.
    public mutating func delete<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) {
        try calls.announce(.delete) { reference.request }
        let search = try keychain.groups.search(reference.query(), for: .delete)
        try atomically { (transaction, _) in
            let found = try search.items(in: &transaction.vault, nil, limit: 1).first
            try transaction.delete(Self.checked(found, expected).item)
        }
    }

    /// Deletes all items that match the conditions, and returns their number.
    @discardableResult
    public mutating func deleteAll<Item: KeychainItem>(
        _ type: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try deleteAll(whereAll: conditions)
    }

    /// Deletes all items that match the conditions, and returns their number.
    package mutating func deleteAll<Item: KeychainItem>(
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> Int {
        try calls.announce(.delete) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.groups.search(Query(conditions), for: .delete)
        return try atomically { (transaction, _) in
            let found = try search.items(in: &transaction.vault, nil, limit: .max)
            for match in found { try transaction.delete(match.item) }
            return found.count
        }
    }
}

// MARK: - Imports

extension KeychainTransaction {
    /// Adds an item with the dates that it had elsewhere; without them, it is as new as the transaction.
    package mutating func add<Item: KeychainItem>(
        _ item: Item,
        secret: Span<UInt8>?,
        created: KeychainDate?,
        modified: KeychainDate?
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add, carriesSecret: secret != nil) { item.request }
        let modified = modified?.secondsSinceReferenceDate ?? keychain.now
        let created = created?.secondsSinceReferenceDate ?? modified
        return try insert(keychain.groups.addition(item.query(), at: modified, created: created), secret)
    }
}

// MARK: - Steps

extension KeychainTransaction {
    /// Adds an item.
    mutating func insert<Item: KeychainItem>(
        _ addition: Addition,
        _ secret: Span<UInt8>?
    ) throws(KeychainError) -> Stored<Item> {
        let added = try atomically { (transaction, authentication) in
            try addition.insert(secret: secret, in: &transaction, authentication)
        }
        return Stored(added, addition.attributes, in: transaction.vault)
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
        guard let existingItem else { return try insert(addition, secret) }
        return try rewrite(existingItem, item.attributes.changes(of: Item.itemClass), .replace(secret))
    }

    /// Finds the item with this reference, which must have the expected revision.
    private mutating func found<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ expected: ItemRevision?
    ) throws(KeychainError) -> ItemSearch.Found {
        let search = try keychain.groups.search(reference.query(), for: .update)
        return try read { (vault, authentication) in
            try Self.checked(search.items(in: &vault, authentication, limit: 1).first, expected)
        }
    }

    /// An item as it is, and as `change` makes it.
    private func changed<Item: KeychainItem>(
        _ found: ItemSearch.Found,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> (old: Stored<Item>, new: Item) {
        guard let attributes = found.attributes else { throw .itemNotFound }
        let old = Stored<Item>(found.item, attributes, in: transaction.vault)
        var new = old.item
        change(&new)
        return (old, new)
    }

    private static func checked(
        _ found: ItemSearch.Found?,
        _ expected: ItemRevision?
    ) throws(KeychainError) -> ItemSearch.Found {
        guard let found else { throw .itemNotFound }
        guard expected.map({ $0 == ItemRevision(found.item.revision) }) ?? true else { throw .revisionDiffers }
        return found
    }

    private mutating func rewrite<Item: KeychainItem>(
        _ found: ItemSearch.Found,
        _ changes: ItemChanges,
        _ secret: SecretChange
    ) throws(KeychainError) -> Stored<Item> {
        let keychain = keychain
        try atomically { (transaction, authentication) in
            if let damage = try keychain.apply(changes, secret, to: found, &transaction, authentication) {
                throw damage
            }
        }
        let former = transaction.vault.keyring.groupNames[found.item.group].map { String(decoding: $0, as: UTF8.self) }
        let group = try keychain.groups.named(changes.group, for: .update) ?? former
        return try written(KeychainReference(found.item.name.item, in: group))
    }

    /// Returns an item that was just written.
    mutating func written<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item> {
        let search = try keychain.typedSearch(reference)
        let stored = try read { (vault, _) in try search.stored(Item.self, limit: 1, in: &vault, nil).first }
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

extension Addition {
    /// The existing item with the same primary key, if there is one.
    func existingItem(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> ItemSearch.Found? {
        guard let group = vault.keyring.group(named: Array(group.utf8))?.group else { return nil }
        let duplicates = try vault.items(withPrimaryKeyOf: attributes, in: group)
        guard let existingItem = duplicates.first(where: { $0.presence != .destroyed }) else { return nil }
        let attributes = try vault.attributes(of: existingItem)
        let sealed = try vault.sealedSecret(of: existingItem, attributes)
        guard try authentication.allows(attributes, sealed) else { throw KeychainError.authenticationRequired }
        return ItemSearch.Found(item: existingItem, attributes: attributes)
    }
}
