package import CofferBasics
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
        try read(.find, ItemTarget(conditions)) { try $0.stored(limit: limit, in: &$1, $2) } ?? []
    }

    /// Returns the oldest item that matches all conditions, or nil if none does.
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
        try read(.find, ItemTarget(conditions)) { try $0.first(in: &$1, $2) } ?? nil
    }

    /// Returns the item with this reference as it is now, or nil if it no longer exists.
    ///
    /// - Parameter reference: The reference to the item.
    /// - Returns: The item.
    /// - Throws: ``KeychainError/locked`` if the item is locked, or another ``KeychainError``.
    public func item<Item: KeychainItem>(
        _ reference: KeychainReference<Item>
    ) throws(KeychainError) -> Stored<Item>? {
        try read(.find, ItemTarget(reference)) { try $0.first(in: &$1, $2) } ?? nil
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
        try read(.count, ItemTarget(conditions), returning: []) { try $0.items(in: &$1, $2, limit: .max).count } ?? 0
    }

    /// Returns the items that match all conditions, oldest first, and if it is only one, its secret, in one lookup.
    package func itemsAndSecret<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        limit: Int = .max
    ) throws(KeychainError) -> (items: [Stored<Item>], secret: HeldSecret?) {
        try read(.readSecret, ItemTarget(conditions), returning: [.attributes, .data]) {
            search,
            vault,
            authentication in
            let found = try search.items(in: &vault, authentication, limit: limit)
            let secret = found.count == 1 ? try authentication.secret(of: found[0].item, in: &vault) : nil
            return (found.stored(in: vault), secret.lent { HeldSecret(copying: $0) })
        } ?? ([], nil)
    }
}

extension ItemSearch {
    /// Returns the items as typed values; the search must be one that needs attributes.
    func stored<Item: KeychainItem>(
        limit: Int,
        in vault: inout OpenGeneration,
        _ authentication: Authentication?
    ) throws -> [Stored<Item>] {
        try items(in: &vault, authentication, limit: limit).stored(in: vault)
    }

    /// Returns the first item as a typed value; the search must be one that needs attributes.
    func first<Item: KeychainItem>(
        in vault: inout OpenGeneration,
        _ authentication: Authentication?
    ) throws -> Stored<Item>? {
        let stored: [Stored<Item>] = try stored(limit: 1, in: &vault, authentication)
        return stored.first
    }
}

extension [ItemSearch.Found] {
    /// The items as typed values, if their attributes were needed.
    fileprivate func stored<Item: KeychainItem>(in vault: borrowing OpenGeneration) -> [Stored<Item>] {
        var stored: [Stored<Item>] = []
        for found in self {
            guard let attributes = found.attributes else { continue }
            stored.append(Stored(found.item, attributes, in: vault))
        }
        return stored
    }
}
