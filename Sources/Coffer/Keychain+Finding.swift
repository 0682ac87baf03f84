internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        let query = try query(request)
        let found = try read { (vault) throws(KeychainError) in try query.found(in: &vault) }
        return try query.answer(found)
    }

    /// What a request asks for, and where to look for it.
    struct Query {
        let parsed: ParsedRequest
        let search: ItemSearch
    }

    func query(_ request: ItemRequest) throws(KeychainError) -> Query {
        try request.checkForm(for: .find)
        try groups.checkAny(for: .find)
        let parsed = try ParsedRequest(request, for: .find)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.checkReferenceStandsAlone()
        return Query(parsed: parsed, search: try search(parsed, for: .find))
    }

    /// What a request looks for.
    func search(_ parsed: ParsedRequest, for operation: Operation) throws(KeychainError) -> ItemSearch {
        // They are pairs of items, which nobody joins yet.
        guard parsed.itemClass != .identity else { throw .unsupportedCondition("class") }
        let names = try groups.named(parsed.group, for: operation).map { [$0] }
        // Who may name any group may name the items of any.
        let isAboutAllGroups = groups.areAll || groups.level == .open && parsed.persistentReference != nil
        let isAboutAttributes = !parsed.returns.isDisjoint(with: [.attributes, .reference])
        return ItemSearch(
            filter: try ItemFilter(parsed, parsed.itemClass.stored[0]),
            groups: names ?? (isAboutAllGroups ? nil : groups.names),
            needsAttributes: isAboutAttributes || parsed.returns.isSuperset(of: [.data, .persistentReference])
                || operation == .update,
            isForDeletion: operation == .delete
        )
    }

    fileprivate static func description(
        _ found: ItemSearch.Found,
        _ returns: ParsedRequest.Returns,
        _ vault: inout OpenGeneration
    ) throws(KeychainError) -> ItemDescription {
        let item = found.item
        let isAboutData = !returns.isDisjoint(with: [.data, .reference])
        let (data, attributes) = try translating(KeychainError.init) { () throws(StoreError) in
            let secret = isAboutData ? try vault.secret(of: item) : nil
            return (secret.bytes, found.attributes)
        }
        let known = if let attributes { attributes } else { try ItemAttributes(item.itemClass, [:]) }
        return ItemDescription(
            itemClass: KeychainClass(item.itemClass),
            group: String(decoding: vault.groupNames[item.name.group] ?? [], as: UTF8.self),
            accessibility: Accessibility(item.protection),
            attributes: known,
            sha1: item.revision.sha1(vault: vault.vault, suite: vault.environment.suite),
            item: item.name.item,
            data: data
        )
    }
}

extension Keychain.Query {
    /// The items that match, as far as the request asks about them.
    func found(in vault: inout OpenGeneration) throws(KeychainError) -> [ItemDescription?] {
        var found: [ItemDescription?] = []
        for match in try search.items(in: &vault, limit: parsed.limit.count) {
            let isAsked = !parsed.returns.isEmpty
            found.append(isAsked ? try Keychain.description(match, parsed.returns, &vault) : nil)
        }
        return found
    }

    /// What was found, in the shape that the request asks for.
    func answer(_ found: [ItemDescription?]) throws(KeychainError) -> ItemAnswer {
        guard !found.isEmpty else { throw .itemNotFound }
        let returns = parsed.returns
        let answers = found.compactMap { $0?.answer(returns, values: $0?.values ?? [:]) }
        guard parsed.limit != .one else { return returns.isEmpty ? .none : answers.first ?? .nothing }
        return .list(answers)
    }
}

extension ParsedRequest {
    /// A reference names one item; who adds attributes may mean another.
    func checkReferenceStandsAlone() throws(KeychainError) {
        guard persistentReference != nil else { return }
        let saysSynchronizable = if case .value = synchronizability { true } else { false }
        guard attributes.isEmpty, computed.isEmpty, group == nil, accessibility == nil, !saysSynchronizable else {
            throw .invalid(.referenceWithAttributes)
        }
    }
}

extension ParsedRequest.Limit {
    /// How many items are wanted at most.
    var count: Int {
        switch self {
        case .one: 1
        case .count(let count): count
        case .all: .max
        }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// The data, as who asked for them gets them.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .some(let secret): secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        case .none: nil
        }
    }
}
