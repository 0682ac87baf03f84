internal import Coffer

/// Where secrets of one service are: in a keychain, in one access group, one item for each account.
struct SecretPlace: Sendable {
    let service: String
    /// The access group; nil for the first of the program.
    var group: String?
    /// The keychain; nil for the default one of the moment.
    let keychain: DefaultKeychain?

    private var current: DefaultKeychain { keychain ?? Keychain.default }

    /// The item of an account, as it would be added.
    func item(_ account: String, in keychain: Keychain) -> GenericPassword {
        var item = GenericPassword(service: AttributeText(service), account: AttributeText(account))
        item.accessGroup = pinned(keychain)
        return item
    }

    /// The group in which items are both added and looked for: another one of the program may have an item called so too.
    private func pinned(_ keychain: Keychain) -> String? { group ?? keychain.groups.names.first }

    /// The item of an account, if there is one.
    private func stored(_ account: String, in keychain: Keychain) throws(KeychainError) -> Stored<GenericPassword>? {
        guard let group = pinned(keychain) else { throw .notEntitled(.anyGroup) }
        return try keychain.item(
            where: .service(AttributeText(service)),
            .account(AttributeText(account)),
            .group(group)
        )
    }

    /// Lends the keychain to `body`, which finds or deletes; nil if there is no vault.
    private func ifAny<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(PersistenceError) -> Result? {
        do throws(KeychainError) {
            return try current.withKeychainIfAny(body)
        } catch {
            throw PersistenceError(error)
        }
    }

    /// Lends the keychain to `body`, which stores something; the vault is made if there is none.
    func use<Result>(_ body: (Keychain) throws(KeychainError) -> Result) throws(PersistenceError) -> Result {
        do throws(KeychainError) {
            return try current.withKeychain(body)
        } catch {
            throw PersistenceError(error)
        }
    }

    /// What `body` makes of the item of an account; nil if there is none, or somebody deletes it meanwhile.
    func withStored<Result>(
        _ account: String,
        _ body: (Keychain, Stored<GenericPassword>) throws(KeychainError) -> Result?
    ) throws(PersistenceError) -> Result? {
        try ifAny { keychain throws(KeychainError) -> Result? in
            do throws(KeychainError) {
                guard let item = try stored(account, in: keychain) else { return nil }
                return try body(keychain, item)
            } catch {
                guard error == .itemNotFound else { throw error }
                return nil
            }
        } ?? nil
    }

    /// The accounts of all items, the oldest first.
    func accounts() throws(PersistenceError) -> [String] {
        try ifAny { keychain throws(KeychainError) in
            guard let group = pinned(keychain) else { throw .notEntitled(.anyGroup) }
            let items = try keychain.items(
                GenericPassword.self,
                where: .service(AttributeText(service)),
                .group(group)
            )
            return items.compactMap { $0.item.account.string }
        } ?? []
    }

    /// Deletes the item of an account; that there is none is no error.
    func delete(_ account: String) throws(PersistenceError) {
        _ = try withStored(account) { keychain, item throws(KeychainError) in try keychain.delete(item.reference) }
    }

    /// Adds the item of an account with a secret, unless there is one already.
    func add(
        _ account: String,
        _ secret: [UInt8],
        _ accessibility: Accessibility
    ) throws(PersistenceError) {
        try use { keychain throws(KeychainError) in
            var item = item(account, in: keychain)
            item.accessibility = accessibility
            do throws(KeychainError) {
                try keychain.add(item, secret: secret)
            } catch {
                guard error == .duplicateItem else { throw error }
            }
        }
    }

    /// What `body` makes of the secret of an account, in memory that is wiped afterwards; nil if there is none.
    func withSecret<Result>(
        _ account: String,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(PersistenceError) -> Result? {
        try withStored(account) { keychain, item throws(KeychainError) in
            try keychain.withSecret(of: item.reference, body)
        }
    }
}

extension PersistenceError {
    /// What a keychain has said, in the words that all rungs have for it.
    init(_ error: KeychainError) {
        self =
            switch error {
            case .cannotEncode(let type): .cannotEncode(type)
            case .cannotDecode(let type): .cannotDecode(type)
            default: .keychain(error)
            }
    }
}
