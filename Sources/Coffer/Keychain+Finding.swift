internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try request.checkForm(for: .find)
        try groups.checkAny(for: .find)
        let parsed = try ParsedRequest(request, for: .find)
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        try parsed.checkReferenceStandsAlone()
        let answers = try parsed.itemClass == .identity ? identityAnswers(parsed) : itemAnswers(parsed)
        let wanted = answers.compactMap(\.self)
        guard parsed.limit != .one else { return parsed.returns.isEmpty ? .none : wanted.first ?? .nothing }
        return .list(wanted)
    }

    /// The answers about the items that a request is about, with nil for each that has not the one thing that is wanted.
    private func itemAnswers(_ parsed: ParsedRequest) throws(KeychainError) -> [ItemAnswer?] {
        let search = try search(parsed, for: .find)
        let (returns, limit) = (parsed.returns, parsed.limit.count)
        let found = try read { (vault) throws(KeychainError) in
            try search.items(in: &vault, limit: limit) { (match, vault) throws(StoreError) -> ItemDescription? in
                guard !returns.isEmpty else { return nil }
                let isAboutData = !returns.isDisjoint(with: [.data, .reference])
                return try ItemDescription(match, readingData: isAboutData, in: &vault)
            }.elements()
        }
        return found.map { item in item.flatMap { $0.answer(returns, values: $0.values) } }
    }

    /// What a request looks for.
    func search(_ parsed: ParsedRequest, for operation: Operation) throws(KeychainError) -> ItemSearch {
        let names = try groups.named(parsed.group, for: operation).map { [$0] }
        let isAboutAttributes = !parsed.returns.isDisjoint(with: [.attributes, .reference])
        return ItemSearch(
            filter: try ItemFilter(parsed, parsed.itemClass.stored[0]),
            groups: names ?? (groups.areAll ? nil : groups.names),
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
