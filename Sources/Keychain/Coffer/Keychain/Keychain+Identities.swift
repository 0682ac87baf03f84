internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// An identity is not an item: it is a certificate and a key that belong together, wherever the program can see both.
extension Keychain {
    /// Returns the identities that match a request; each is nil if the request asks for nothing about it.
    static func identities(
        _ query: Query,
        _ search: IdentitySearch,
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> [IdentityDescription?] {
        let (returns, limit) = (query.returns, query.limit.count)
        let isAboutBoth = returns.contains(.reference) || returns.isStrictSuperset(of: .data)
        return try search.items(in: &vault, authentication, limit: limit) { (pair, vault) -> IdentityDescription? in
            guard !returns.isEmpty else { return nil }
            let isAboutKey = isAboutBoth || returns.contains(.data)
            return IdentityDescription(
                certificate: try ItemDescription(
                    pair.certificate,
                    readingData: isAboutBoth,
                    in: &vault,
                    authentication
                ),
                key: try ItemDescription(pair.key, readingData: isAboutKey, in: &vault, authentication)
            )
        }.elements()
    }

    func apply(
        _ changes: (certificates: ItemChanges, keys: ItemChanges),
        to search: IdentitySearch,
        _ transaction: inout Transaction,
        _ authentication: Authentication
    ) throws {
        var changed: Set<ItemName> = []
        for pair in try search.items(in: &transaction.vault, authentication, limit: .max, { pair, _ in pair })
            .elements()
        {
            for (match, changes) in [(pair.certificate, changes.certificates), (pair.key, changes.keys)]
            where changed.insert(match.item.name).inserted {
                if let damage = try apply(changes, to: match, &transaction, authentication) { throw damage }
            }
        }
    }

    /// Deletes the certificates of identities, and their keys unless another certificate has the same key.
    func deleteIdentities(
        _ search: IdentitySearch,
        _ transaction: inout Transaction
    ) throws {
        let pairs = try search.items(in: &transaction.vault, nil, limit: .max) { pair, _ in pair }.elements()
        let names = Set(pairs.map(\.certificate.item.name))
        let needed = try search.hashes(except: names, in: &transaction.vault)
        var deleted: Set<ItemName> = []
        for pair in pairs {
            var items = [pair.certificate.item]
            if case .data(let hash)? = pair.certificate.attributes?[.publicKeyHash], let needed, !needed.contains(hash)
            {
                items.append(pair.key.item)
            }
            for item in items where deleted.insert(item.name).inserted {
                try transaction.delete(item)
            }
        }
    }
}
