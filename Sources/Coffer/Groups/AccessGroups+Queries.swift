/// What a request asks for, and where to look for it.
struct ItemQuery: Sendable {
    /// Where to look.
    enum Target: Sendable {
        case items(ItemSearch)
        case identities(IdentitySearch)
    }

    let query: Query
    let target: Target
}

// What a request means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    func query(_ request: ItemRequest) throws(KeychainError) -> ItemQuery {
        try request.checkForm(for: .find)
        try checkAny(for: .find)
        var parsed = try ParsedRequest(request)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.query.checkReferenceStandsAlone()
        _ = try named(parsed.query.group, for: .find)
        try parsed.readConditions()
        let query = parsed.query
        guard query.itemClass == .identity else {
            return ItemQuery(query: query, target: .items(try search(query, for: .find)))
        }
        return ItemQuery(query: query, target: .identities(try identitySearch(query, for: .find)))
    }

    /// What a query for items looks for, not one for what is made of several.
    func search(_ query: Query, for operation: Operation) throws(KeychainError) -> ItemSearch {
        try checkAny(for: operation)
        let named = try named(query.group, for: operation).map { [$0] }
        // Who may name any group may name the items of any.
        let isAboutAllGroups = areAll || level == .open && query.persistentReference != nil
        let isAboutAttributes = !query.returns.isDisjoint(with: [.attributes, .reference])
        return ItemSearch(
            filter: try ItemFilter(query, query.itemClass.stored[0]),
            groups: named ?? (isAboutAllGroups ? nil : names),
            needsAttributes: isAboutAttributes || query.returns.isSuperset(of: [.data, .persistentReference])
                || operation == .update,
            isForDeletion: operation == .delete
        )
    }

    /// What a query for identities looks for.
    ///
    /// A group that it names is that of the key; the certificate may be in any that the program has.
    func identitySearch(
        _ query: Query,
        for operation: Operation
    ) throws(KeychainError) -> IdentitySearch {
        try checkAny(for: operation)
        let named = try named(query.group, for: operation)
        let own = areAll ? nil : names
        return try IdentitySearch(
            query,
            groups: (certificates: own.map { $0 + [named].compactMap(\.self) }, keys: named.map { [$0] } ?? own)
        )
    }
}

extension Query {
    /// A reference names one item; who adds attributes may mean another.
    func checkReferenceStandsAlone() throws(KeychainError) {
        guard persistentReference != nil else { return }
        let saysSynchronizable = if case .value = synchronizability { true } else { false }
        guard attributes.isEmpty, computed.isEmpty, foreign.isEmpty, group == nil, accessibility == nil,
            !saysSynchronizable
        else {
            throw .invalid(.referenceWithAttributes)
        }
    }
}
