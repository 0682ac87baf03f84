internal import Coffer

// What a request means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    /// What a request adds, in seconds since 2001 began.
    func addition(_ request: ItemRequest, at now: Double) throws(KeychainError) -> Addition {
        try request.checkForm(for: .add)
        try checkAny(for: .add)
        let parsed = try ParsedRequest(request)
        try parsed.checkHasNoConditions()
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // Identities come as references, which are taken apart before.
        if parsed.query.itemClass == .identity { throw .invalid(.value(of: "class")) }
        return try addition(parsed.query, at: now)
    }

    /// What a request looks for.
    func query(_ request: ItemRequest) throws(KeychainError) -> ItemQuery {
        try request.checkForm(for: .find)
        try checkAny(for: .find)
        var parsed = try ParsedRequest(request)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.query.checkReferenceStandsAlone()
        _ = try named(parsed.query.group, for: .find)
        try parsed.readConditions()
        return try query(parsed.query)
    }

    /// What a request changes.
    func update(of query: ItemRequest, to changes: ItemRequest) throws(KeychainError) -> ItemUpdate {
        try query.checkForm(for: .update)
        try Query.checkObjects { changes.values[$0] }
        let parsed = try parsedChange(query, for: .update)
        if !parsed.query.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // What cannot be said of an identity is told before what no key may be.
        if parsed.query.itemClass == .identity, changes[Query.dataKey] != nil {
            throw .invalid(.keyNotAllowedHere(Query.dataKey))
        }
        guard !changes.hasOtherKey, !changes.hasNumberKey else { throw .invalid(.keyOfAnotherKind) }
        return try update(of: parsed.query, to: changes.values)
    }

    /// What a request deletes.
    func deletion(_ query: ItemRequest) throws(KeychainError) -> ItemDeletion {
        try query.checkForm(for: .delete)
        return try deletion(parsedChange(query, for: .delete).query)
    }

    private func parsedChange(
        _ query: ItemRequest,
        for operation: ItemOperation
    ) throws(KeychainError) -> ParsedRequest {
        try checkAny(for: operation)
        _ = try named(query.values[.accessGroup], for: operation)
        let parsed = try ParsedRequest(query)
        try parsed.checkHasNoConditions()
        return parsed
    }
}
