/// What an update is about, and what it changes.
enum ItemUpdate: Sendable {
    case items(ItemSearch, ParsedChanges)
    case identities(IdentitySearch, certificates: ParsedChanges, keys: ParsedChanges)
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
        try changes.checkObjects()
        let parsed = try parsedChange(query, for: .update)
        if !parsed.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        guard parsed.itemClass != .identity else { return try identityUpdate(parsed, to: changes) }
        let changes = try ParsedChanges(changes, of: parsed.itemClass)
        _ = try named(changes.group, for: .update)
        return .items(try search(parsed, for: .update), changes)
    }

    /// The same changes for the certificates and the keys of identities.
    private func identityUpdate(_ parsed: ParsedRequest, to changes: ItemRequest) throws(KeychainError) -> ItemUpdate {
        // The same data for both would be the end of the key.
        if changes["v_Data"] != nil { throw .invalid(.keyNotAllowedHere("v_Data")) }
        let certificates = try ParsedChanges(changes, of: .certificate)
        let keys = try ParsedChanges(changes, of: .key)
        _ = try named(keys.group, for: .update)
        return .identities(try identitySearch(parsed, for: .update), certificates: certificates, keys: keys)
    }

    func deletion(_ query: ItemRequest) throws(KeychainError) -> ItemDeletion {
        try query.checkForm(for: .delete)
        let parsed = try parsedChange(query, for: .delete)
        guard parsed.itemClass != .identity else { return .identities(try identitySearch(parsed, for: .delete)) }
        return .items(try search(parsed, for: .delete))
    }

    /// Looks for what a typed change is about.
    func changeSearch(_ query: ItemRequest, for operation: Operation) throws(KeychainError) -> ItemSearch {
        try query.checkForm(for: operation)
        return try search(parsedChange(query, for: operation), for: operation)
    }

    private func parsedChange(
        _ query: ItemRequest,
        for operation: Operation
    ) throws(KeychainError) -> ParsedRequest {
        try checkAny(for: operation)
        _ = try named(query["agrp"], for: operation)
        let parsed = try ParsedRequest(query, for: operation)
        try Self.checkConditions(parsed)
        return parsed
    }

    /// What changes or deletes takes all that match, and no conditions but attributes.
    private static func checkConditions(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }
}
