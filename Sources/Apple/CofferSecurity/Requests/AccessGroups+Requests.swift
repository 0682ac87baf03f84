internal import Coffer

// The meaning of a request to a program with these groups, as far as it is known without the vault. Requests keep
// Apple's meaning: without a group they are about each of the declared groups, the first of which comes first.
extension AccessGroups {
    /// The addition that a request asks for; `now` is in seconds since the start of 2001.
    func addition(_ request: ItemRequest, at now: Double) throws(KeychainError) -> Addition {
        try request.checkForm(for: .add)
        try checkAny(for: .add)
        let parsed = try ParsedRequest(request)
        try parsed.checkHasNoConditions()
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // Identities arrive as references, which are split into certificate and key before this.
        if parsed.query.itemClass == .identity { throw .invalid(.value(of: "class")) }
        return try addition(parsed.query, at: now)
    }

    /// The search that a request asks for.
    func query(_ request: ItemRequest) throws(KeychainError) -> ItemQuery {
        try request.checkForm(for: .find)
        try checkAny(for: .find)
        var parsed = try ParsedRequest(request)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.query.checkReferenceStandsAlone()
        _ = try named(parsed.query.group, for: .find)
        try parsed.readConditions()
        return try showingEach.query(parsed.query)
    }

    /// The update that a request asks for.
    func update(of query: ItemRequest, to changes: ItemRequest) throws(KeychainError) -> ItemUpdate {
        try query.checkForm(for: .update)
        try Query.checkObjects { changes.values[$0] }
        let parsed = try parsedChange(query, for: .update)
        if !parsed.query.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // Keys that an update of an identity cannot have are reported before keys of a wrong type.
        if parsed.query.itemClass == .identity, changes[Query.dataKey] != nil {
            throw .invalid(.keyNotAllowedHere(Query.dataKey))
        }
        guard !changes.hasOtherKey, !changes.hasNumberKey else { throw .invalid(.keyNotText) }
        var changes = changes
        // Code for macOS repeats the class, which its file keychain ignores.
        if let name = query["class"], changes["class"] == name { changes["class"] = nil }
        return try showingEach.update(of: parsed.query, to: changes.values)
    }

    /// The deletion that a request asks for.
    func deletion(_ query: ItemRequest) throws(KeychainError) -> ItemQuery {
        try query.checkForm(for: .delete)
        var query = query
        // On macOS this deletes more than one item; here each deletion does.
        if query["m_Limit"] == .string("m_LimitAll") { query["m_Limit"] = nil }
        return try showingEach.query(parsedChange(query, for: .delete).query, for: .delete)
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
