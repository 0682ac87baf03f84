/// What a caller asks for, and where to look for it.
package struct ItemQuery: Sendable {
    /// Where to look.
    enum Target: Sendable {
        case items(ItemSearch)
        case identities(IdentitySearch)
    }

    let query: Query
    let target: Target
}

// What a query means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    /// What a query looks for.
    package func query(_ query: Query) throws(KeychainError) -> ItemQuery {
        ItemQuery(query: query, target: try target(query, for: .find))
    }

    /// Where to look for what a query is about.
    func target(_ query: Query, for operation: ItemOperation) throws(KeychainError) -> ItemQuery.Target {
        query.itemClass == .identity
            ? .identities(try identitySearch(query, for: operation)) : .items(try search(query, for: operation))
    }

    /// What a query for items looks for, not one for what is made of several.
    func search(_ query: Query, for operation: ItemOperation) throws(KeychainError) -> ItemSearch {
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
        for operation: ItemOperation
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
    package func checkReferenceStandsAlone() throws(KeychainError) {
        guard persistentReference != nil else { return }
        let saysSynchronizable = if case .value = synchronizability { true } else { false }
        guard attributes.isEmpty, computed.isEmpty, foreign.isEmpty, group == nil, accessibility == nil,
            !saysSynchronizable
        else {
            throw .invalid(.referenceWithAttributes)
        }
    }
}
