internal import VaultStore

/// A certificate and the private key that belongs to it: `kSecClassIdentity`.
///
/// It is no item of its own. Wherever a program may see a certificate, and a private key whose label is the hash of the
/// certificate's public key, there is an identity.
///
/// ```swift
/// for identity in try keychain.identities(where: .label("example.com")) {
///     try keychain.withSecret(of: identity.key.reference) { key in sign(with: key) }
/// }
/// ```
public struct Identity: Equatable, Sendable {
    /// The certificate.
    public let certificate: Stored<Certificate>
    /// The private key.
    public let key: Stored<CryptographicKey>

    /// A certificate and a key that belong together.
    package init(certificate: Stored<Certificate>, key: Stored<CryptographicKey>) {
        self.certificate = certificate
        self.key = key
    }
}

extension Keychain {
    /// The identities whose certificates fulfil all conditions, those of the oldest certificate first.
    ///
    /// Group, protection and whether it is synchronizable are what the key says.
    ///
    /// - Parameters:
    ///   - conditions: What they must be.
    ///   - limit: How many at most.
    /// - Returns: The identities; none if there are none.
    /// - Throws: ``KeychainError/locked`` if a certificate or key that may take part is locked, and others.
    public func identities(
        where conditions: ItemCondition<Certificate>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Identity] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions, of: .identity) }
        let search = try groups.identitySearch(Query(conditions, of: .identity), for: .find)
        let found = try read { (vault) throws(KeychainError) -> [Identity?] in
            let outcome = try search.items(in: &vault, limit: limit) { pair, vault in Identity(pair, in: vault) }
            do throws(KeychainError) {
                return try outcome.elements()
            } catch .itemNotFound {
                return []
            }
        }
        return found.compactMap(\.self)
    }
}

extension Identity {
    fileprivate init?(_ pair: IdentitySearch.Pair, in vault: borrowing OpenGeneration) {
        guard let certificate = pair.certificate.attributes, let key = pair.key.attributes else { return nil }
        self.certificate = Stored(pair.certificate.item, certificate, in: vault)
        self.key = Stored(pair.key.item, key, in: vault)
    }
}
