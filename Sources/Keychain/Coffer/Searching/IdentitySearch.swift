internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// A search for identities: certificates, and private keys whose label is the hash of a certificate's public key.
struct IdentitySearch: Sendable {
    /// A certificate and a key that belong together.
    struct Pair: Sendable {
        let certificate: ItemSearch.Found
        let key: ItemSearch.Found
    }

    private(set) var certificates: ItemSearch
    /// The search for all keys that an identity may have; nil if the request contradicts itself.
    private let keys: ItemSearch?
    /// The search for all certificates.
    private let allCertificates: ItemSearch

    init(_ query: Query, scopes: (certificates: SearchScope, keys: SearchScope)) throws(KeychainError) {
        certificates = Self.search(try ItemFilter(query.certificatePart, .certificate), in: scopes.certificates)
        var everyCertificate = Query(.certificate)
        everyCertificate.synchronizability = .any
        allCertificates = Self.search(try ItemFilter(everyCertificate, .certificate), in: scopes.certificates)
        // Apple's keychain marks public keys as private too; only their class tells them apart.
        let privateKeys = try ItemFilter(query.keyPart, .key).requiring(.keyClass, 1)?.requiring(.isPrivate, 1)
        keys = privateKeys.map { Self.search($0, in: scopes.keys) }
    }

    private static func search(_ filter: ItemFilter, in scope: SearchScope) -> ItemSearch {
        ItemSearch(filter: filter, scope: scope, needsAttributes: true, isForDeletion: false)
    }

    /// This search, for identities whose certificate has data that passes a check.
    func checkingCertificates(_ check: @escaping CertificateCondition.Check) -> IdentitySearch {
        var search = self
        search.certificates.dataCheck = check
        return search
    }

    /// Returns the result of `read` for at most `limit` identities, ordered by age of the certificate, then of the key.
    ///
    /// A locked certificate may belong to any key, so it is an error like any locked item, unless there are no keys.
    func items<Element>(
        in vault: inout OpenGeneration,
        _ authentication: Authentication?,
        limit: Int,
        _ read: (Pair, inout OpenGeneration) throws -> Element
    ) throws -> SearchOutcome<Element> {
        var outcome = SearchOutcome<Element>()
        guard limit > 0, let keys else { return outcome }
        var hasKeys: Bool?
        var answering: GroupID?
        let stopsAfterGroup = certificates.scope.stopsAfterGroup(in: vault)
        for item in try certificates.candidates(in: &vault).items {
            if stopsAfterGroup, let answering, answering != item.name.group { break }
            let verdict = try certificates.verdict(on: item, isCertain: false, in: &vault, authentication)
            switch verdict {
            case .noMatchingItem: continue
            case .match(let certificate):
                try join(certificate, limit: limit, &outcome, &vault, authentication, read)
                if outcome.found.count == limit { return outcome }
                if !outcome.found.isEmpty { answering = answering ?? item.name.group }
            case .locked, .damaged:
                let anyKey = if let hasKeys { hasKeys } else { try hasItems(keys, in: &vault) }
                hasKeys = anyKey
                guard anyKey else { continue }
                guard case .damaged(let error) = verdict else { throw KeychainError.locked }
                outcome.leaveOut(error)
            }
        }
        return outcome
    }

    private func join<Element>(
        _ certificate: ItemSearch.Found,
        limit: Int,
        _ outcome: inout SearchOutcome<Element>,
        _ vault: inout OpenGeneration,
        _ authentication: Authentication?,
        _ read: (Pair, inout OpenGeneration) throws -> Element
    ) throws {
        guard let hash = certificate.attributes?[.publicKeyHash], let keys,
            let filter = try keys.filter.requiring(.applicationLabel, ItemValue(hash))
        else { return }
        let search = Self.search(filter, in: keys.scope)
        for item in try search.candidates(in: &vault).items {
            switch try search.verdict(on: item, isCertain: false, in: &vault, authentication) {
            case .noMatchingItem: continue
            case .locked: throw KeychainError.locked
            case .damaged(let error): outcome.leaveOut(error)
            case .match(let key):
                try outcome.add { try read(Pair(certificate: certificate, key: key), &vault) }
            }
            if outcome.found.count == limit { return }
        }
    }

    /// Whether there is an item that may match.
    private func hasItems(_ search: ItemSearch, in vault: inout OpenGeneration) throws -> Bool {
        for item in try search.candidates(in: &vault).items {
            if case .noMatchingItem = try search.verdict(on: item, isCertain: false, in: &vault, nil) { continue }
            return true
        }
        return false
    }

    /// The public key hashes of all certificates except those in `names`; nil if a certificate is damaged.
    func hashes(
        except names: Set<ItemName>,
        in vault: inout OpenGeneration
    ) throws -> Set<[UInt8]>? {
        var hashes: Set<[UInt8]> = []
        for item in try allCertificates.candidates(in: &vault).items where !names.contains(item.name) {
            switch try allCertificates.verdict(on: item, isCertain: false, in: &vault, nil) {
            case .noMatchingItem: continue
            case .locked: throw KeychainError.locked
            case .damaged: return nil
            case .match(let certificate):
                if case .data(let hash)? = certificate.attributes?[.publicKeyHash] { hashes.insert(hash) }
            }
        }
        return hashes
    }
}
