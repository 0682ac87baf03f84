internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// A query, and the search for its items.
package struct ItemQuery: Sendable {
    /// The search for the items of a query.
    indirect enum Target: Sendable {
        case items(ItemSearch)
        case identities(IdentitySearch)
    }

    package let query: Query
    let target: Target

    /// Returns what matches, with the parts that the query asks for.
    func matches(in vault: inout OpenGeneration, _ authentication: Authentication) throws -> [QueryMatch] {
        func read(_ found: ItemSearch.Found, _ readsData: Bool, _ vault: inout OpenGeneration) throws -> ItemContent {
            let secret = readsData ? try authentication.secret(of: found.item, in: &vault) : nil
            return ItemContent(found.item, found.attributes, secret.lent { HeldSecret(copying: $0) }, in: vault)
        }
        let (returns, limit) = (query.returns, query.limit.count)
        switch try targetWithCondition(in: &vault, authentication) {
        case .items(let search):
            let readsData = !returns.isDisjoint(with: [.data, .reference])
            return try search.items(in: &vault, authentication, limit: limit) { found, vault in
                QueryMatch(try read(found, readsData, &vault))
            }.list()
        case .identities(let search):
            let readsBoth = returns.contains(.reference) || returns.isStrictSuperset(of: .data)
            return try search.items(in: &vault, authentication, limit: limit) { pair, vault in
                QueryMatch(
                    try read(pair.certificate, readsBoth, &vault),
                    key: try read(pair.key, readsBoth || returns.contains(.data), &vault)
                )
            }.list()
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
            case .items(let search): search
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
