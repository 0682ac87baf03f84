internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// Typed items in a transaction: the same as ``Keychain`` has.
extension KeychainTransaction {
    /// The items that fulfil all conditions, the oldest first.
    public mutating func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        return try keychain.typedSearch(conditions).stored(Item.self, limit: limit, in: &transaction.vault)
    }

    /// The oldest item that fulfils all conditions, nil if none does.
    public mutating func item<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        return try keychain.typedSearch(conditions).stored(Item.self, limit: 1, in: &transaction.vault).first
    }

    /// The item that a reference names as it is now, nil if it is gone.
    public mutating func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { reference.request }
        return try current(reference)
    }

    /// How many items fulfil all conditions.
    public mutating func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try calls.announce(.count) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.groups.search(Query(conditions), for: .find)
        return try search.items(in: &transaction.vault, limit: .max).count
    }

    /// Lends `body` the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - body: What needs the bytes.
    /// - Returns: What `body` returns; nil if the item has no secret, which is not the same as an empty one.
    /// - Throws: What `body` throws; ``KeychainError/itemNotFound``, ``KeychainError/locked`` and others.
    public mutating func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try calls.announce(.readSecret) { reference.request }
        return try keychain.secretSearch(reference).secret(in: &transaction.vault).lent(to: body)
    }

    // MARK: - Changing

    /// Adds an item without a secret, which is not the same as an empty one.
    @discardableResult
    public mutating func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add) { item.request }
        return try insert(item, nil)
    }

    /// Adds an item with a secret.
    @discardableResult
    public mutating func add<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.add, carriesSecret: true) { item.request }
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in try insert(item, bytes) }
    }

    /// Adds an item, or gives the one with the same primary key this secret, and what `item` says.
    @discardableResult
    public mutating func save<Item: KeychainItem>(
        _ item: Item,
        secret: borrowing some SecretSource & ~Copyable & ~Escapable
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.save, carriesSecret: true) { item.request }
        let addition = try keychain.groups.addition(item.query(), at: keychain.now)
        guard let twin = try addition.twin(in: &transaction.vault) else {
            return try secret.withSecretBytes { (bytes) throws(KeychainError) in try insert(item, bytes) }
        }
        let changes = try item.attributes.changes(of: Item.itemClass)
        return try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try rewrite(twin, changes, .replace(bytes))
        }
    }

    /// Changes what an item says; if `change` changes nothing, no new revision is made.
    @discardableResult
    public mutating func update<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        let found = try found(reference, expected)
        guard let attributes = found.attributes else { throw .itemNotFound }
        let old = Stored<Item>(found.item, attributes, in: transaction.vault)
        var item = old.item
        change(&item)
        guard item != old.item else { return old }
        return try rewrite(found, item.attributes.changes(from: old.item.attributes, of: Item.itemClass), .keep)
    }

    /// Gives an item another secret.
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

    /// Takes the secret of an item away, which is not the same as an empty one.
    @discardableResult
    public mutating func removeSecret<Item: KeychainItem>(
        of reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.update) { reference.request }
        return try rewrite(found(reference, expected), ItemChanges(), .remove)
    }

    /// Deletes an item, which may be locked.
    public mutating func delete<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) {
        try calls.announce(.delete) { reference.request }
        let search = try keychain.groups.search(reference.query(), for: .delete)
        let found = try checked(search.items(in: &transaction.vault, limit: 1).first, expected)
        try wholly { (transaction) throws(KeychainError) in
            try translating(KeychainError.init, transaction.delete(found.item))
        }
    }

    /// Deletes all items that fulfil the conditions, and says how many there were.
    @discardableResult
    public mutating func deleteAll<Item: KeychainItem>(
        _ type: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try deleteAll(conditions)
    }

    mutating func deleteAll<Item: KeychainItem>(_ conditions: [ItemCondition<Item>]) throws(KeychainError) -> Int {
        try calls.announce(.delete) { [String: ItemValue](announcing: conditions) }
        let search = try keychain.groups.search(Query(conditions), for: .delete)
        let found = try search.items(in: &transaction.vault, limit: .max)
        try wholly { (transaction) throws(KeychainError) in
            try translating(KeychainError.init) { () throws(StoreError) in
                for match in found { try transaction.delete(match.item) }
            }
        }
        return found.count
    }
}

// MARK: - Steps

extension KeychainTransaction {
    private mutating func insert<Item: KeychainItem>(
        _ item: Item,
        _ secret: Span<UInt8>?
    ) throws(KeychainError) -> Stored<Item> {
        let addition = try keychain.groups.addition(item.query(), at: keychain.now)
        let added = try wholly { (transaction) throws(KeychainError) in
            try addition.insert(secret: secret, in: &transaction)
        }
        return Stored(added, addition.attributes, in: transaction.vault)
    }

    /// The item that a reference names, which must be the one that the caller saw.
    private mutating func found<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ expected: ItemRevision?
    ) throws(KeychainError) -> ItemSearch.Found {
        let search = try keychain.groups.search(reference.query(), for: .update)
        return try checked(search.items(in: &transaction.vault, limit: 1).first, expected)
    }

    func checked(
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
        try wholly { (transaction) throws(KeychainError) in
            let damage = try keychain.apply(changes, secret, to: found, &transaction)
            if let damage { throw KeychainError(damage) }
        }
        return try written(KeychainReference(found.item.name.item))
    }

    /// An item that was just written.
    mutating func written<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item> {
        guard let stored = try current(reference) else { throw .itemNotFound }
        return stored
    }

    /// The item that a reference names, nil if it is gone.
    private mutating func current<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try keychain.typedSearch(reference).stored(Item.self, limit: 1, in: &transaction.vault).first
    }
}

extension KeychainItem {
    /// What this says, by Apple's names.
    var request: [String: ItemValue] { attributes.values.merging(["class": .string(Self.itemClass.rawValue)]) { $1 } }

    /// A query for an item that says this.
    func query() throws(KeychainError) -> Query {
        try Query.checkObjects { attributes[$0] }
        var query = Query(Self.itemClass)
        for (name, value) in attributes.values { try query.set(name, value) }
        try query.checkProtection()
        return query
    }
}

extension Addition {
    /// The item that has the primary key already.
    func twin(in vault: inout OpenGeneration) throws(KeychainError) -> ItemSearch.Found? {
        guard let group = vault.keyring.group(named: Array(group.utf8))?.group else { return nil }
        return try translating(KeychainError.init) { () throws(StoreError) in
            let twins = try vault.items(withPrimaryKeyOf: attributes, in: group)
            guard let twin = twins.first(where: { $0.presence != .destroyed }) else { return nil }
            return ItemSearch.Found(item: twin, attributes: try vault.attributes(of: twin))
        }
    }
}
