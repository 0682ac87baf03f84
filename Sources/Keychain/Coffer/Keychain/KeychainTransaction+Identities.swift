internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// Changes to identities, each of which is a certificate and a key that belong together.
extension KeychainTransaction {
    mutating func apply(_ changes: (certificates: ItemChanges, keys: ItemChanges), to search: IdentitySearch) throws {
        var changed: Set<ItemName> = []
        for pair in try search.items(in: &transaction.vault, authentication, limit: .max, { pair, _ in pair })
            .elements()
        {
            for (match, changes) in [(pair.certificate, changes.certificates), (pair.key, changes.keys)]
            where changed.insert(match.item.name).inserted {
                if let damage = try apply(changes, to: match) { throw damage }
            }
        }
    }

    /// Deletes the certificates of identities, and their keys unless another certificate has the same key.
    mutating func deleteIdentities(_ search: IdentitySearch) throws {
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
                try delete(item)
            }
        }
    }
}
