internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Returns what a query asks for.
    package func find(_ query: ItemQuery) throws(KeychainError) -> ItemAnswer {
        query.answer(try read { (vault, authentication) in try query.found(in: &vault, authentication) })
    }
}

extension ItemDescription {
    /// Creates the description of an item that was found, with its data if requested.
    init(
        _ found: ItemSearch.Found,
        readingData: Bool,
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws {
        let item = found.item
        let secret = readingData ? try authentication.secret(of: item, in: &vault) : nil
        // A request that does not need the attributes does not need the group and the digest either.
        let isDescribed = found.attributes != nil
        let group = isDescribed ? vault.opening.keyring.groupNames[item.group] : nil
        self.init(
            itemClass: KeychainClass(item.itemClass),
            group: String(decoding: group ?? [], as: UTF8.self),
            accessibility: Accessibility(item.protection),
            attributes: found.attributes,
            sha1: isDescribed ? item.revision.sha1(vault: vault.vault) : [],
            item: item.name.item,
            readData: secret.readData
        )
    }
}

extension ItemQuery {
    /// The result of a search, from which the answers are built outside the vault's lock.
    enum Found: Sendable {
        case items([ItemDescription?])
        case identities([IdentityDescription?])
    }

    /// Returns the matching items, with the parts that the request asks for.
    func found(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> Found {
        switch try targetWithCondition(in: &vault, authentication) {
        case .identities(let search):
            return .identities(try Keychain.identities(query, search, in: &vault, authentication))
        case .items(let search):
            let returns = query.returns
            let found = try search.items(in: &vault, authentication, limit: query.limit.count) {
                (match, vault) -> ItemDescription? in
                guard !returns.isEmpty else { return nil }
                let isAboutData = !returns.isDisjoint(with: [.data, .reference])
                return try ItemDescription(match, readingData: isAboutData, in: &vault, authentication)
            }
            return .items(try found.elements())
        }
    }

    /// The search, with the condition on certificates if there is one.
    private func targetWithCondition(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> Target {
        guard let condition = query.certificateCondition else { return target }
        let search =
            switch target {
            case .items(let search): search;
            case .identities(let search): search.certificates
            }
        var others: [[UInt8]] = []
        if condition.isAboutOthers {
            var everyCertificate = Query(.certificate)
            everyCertificate.synchronizability = .any
            let filter = try ItemFilter(everyCertificate, .certificate)
            let all = ItemSearch(filter: filter, scope: search.scope, needsAttributes: false, isForDeletion: false)
            others = try all.items(in: &vault, authentication, limit: .max) { (found, vault) in
                try authentication.secret(of: found.item, in: &vault).lent { Array(copying: $0) } ?? []
            }.found
        }
        let check = condition.makeCheck(others)
        switch target {
        case .items(var search):
            search.dataCheck = check
            return .items(search)
        case .identities(let search): return .identities(search.checkingCertificates(check))
        }
    }

    /// Returns the result of a search in the form that the request asks for.
    func answer(_ found: Found) -> ItemAnswer {
        let returns = query.returns
        let answers: [ItemAnswer] =
            switch found {
            case .items(let items): items.compactMap { item in item.flatMap { $0.answer(returns, values: $0.values) } }
            case .identities(let pairs):
                pairs.compactMap { pair in pair.flatMap { $0.answer(returns, values: $0.values) } }
            }
        guard query.limit != .one else { return returns.isEmpty ? .notRequested : answers.first ?? .missing }
        return .list(answers)
    }
}

extension Query.Limit {
    /// The maximum number of items.
    var count: Int {
        switch self {
        case .one: 1
        case .count(let count): count
        case .all: .max
        }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// The data, kept until the answer is built.
    fileprivate var readData: ReadData? {
        switch self {
        case .some(let secret): secret.withBytes { ReadData($0) }
        case .none: nil
        }
    }
}
