/// What an update is about, and what it changes.
enum ItemUpdate: Sendable {
    case items(ItemSearch, ItemChanges)
    case identities(IdentitySearch, certificates: ItemChanges, keys: ItemChanges)
}

/// What a deletion is about.
enum ItemDeletion: Sendable {
    case items(ItemSearch)
    case identities(IdentitySearch)
}

// What a change means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    func update(of query: ItemRequest, to changes: ItemRequest) throws(KeychainError) -> ItemUpdate {
        try query.checkForm(for: .update)
        try Query.checkObjects { changes.values[$0] }
        let parsed = try parsedChange(query, for: .update)
        if !parsed.query.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        let query = parsed.query
        guard query.itemClass != .identity else { return try identityUpdate(query, to: changes) }
        let changes = try ItemChanges(changes, of: query.itemClass)
        _ = try named(changes.group, for: .update)
        return .items(try search(query, for: .update), changes)
    }

    /// The same changes for the certificates and the keys of identities.
    private func identityUpdate(_ query: Query, to changes: ItemRequest) throws(KeychainError) -> ItemUpdate {
        // The same data for both would be the end of the key.
        if changes["v_Data"] != nil { throw .invalid(.keyNotAllowedHere("v_Data")) }
        let certificates = try ItemChanges(changes, of: .certificate)
        let keys = try ItemChanges(changes, of: .key)
        _ = try named(keys.group, for: .update)
        return .identities(try identitySearch(query, for: .update), certificates: certificates, keys: keys)
    }

    func deletion(_ query: ItemRequest) throws(KeychainError) -> ItemDeletion {
        try query.checkForm(for: .delete)
        let query = try parsedChange(query, for: .delete).query
        guard query.itemClass != .identity else { return .identities(try identitySearch(query, for: .delete)) }
        return .items(try search(query, for: .delete))
    }

    private func parsedChange(
        _ query: ItemRequest,
        for operation: Operation
    ) throws(KeychainError) -> ParsedRequest {
        try checkAny(for: operation)
        _ = try named(query.values[.accessGroup], for: operation)
        let parsed = try ParsedRequest(query)
        try Self.checkConditions(parsed)
        return parsed
    }

    /// What changes or deletes takes all that match, and no conditions but attributes.
    private static func checkConditions(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }
}
