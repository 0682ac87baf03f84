internal import VaultFormat
internal import VaultStore

// Finding typed items. Conditions become the queries that requests by Apple's names become, so that both find the same.
extension Keychain {
    /// The items that fulfil all conditions, the oldest first.
    ///
    /// ```swift
    /// for login in try keychain.items(InternetPassword.self, where: .hostOrSubdomain(of: "example.com"), limit: 10) {
    ///     print(login.server, login.account)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What they must be; without any, all that are not synchronizable.
    ///   - limit: How many are wanted at most.
    /// - Returns: The items, none if nothing matches.
    /// - Throws: ``KeychainError/locked`` if one that may match is locked, and others.
    public func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try items(type, whereAll: conditions, limit: limit)
    }

    /// The items that fulfil all conditions, the oldest first.
    package func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>],
        limit: Int = .max
    ) throws(KeychainError) -> [Stored<Item>] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try read { (vault) throws(KeychainError) in try search.stored(Item.self, limit: limit, in: &vault) }
    }

    /// The oldest item that fulfils all conditions, nil if none does.
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What it must be.
    /// - Returns: The item.
    /// - Throws: ``KeychainError/locked`` if one that may match, and is older, is locked, and others.
    public func item<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try read { (vault) throws(KeychainError) in try search.stored(Item.self, limit: 1, in: &vault).first }
    }

    /// The item that a reference names as it is now, nil if it is gone.
    ///
    /// - Parameter reference: What names the item.
    /// - Returns: The item.
    /// - Throws: ``KeychainError/locked`` if it is locked, and others.
    public func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try calls.announce(.find) { reference.request }
        let search = try typedSearch(reference)
        return try read { (vault) throws(KeychainError) in try search.stored(Item.self, limit: 1, in: &vault).first }
    }

    /// How many items fulfil all conditions.
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What they must be.
    /// - Returns: The number.
    /// - Throws: ``KeychainError/locked`` if one that may match is locked, and others.
    public func count<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Int {
        try calls.announce(.count) { [String: ItemValue](announcing: conditions) }
        let search = try groups.search(Query(conditions), for: .find)
        return try read { (vault) throws(KeychainError) in try search.items(in: &vault, limit: .max).count }
    }

    /// Looks for items with all that they say.
    func typedSearch<Item: KeychainItem>(_ conditions: [ItemCondition<Item>]) throws(KeychainError) -> ItemSearch {
        try groups.search(Query(conditions, returning: .attributes), for: .find)
    }

    /// Looks for an item with all that it says.
    func typedSearch<Item: KeychainItem>(_ reference: KeychainReference<Item>) throws(KeychainError) -> ItemSearch {
        try groups.search(reference.query(returning: .attributes), for: .find)
    }
}

extension ItemSearch {
    /// The items as typed values; the search must be one that needs their attributes.
    func stored<Item: KeychainItem>(
        _ type: Item.Type,
        limit: Int,
        in vault: inout OpenGeneration
    ) throws(KeychainError) -> [Stored<Item>] {
        var stored: [Stored<Item>] = []
        for found in try items(in: &vault, limit: limit) {
            guard let attributes = found.attributes else { continue }
            stored.append(Stored(found.item, attributes, in: vault))
        }
        return stored
    }
}
