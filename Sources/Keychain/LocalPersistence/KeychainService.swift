internal import Coffer
internal import CofferBasics

/// The place of one service's secrets: one access group of a keychain, with one item for each account.
struct KeychainService: Sendable {
    let service: String
    /// The access group; nil for the first of the program.
    var group: String?
    /// The keychain; nil for the default keychain at the time of each call.
    let keychain: Keychain?

    private var current: Keychain { keychain ?? Keychain.default }

    /// A new item for an account.
    func item(_ account: String, in keychain: Keychain) throws -> GenericPassword {
        var item = GenericPassword(service: service, account: account)
        item.accessGroup = try pinned(keychain)
        return item
    }

    /// The group in which items are both added and looked up: another group of the program may have an item of the same
    /// name.
    private func pinned(_ keychain: Keychain) throws -> String? {
        if let group { group } else { try keychain.groups.names.first }
    }

    /// The item of an account, if there is one.
    private func stored(_ account: String, in keychain: Keychain) throws -> Stored<GenericPassword>? {
        try keychain.item(where: .service(service), .account(account), .group(try group(in: keychain)))
    }

    /// The group of the items; a program without any has none.
    private func group(in keychain: Keychain) throws -> String {
        guard let group = try pinned(keychain) else { throw KeychainError.notEntitled(.anyGroup) }
        return group
    }

    /// Calls `body` with the keychain.
    func use<Result>(_ body: (Keychain) throws -> Result) throws(PersistenceError) -> Result {
        try PersistenceError.converting { try body(current) }
    }

    /// Calls `body` with the item of an account; nil if none exists or it is deleted meanwhile.
    func withStored<Result>(
        _ account: String,
        _ body: (Keychain, Stored<GenericPassword>) throws -> Result?
    ) throws(PersistenceError) -> Result? {
        try use { keychain in
            do {
                return try stored(account, in: keychain).flatMap { item in try body(keychain, item) }
            } catch KeychainError.itemNotFound {
                return nil
            }
        }
    }

    /// The accounts of all items, oldest first.
    func accounts() throws(PersistenceError) -> [String] {
        try use { keychain in
            let group = try group(in: keychain)
            return try keychain.items(GenericPassword.self, where: .service(service), .group(group))
                .compactMap { String(validating: $0.item.accountBytes, as: UTF8.self) }
        }
    }

    /// Deletes the item of an account, if there is one.
    func delete(_ account: String) throws(PersistenceError) {
        try use { keychain in
            let group = try group(in: keychain)
            _ = try keychain.deleteAll(GenericPassword.self, where: .service(service), .account(account), .group(group))
        }
    }

    /// Adds an item with a secret for an account, unless there already is one.
    func add(
        _ account: String,
        _ secret: [UInt8],
        _ accessibility: Accessibility
    ) throws(PersistenceError) {
        try use { keychain in
            var item = try item(account, in: keychain)
            item.accessibility = accessibility
            do { try keychain.add(item, secret: secret) } catch KeychainError.duplicateItem {}
        }
    }

    /// Gives the item of an account another accessibility, if it has a different one.
    func protect(_ account: String, _ accessibility: Accessibility) throws(PersistenceError) {
        _ = try withStored(account) { keychain, item in
            guard item.accessibility != accessibility else { return }
            try keychain.update(item.reference) { $0.accessibility = accessibility }
        }
    }

    /// Calls `body` with the secret of an account, in memory that is wiped afterwards; nil if none exists.
    func withSecret<Result>(
        _ account: String,
        _ body: (Span<UInt8>) throws -> Result
    ) throws(PersistenceError) -> Result? {
        try withStored(account) { keychain, item in try keychain.withSecret(of: item.reference, body) }
    }
}
