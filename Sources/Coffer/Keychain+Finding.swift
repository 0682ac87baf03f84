internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        let query = try query(request)
        let found = try read { (vault) throws(KeychainError) in try query.found(in: &vault) }
        return query.answer(found)
    }

    /// What a request asks for, and where to look for it.
    struct Query: Sendable {
        let parsed: ParsedRequest
        let target: Target
    }

    /// Where to look.
    enum Target: Sendable {
        case items(ItemSearch)
        case identities(IdentitySearch)
    }

    func query(_ request: ItemRequest) throws(KeychainError) -> Query {
        try request.checkForm(for: .find)
        try groups.checkAny(for: .find)
        let parsed = try ParsedRequest(request, for: .find)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.checkReferenceStandsAlone()
        guard parsed.itemClass == .identity else {
            return Query(parsed: parsed, target: .items(try search(parsed, for: .find)))
        }
        return Query(parsed: parsed, target: .identities(try identitySearch(parsed, for: .find)))
    }

    /// Looks for items, not for what is made of several.
    func itemSearch(_ request: ItemRequest) throws(KeychainError) -> ItemSearch {
        guard case .items(let search) = try query(request).target else { throw .unsupportedCondition("class") }
        return search
    }

    /// What a request looks for.
    func search(_ parsed: ParsedRequest, for operation: Operation) throws(KeychainError) -> ItemSearch {
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
}

extension ItemDescription {
    /// What a vault has of an item that was found, with its data if they are wanted.
    init(
        _ found: ItemSearch.Found,
        readingData: Bool,
        in vault: inout OpenGeneration
    ) throws(StoreError) {
        let item = found.item
        let secret = readingData ? try vault.secret(of: item) : nil
        let attributes = if let known = found.attributes { known } else { try Self.unknown(item.itemClass) }
        self.init(
            itemClass: KeychainClass(item.itemClass),
            group: String(decoding: vault.groupNames[item.name.group] ?? [], as: UTF8.self),
            accessibility: Accessibility(item.protection),
            attributes: attributes,
            sha1: item.revision.sha1(vault: vault.vault, suite: vault.environment.suite),
            item: item.name.item,
            data: secret.bytes
        )
    }

    /// The attributes of an item about which nobody asked.
    private static func unknown(_ itemClass: ItemClass) throws(StoreError) -> ItemAttributes {
        let nothing: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
        return try translating(StoreError.refused) { () throws(Fault) in try ItemAttributes(itemClass, nothing) }
    }
}

extension Keychain.Query {
    /// What was found, of which the answers are built outside of the vault's lock.
    enum Found: Sendable {
        case items([ItemDescription?])
        case identities([IdentityDescription?])
    }

    /// What matches, as far as the request asks about it.
    func found(in vault: inout OpenGeneration) throws(KeychainError) -> Found {
        switch target {
        case .identities(let search): return .identities(try Keychain.identities(parsed, search, in: &vault))
        case .items(let search):
            let returns = parsed.returns
            let found = try search.items(in: &vault, limit: parsed.limit.count) {
                (match, vault) throws(StoreError) -> ItemDescription? in
                guard !returns.isEmpty else { return nil }
                let isAboutData = !returns.isDisjoint(with: [.data, .reference])
                return try ItemDescription(match, readingData: isAboutData, in: &vault)
            }
            return .items(try found.elements())
        }
    }

    /// What was found, in the shape that the request asks for.
    func answer(_ found: Found) -> ItemAnswer {
        let returns = parsed.returns
        let answers: [ItemAnswer] =
            switch found {
            case .items(let items): items.compactMap { item in item.flatMap { $0.answer(returns, values: $0.values) } }
            case .identities(let pairs):
                pairs.compactMap { pair in pair.flatMap { $0.answer(returns, values: $0.values) } }
            }
        guard parsed.limit != .one else { return returns.isEmpty ? .none : answers.first ?? .nothing }
        return .list(answers)
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
