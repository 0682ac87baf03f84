internal import CofferBasics
internal import VaultStore

/// A certificate and its private key: `kSecClassIdentity`.
///
/// An identity is not an item of its own. It exists wherever a program can see a certificate and a private key whose
/// application label is the hash of the certificate's public key.
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

    /// Creates an identity from a certificate and a key that belong together.
    package init(certificate: Stored<Certificate>, key: Stored<CryptographicKey>) {
        self.certificate = certificate
        self.key = key
    }
}

extension Keychain {
    /// Returns the identities that match all conditions, those of the oldest certificate first.
    ///
    /// Conditions apply to the certificate, except for group, accessibility and synchronizability, which apply to the
    /// key.
    ///
    /// - Parameters:
    ///   - conditions: The conditions that the identities must match.
    ///   - limit: The maximum number of identities.
    /// - Returns: The identities; empty if none match.
    /// - Throws: ``KeychainError/locked`` if a certificate or key that may match is locked, or another
    ///   ``KeychainError``.
    public func identities(
        where conditions: ItemCondition<Certificate>...,
        limit: Int = .max
    ) throws(KeychainError) -> [Identity] {
        let target = ItemTarget(conditions, of: .identity)
        try calls.announce(.find, target)
        let search = try groups.identitySearch(target.query(), for: .find)
        let found = try readIfAny { (vault, authentication) in
            try search.items(in: &vault, authentication, limit: limit) { pair, vault in Identity(pair, in: vault) }
                .list()
        }
        return (found ?? []).compactMap(\.self)
    }
}

extension Identity {
    fileprivate init?(_ pair: IdentitySearch.Pair, in vault: borrowing OpenGeneration) {
        guard let certificate = pair.certificate.attributes, let key = pair.key.attributes else { return nil }
        self.certificate = Stored(pair.certificate.item, certificate, in: vault)
        self.key = Stored(pair.key.item, key, in: vault)
    }
}
