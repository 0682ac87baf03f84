internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// An identity is no item: it is a certificate and a key that belong together, wherever the program may see both.
extension Keychain {
    /// The answers about identities, with nil for each that has not the one thing that is wanted.
    func identityAnswers(_ parsed: ParsedRequest) throws(KeychainError) -> [ItemAnswer?] {
        let search = try identitySearch(parsed, for: .find)
        let (returns, limit) = (parsed.returns, parsed.limit.count)
        let isAboutBoth = returns.contains(.reference) || returns.isStrictSuperset(of: .data)
        let found = try read { (vault) throws(KeychainError) in
            try search.items(in: &vault, limit: limit) { (pair, vault) throws(StoreError) -> IdentityDescription? in
                guard !returns.isEmpty else { return nil }
                let isAboutKey = isAboutBoth || returns.contains(.data)
                return IdentityDescription(
                    certificate: try ItemDescription(pair.certificate, readingData: isAboutBoth, in: &vault),
                    key: try ItemDescription(pair.key, readingData: isAboutKey, in: &vault)
                )
            }.elements()
        }
        return found.map { identity in identity.flatMap { $0.answer(returns, values: $0.values) } }
    }

    /// Applies the same changes to the certificates and the keys of identities.
    func updateIdentities(_ parsed: ParsedRequest, with changes: ItemRequest) throws(KeychainError) {
        // The same data for both would be the end of the key.
        if changes["v_Data"] != nil { throw .invalid(.keyNotAllowedHere("v_Data")) }
        let certificateChanges = try ParsedChanges(changes, of: .certificate)
        let keyChanges = try ParsedChanges(changes, of: .key)
        let group = try groups.named(keyChanges.group, for: .update)
        let search = try identitySearch(parsed, for: .update)
        try change { (transaction) throws(KeychainError) in
            var changed: Set<ItemName> = []
            for pair in try search.items(in: &transaction.vault, limit: .max, { pair, _ in pair }).elements() {
                for (match, changes) in [(pair.certificate, certificateChanges), (pair.key, keyChanges)]
                where changed.insert(match.item.name).inserted {
                    let damage = try apply(changes, to: match, group: group, &transaction)
                    if let damage { throw KeychainError(damage) }
                }
            }
        }
    }

    /// Deletes the certificates of identities, and the keys that no other certificate has.
    func deleteIdentities(_ parsed: ParsedRequest) throws(KeychainError) {
        let search = try identitySearch(parsed, for: .delete)
        try change { (transaction) throws(KeychainError) in
            let pairs = try search.items(in: &transaction.vault, limit: .max) { pair, _ in pair }.elements()
            let names = Set(pairs.map(\.certificate.item.name))
            let needed = try search.hashes(except: names, in: &transaction.vault)
            var deleted: Set<ItemName> = []
            for pair in pairs {
                var items = [pair.certificate.item]
                if case .data(let hash)? = pair.certificate.attributes?["pkhh"], let needed, !needed.contains(hash) {
                    items.append(pair.key.item)
                }
                for item in items where deleted.insert(item.name).inserted {
                    try translating(KeychainError.init) { () throws(StoreError) in try transaction.delete(item) }
                }
            }
        }
    }

    /// What a request for identities looks for.
    ///
    /// A group that it names is that of the key; the certificate may be in any that the program has.
    private func identitySearch(
        _ parsed: ParsedRequest,
        for operation: Operation
    ) throws(KeychainError) -> IdentitySearch {
        let named = try groups.named(parsed.group, for: operation)
        let own = groups.areAll ? nil : groups.names
        return try IdentitySearch(
            parsed,
            groups: (certificates: own.map { $0 + [named].compactMap(\.self) }, keys: named.map { [$0] } ?? own)
        )
    }
}
