internal import VaultFormat
internal import VaultStore

// Finding typed items. Conditions become the same queries as requests by Apple's names, so that both find the same
// items.
extension Keychain {
    /// Returns the items that match all conditions, oldest first.
    ///
    /// ```swift
    /// for login in try keychain.items(InternetPassword.self, where: .hostOrSubdomain(of: "example.com"), limit: 10) {
    ///     print(login.server, login.account)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - conditions: The conditions that the items must match; without any, all that are not synchronizable match.
    ///   - limit: The maximum number of items.
    /// - Returns: The items; empty if none match.
    /// - Throws: ``KeychainError/locked`` if an item that may match is locked, or another ``KeychainError``.
    public func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try items(type, whereAll: conditions, limit: limit)
    }

    /// Returns the items that match all conditions, oldest first.
    package func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>],
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try readIfAny { (vault, authentication) in
            try search.stored(Item.self, limit: limit, in: &vault, authentication)
        } ?? []
    }

    /// Returns the oldest item that matches all conditions, or nil if none does.
    ///
    /// If several machines added an item with the same primary key, the newest of these counts, as in every lookup.
    ///
    /// - Parameters:
    ///   - type: The type of the item.
    ///   - conditions: The conditions that the item must match.
    /// - Returns: The item.
    /// - Throws: ``KeychainError/locked`` if an older item that may match is locked, or another ``KeychainError``.
    public func item<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try readIfAny { (vault, authentication) in
            try search.stored(Item.self, limit: 1, in: &vault, authentication).first
        } ?? nil
    }

    /// Returns the item with this reference as it is now, or nil if it no longer exists.
    ///
    /// - Parameter reference: The reference to the item.
    /// - Returns: The item.
    /// - Throws: ``KeychainError/locked`` if the item is locked, or another ``KeychainError``.
    public func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { reference.request }
        let search = try typedSearch(reference)
        return try readIfAny { (vault, authentication) in
            try search.stored(Item.self, limit: 1, in: &vault, authentication).first
        } ?? nil
    }

    /// Returns the number of items that match all conditions.
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - conditions: The conditions that the items must match.
    /// - Returns: The number of items.
    /// - Throws: ``KeychainError/locked`` if an item that may match is locked, or another ``KeychainError``.
    public func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try count(type, whereAll: conditions)
    }

    /// Returns the number of items that match all conditions.
    package func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> Int {
        try calls.announce(.count) { [String: ItemValue](announcing: conditions) }
        let search = try groups.search(Query(conditions), for: .find)
        return try readIfAny { (vault, authentication) in
            try search.items(in: &vault, authentication, limit: .max).count
        } ?? 0
    }

    /// Whether several items have the primary key of `item`, since several machines added them.
    package func isShared<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Bool {
        let addition = try groups.addition(item.query(), at: now)
        return try readIfAny { (vault, _) in
            guard let group = vault.keyring.group(named: Array(addition.group.utf8))?.group else { return false }
            return try vault.items(withPrimaryKeyOf: addition.attributes, in: group).count > 1
        } ?? false
    }

    /// A search for items with all their attributes.
    func typedSearch<Item: KeychainItem>(_ conditions: [ItemCondition<Item>]) throws(KeychainError) -> ItemSearch {
        try groups.search(Query(conditions, returning: .attributes), for: .find)
    }

    /// A search for an item with all its attributes.
    func typedSearch<Item: KeychainItem>(_ reference: KeychainReference<Item>) throws(KeychainError) -> ItemSearch {
        try groups.search(reference.query(returning: .attributes), for: .find)
    }
}

extension ItemSearch {
    /// Returns the items as typed values; the search must be one that needs attributes.
    func stored<Item: KeychainItem>(
        _ type: Item.Type,
        limit: Int,
        in vault: inout OpenGeneration,
        _ authentication: Authentication?
    ) throws -> [Stored<Item>] {
        var stored: [Stored<Item>] = []
        for found in try items(in: &vault, authentication, limit: limit) {
            guard let attributes = found.attributes else { continue }
            stored.append(Stored(found.item, attributes, in: vault))
        }
        return stored
    }
}
