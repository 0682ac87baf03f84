// Queries by a program with these groups, as far as they are known without the vault.
extension AccessGroups {
    /// Returns the query together with its search.
    package func query(_ query: Query, for operation: ItemOperation = .find) throws(KeychainError) -> ItemQuery {
        let isAboutIdentities = query.itemClass == .identity
        return ItemQuery(
            query: query,
            target: isAboutIdentities
                ? .identities(try identitySearch(query, for: operation)) : .items(try search(query, for: operation))
        )
    }

    /// Returns the search of a query for items, which must not be one for identities.
    func search(_ query: Query, for operation: ItemOperation) throws(KeychainError) -> ItemSearch {
        try checkAny(for: operation)
        let scope = scope(of: query, named: try named(query.group, for: operation))
        // The attributes of a key say whether its data may be read.
        let isAboutAttributes =
            !query.returns.isDisjoint(with: [.attributes, .reference])
            || query.itemClass == .key && query.returns.contains(.data)
        return ItemSearch(
            filter: try ItemFilter(query, query.itemClass.stored[0]),
            scope: scope,
            needsAttributes: isAboutAttributes || query.returns.isSuperset(of: [.data, .persistentReference])
                || operation == .update,
            isForDeletion: operation == .delete
        )
    }

    /// Returns the search of a query for identities.
    ///
    /// A group that the query names is that of the key; the certificate may be in any group of the program.
    func identitySearch(
        _ query: Query,
        for operation: ItemOperation
    ) throws(KeychainError) -> IdentitySearch {
        try checkAny(for: operation)
        let named = try named(query.group, for: operation)
        let keys = scope(of: query, named: named)
        guard let named else { return try IdentitySearch(query, scopes: (certificates: keys, keys: keys)) }
        let own = scope(of: query)
        let certificates = SearchScope(
            names: own.names.map { $0 + [named] },
            preferred: [named] + own.preferred,
            answer: own.answer == .first ? .all : own.answer
        )
        return try IdentitySearch(query, scopes: (certificates: certificates, keys: keys))
    }
}

extension Query {
    /// Throws if a persistent reference is combined with attributes, which may be those of another item.
    package func checkReferenceStandsAlone() throws(KeychainError) {
        guard persistentReference != nil else { return }
        let saysSynchronizable = if case .value = synchronizability { true } else { false }
        guard attributes.entries.isEmpty, computed.entries.isEmpty, foreign.entries.isEmpty, group == nil,
            accessibility == nil, !saysSynchronizable
        else {
            throw .invalid(.referenceWithAttributes)
        }
    }
}
