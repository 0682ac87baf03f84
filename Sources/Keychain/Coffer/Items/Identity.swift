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
        try identities(whereAll: conditions, limit: limit)
    }

    /// Returns the identities that match all conditions, those of the oldest certificate first.
    package func identities(
        whereAll conditions: [ItemCondition<Certificate>],
        limit: Int = .max
    ) throws(KeychainError) -> [Identity] {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions, of: .identity) }
        let search = try groups.identitySearch(Query(conditions, of: .identity), for: .find)
        let found = try read { (vault, authentication) in
            try search.items(in: &vault, authentication, limit: limit) { pair, vault in Identity(pair, in: vault) }
                .list()
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

/// Everything that an answer can contain about an identity: its certificate and its key.
struct IdentityDescription: Sendable, AnswerSource {
    let certificate: ItemDescription
    let key: ItemDescription

    /// Apple's name for the data of the certificate, next to the data of the key.
    private static let certificateData = "certdata"

    var itemClass: KeychainClass { .identity }
    var data: [UInt8]? { key.data }
    var accompanyingData: [String: [UInt8]] { certificate.data.map { [Self.certificateData: $0] } ?? [:] }

    /// The attributes of both; if both have an attribute, the certificate's value is used.
    var values: [String: ItemValue] { key.values.merging(certificate.values) { $1 } }

    var persistentReference: [UInt8] { PersistentReference(.identity, certificate.item).bytes }

    var reference: ItemReference? {
        let attributes = values.merging(accompanyingData.mapValues { .data($0) }) { $1 }
        return ItemReference(
            itemClass: .identity,
            attributes: attributes,
            data: key.readData?.bytes,
            usageControl: key.usageControl
        )
    }
}
