/// What an update is about, and what it changes.
package struct ItemUpdate: Sendable {
    enum Target: Sendable {
        case items(ItemSearch, ItemChanges)
        case identities(IdentitySearch, certificates: ItemChanges, keys: ItemChanges)
    }

    let target: Target
}

/// What a deletion is about.
package struct ItemDeletion: Sendable {
    let target: ItemQuery.Target
}

// What a change means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    /// The changes, by the names of attributes and `v_Data`, to all items that a query is about.
    package func update(of query: Query, to changes: [String: ItemValue]) throws(KeychainError) -> ItemUpdate {
        guard query.itemClass != .identity else { return try identityUpdate(query, to: changes) }
        let changes = try ItemChanges(changes, of: query.itemClass)
        _ = try named(changes.group, for: .update)
        return ItemUpdate(target: .items(try search(query, for: .update), changes))
    }

    /// The same changes for the certificates and the keys of identities.
    private func identityUpdate(_ query: Query, to changes: [String: ItemValue]) throws(KeychainError) -> ItemUpdate {
        // The same data for both would be the end of the key.
        if changes[Query.dataKey] != nil { throw .invalid(.keyNotAllowedHere(Query.dataKey)) }
        let certificates = try ItemChanges(changes, of: .certificate)
        let keys = try ItemChanges(changes, of: .key)
        _ = try named(keys.group, for: .update)
        let search = try identitySearch(query, for: .update)
        return ItemUpdate(target: .identities(search, certificates: certificates, keys: keys))
    }

    /// The deletion of all items that a query is about.
    package func deletion(_ query: Query) throws(KeychainError) -> ItemDeletion {
        ItemDeletion(target: try target(query, for: .delete))
    }
}
