internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// Looks for identities: certificates, and the private keys whose label is the hash of their public keys.
struct IdentitySearch: Sendable {
    /// A certificate and a key that belong together.
    struct Pair: Sendable {
        let certificate: ItemSearch.Found
        let key: ItemSearch.Found
    }

    private let certificates: ItemSearch
    /// Looks for all keys that an identity may have; nil if what is asked for contradicts itself.
    private let keys: ItemSearch?
    /// Looks for all certificates.
    private let allCertificates: ItemSearch

    init(_ query: Query, groups: (certificates: [String]?, keys: [String]?)) throws(KeychainError) {
        certificates = Self.search(try ItemFilter(query.certificatePart, .certificate), in: groups.certificates)
        var everyCertificate = Query(.certificate)
        everyCertificate.synchronizability = .any
        allCertificates = Self.search(try ItemFilter(everyCertificate, .certificate), in: groups.certificates)
        // Apple's keychain marks public keys as private too; only their class tells them apart.
        let privateKeys = try ItemFilter(query.keyPart, .key).requiring(.keyClass, 1)?.requiring(.isPrivate, 1)
        keys = privateKeys.map { Self.search($0, in: groups.keys) }
    }

    private static func search(_ filter: ItemFilter, in groups: [String]?) -> ItemSearch {
        ItemSearch(filter: filter, groups: groups, needsAttributes: true, isForDeletion: false)
    }

    /// What `read` makes of the identities, of `limit` at most: those of the oldest certificate first, and of these those
    /// of the oldest key.
    ///
    /// A certificate that is locked may belong to any key, and is an error like every item that is locked.
    func items<Element>(
        in vault: inout OpenGeneration,
        limit: Int,
        _ read: (Pair, inout OpenGeneration) throws(StoreError) -> Element
    ) throws(KeychainError) -> SearchOutcome<Element> {
        var outcome = SearchOutcome<Element>()
        guard limit > 0, let keys else { return outcome }
        var hasKeys: Bool?
        for item in try certificates.candidates(in: &vault).items {
            let verdict = try certificates.verdict(on: item, isCertain: false, in: &vault)
            switch verdict {
            case .notMeant: continue
            case .meant(let certificate):
                try join(certificate, limit: limit, &outcome, &vault, read)
                if outcome.found.count == limit { return outcome }
            case .locked, .damaged:
                let anyKey = if let hasKeys { hasKeys } else { try hasItems(keys, in: &vault) }
                hasKeys = anyKey
                guard anyKey else { continue }
                guard case .damaged(let error) = verdict else { throw .locked }
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
        _ read: (Pair, inout OpenGeneration) throws(StoreError) -> Element
    ) throws(KeychainError) {
        guard let hash = certificate.attributes?[.publicKeyHash], let keys,
            let filter = try keys.filter.requiring(.applicationLabel, ItemValue(hash))
        else { return }
        let search = Self.search(filter, in: keys.groups)
        for item in try search.candidates(in: &vault).items {
            switch try search.verdict(on: item, isCertain: false, in: &vault) {
            case .notMeant: continue
            case .locked: throw .locked
            case .damaged(let error): outcome.leaveOut(error)
            case .meant(let key):
                try outcome.add { () throws(StoreError) in
                    try read(Pair(certificate: certificate, key: key), &vault)
                }
            }
            if outcome.found.count == limit { return }
        }
    }

    /// Whether there is an item that may be meant.
    private func hasItems(_ search: ItemSearch, in vault: inout OpenGeneration) throws(KeychainError) -> Bool {
        for item in try search.candidates(in: &vault).items {
            if case .notMeant = try search.verdict(on: item, isCertain: false, in: &vault) { continue }
            return true
        }
        return false
    }

    /// The public keys of all certificates but those that are named, by their hashes; nil if nobody can tell them all.
    func hashes(
        except names: Set<ItemName>,
        in vault: inout OpenGeneration
    ) throws(KeychainError) -> Set<[UInt8]>? {
        var hashes: Set<[UInt8]> = []
        for item in try allCertificates.candidates(in: &vault).items where !names.contains(item.name) {
            switch try allCertificates.verdict(on: item, isCertain: false, in: &vault) {
            case .notMeant: continue
            case .locked: throw .locked
            case .damaged: return nil
            case .meant(let certificate):
                if case .data(let hash)? = certificate.attributes?[.publicKeyHash] { hashes.insert(hash) }
            }
        }
        return hashes
    }
}
