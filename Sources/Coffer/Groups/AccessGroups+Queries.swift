/// What a request asks for, and where to look for it.
struct ItemQuery: Sendable {
    /// Where to look.
    enum Target: Sendable {
        case items(ItemSearch)
        case identities(IdentitySearch)
    }

    let parsed: ParsedRequest
    let target: Target
}

// What a request means to a program with these groups, as far as it can be said without the vault.
extension AccessGroups {
    func query(_ request: ItemRequest) throws(KeychainError) -> ItemQuery {
        try request.checkForm(for: .find)
        try checkAny(for: .find)
        let parsed = try ParsedRequest(request, for: .find)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.checkReferenceStandsAlone()
        guard parsed.itemClass == .identity else {
            return ItemQuery(parsed: parsed, target: .items(try search(parsed, for: .find)))
        }
        return ItemQuery(parsed: parsed, target: .identities(try identitySearch(parsed, for: .find)))
    }

    /// Looks for items, not for what is made of several.
    func itemSearch(_ request: ItemRequest) throws(KeychainError) -> ItemSearch {
        guard case .items(let search) = try query(request).target else { throw .unsupportedCondition("class") }
        return search
    }

    /// What a request looks for.
    func search(_ parsed: ParsedRequest, for operation: Operation) throws(KeychainError) -> ItemSearch {
        let named = try named(parsed.group, for: operation).map { [$0] }
        // Who may name any group may name the items of any.
        let isAboutAllGroups = areAll || level == .open && parsed.persistentReference != nil
        let isAboutAttributes = !parsed.returns.isDisjoint(with: [.attributes, .reference])
        return ItemSearch(
            filter: try ItemFilter(parsed, parsed.itemClass.stored[0]),
            groups: named ?? (isAboutAllGroups ? nil : names),
            needsAttributes: isAboutAttributes || parsed.returns.isSuperset(of: [.data, .persistentReference])
                || operation == .update,
            isForDeletion: operation == .delete
        )
    }

    /// What a request for identities looks for.
    ///
    /// A group that it names is that of the key; the certificate may be in any that the program has.
    func identitySearch(
        _ parsed: ParsedRequest,
        for operation: Operation
    ) throws(KeychainError) -> IdentitySearch {
        let named = try named(parsed.group, for: operation)
        let own = areAll ? nil : names
        return try IdentitySearch(
            parsed,
            groups: (certificates: own.map { $0 + [named].compactMap(\.self) }, keys: named.map { [$0] } ?? own)
        )
    }
}

extension ParsedRequest {
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
