internal import VaultFormat

/// The items that an update applies to, and their changes.
package struct ItemUpdate: Sendable {
    indirect enum Target: Sendable {
        case items(ItemSearch, ItemChanges)
        case identities(IdentitySearch, certificates: ItemChanges, keys: ItemChanges)
    }

    let target: Target
}

// Changes by a program with these groups, as far as they are known without the vault.
extension AccessGroups {
    /// Returns the update of all items that match a query; the changes are named by attribute, or `v_Data`.
    package func update(of query: Query, to changes: [String: ItemValue]) throws(KeychainError) -> ItemUpdate {
        guard query.itemClass != .identity else { return try identityUpdate(query, to: changes) }
        let changes = try ItemChanges(changes, of: query.itemClass)
        _ = try named(changes.group, for: .update)
        return ItemUpdate(target: .items(try search(query, for: .update), changes))
    }

    /// Returns an update with the same changes to the certificates and the keys of identities.
    private func identityUpdate(_ query: Query, to changes: [String: ItemValue]) throws(KeychainError) -> ItemUpdate {
        // Setting the same data for both would destroy the key.
        if changes[Query.dataKey] != nil { throw .invalid(.keyNotAllowedHere(Query.dataKey)) }
        let certificates = try ItemChanges(changes, of: .certificate)
        let keys = try ItemChanges(changes, of: .key)
        _ = try named(keys.group, for: .update)
        let search = try identitySearch(query, for: .update)
        return ItemUpdate(target: .identities(search, certificates: certificates, keys: keys))
    }
}

// Additions by a program with these groups, as far as they are known without the vault.
extension AccessGroups {
    /// Returns the item that a query adds at `now`, in seconds since the start of 2001.
    ///
    /// An item that comes from elsewhere may be older: `created`.
    package func addition(
        _ query: Query,
        at now: Double,
        created: Double? = nil
    ) throws(KeychainError) -> Addition {
        try checkAny(for: .add)
        if query.foreign[.accessibility] != nil { throw .invalid(.value(of: .accessibility)) }
        let named = try named(query.group, for: .add)
        let group = if let named { named } else { try defaultName(for: .add) }
        let accessibility =
            query.accessibility ?? query.accessControl?.accessibility
            ?? Self.defaultAccessibility(query.itemClass, group)
        return Addition(
            query: query,
            attributes: try newAttributes(query, created: created ?? now, modified: now),
            group: group,
            accessibility: accessibility
        )
    }

    private static func defaultAccessibility(_ itemClass: KeychainClass, _ group: String) -> Accessibility {
        if group.isSameText("com.apple.apsd") { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }

    private func newAttributes(
        _ query: Query,
        created: Double,
        modified: Double
    ) throws(KeychainError) -> ItemAttributes {
        var values = query.attributes
        if case .value(let value) = query.synchronizability { values[.synchronizable] = value }
        values[.creationDate] = .date(secondsSinceReferenceDate: created)
        values[.modificationDate] = .date(secondsSinceReferenceDate: modified)
        if let accessControl = query.accessControl, accessControl.conditions != nil {
            values[.accessControl] = .accessControl(try accessControl.bound(for: query.itemClass.stored[0]))
        }
        return try ItemAttributes(query.itemClass.stored[0], values)
    }
}
