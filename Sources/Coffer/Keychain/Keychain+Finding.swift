internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// What a query asks for.
    package func find(_ query: ItemQuery) throws(KeychainError) -> ItemAnswer {
        query.answer(try read { (vault) throws(KeychainError) in try query.found(in: &vault) })
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
        // Where nobody has asked about attributes, nobody asks about what stands beside them.
        let isDescribed = found.attributes != nil
        let group = isDescribed ? vault.opening.keyring.groupNames[item.group] : nil
        self.init(
            itemClass: KeychainClass(item.itemClass),
            group: String(decoding: group ?? [], as: UTF8.self),
            accessibility: Accessibility(item.protection),
            attributes: attributes,
            sha1: isDescribed ? item.revision.sha1(vault: vault.vault) : [],
            item: item.name.item,
            readData: secret.readData
        )
    }

    /// The attributes of an item about which nobody asked.
    private static func unknown(_ itemClass: ItemClass) throws(StoreError) -> ItemAttributes {
        let nothing: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
        return try translating(StoreError.refused, ItemAttributes(itemClass, nothing))
    }
}

extension ItemQuery {
    /// What was found, of which the answers are built outside of the vault's lock.
    enum Found: Sendable {
        case items([ItemDescription?])
        case identities([IdentityDescription?])
    }

    /// What matches, as far as the request asks about it.
    func found(in vault: inout OpenGeneration) throws(KeychainError) -> Found {
        switch target {
        case .identities(let search): return .identities(try Keychain.identities(query, search, in: &vault))
        case .items(let search):
            let returns = query.returns
            let found = try search.items(in: &vault, limit: query.limit.count) {
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
        let returns = query.returns
        let answers: [ItemAnswer] =
            switch found {
            case .items(let items): items.compactMap { item in item.flatMap { $0.answer(returns, values: $0.values) } }
            case .identities(let pairs):
                pairs.compactMap { pair in pair.flatMap { $0.answer(returns, values: $0.values) } }
            }
        guard query.limit != .one else { return returns.isEmpty ? .none : answers.first ?? .nothing }
        return .list(answers)
    }
}

extension Query.Limit {
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
    /// The data, as they are kept until the answer is made.
    fileprivate var readData: ReadData? {
        switch self {
        case .some(let secret): secret.withBytes { ReadData($0) }
        case .none: nil
        }
    }
}
