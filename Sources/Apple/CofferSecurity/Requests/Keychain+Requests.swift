public import Coffer

// Requests with Apple's names, as `SecItem` calls make them.
extension Keychain {
    /// Adds an item: `SecItemAdd`.
    @discardableResult
    public func add(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.add) { request.values }
        let addition = try groups.addition(request, at: now)
        return ItemAnswer(try authenticating(for: request).add(addition), to: addition.query)
    }

    /// Adds the two items that make up an identity, or the one that is missing: `SecItemAdd` with a `SecIdentity`.
    ///
    /// If both exist, it throws ``KeychainError/duplicateItem``. The only result is the persistent reference of the
    /// identity, returned if the request for the certificate asks for it and the certificate is new.
    @discardableResult
    public func addIdentity(certificate: ItemRequest, key: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.add, carriesSecret: key[Query.dataKey] != nil) {
            certificate.values.merging(["class": "idnt"]) { $1 }
        }
        let parts = (certificate: try groups.addition(certificate, at: now), key: try groups.addition(key, at: now))
        guard parts.certificate.query.itemClass == .certificate, parts.key.query.itemClass == .key else {
            throw .invalid(.value(of: "class"))
        }
        return try authenticating(for: key).changeItems(creatingVault: true) { transaction in
            let added = try transaction.addUnlessThere(parts.certificate)
            let isKeyNew = try transaction.addUnlessThere(parts.key) != nil
            guard added != nil || isKeyNew else { throw KeychainError.duplicateItem }
            guard let added, parts.certificate.query.returns.contains(.persistentReference) else {
                return .notRequested
            }
            return .data(added.reference.toIdentity.bytes)
        }
    }

    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.find) { request.values }
        let query = try groups.query(request)
        return ItemAnswer(try authenticating(for: request).find(query), to: query.query)
    }

    /// Updates all items that match a query, or none of them: `SecItemUpdate`.
    public func update(_ query: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        try calls.announce(.update, changes: changes.values) { query.values }
        try authenticating(for: query).update(groups.update(of: query, to: changes))
    }

    /// Deletes all items that match a query, or none of them: `SecItemDelete`.
    public func delete(_ query: ItemRequest) throws(KeychainError) {
        try calls.announce(.delete) { query.values }
        try delete(groups.deletion(query))
    }
}

extension Keychain {
    /// This keychain, for calls that authenticate the user as a request says, if it says that.
    fileprivate func authenticating(for request: ItemRequest) -> Keychain {
        request.authentication.map { authenticating($0) } ?? self
    }
}

// The same calls in a transaction.
extension KeychainTransaction {
    /// Adds an item: `SecItemAdd`.
    @discardableResult
    public mutating func add(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.add) { request.values }
        let addition = try keychain.groups.addition(request, at: keychain.now)
        return ItemAnswer(try add(addition, authenticating: request.authentication), to: addition.query)
    }

    /// Finds items: `SecItemCopyMatching`.
    public mutating func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.find) { request.values }
        let query = try keychain.groups.query(request)
        return ItemAnswer(try find(query, authenticating: request.authentication), to: query.query)
    }

    /// Updates all items that match a query, or none of them: `SecItemUpdate`.
    public mutating func update(_ query: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        try calls.announce(.update, changes: changes.values) { query.values }
        try update(keychain.groups.update(of: query, to: changes), authenticating: query.authentication)
    }

    /// Deletes all items that match a query, or none of them: `SecItemDelete`.
    public mutating func delete(_ query: ItemRequest) throws(KeychainError) {
        try calls.announce(.delete) { query.values }
        try delete(keychain.groups.deletion(query))
    }
}

extension KeychainTransaction {
    /// Adds an item, or returns nil if an item with its primary key already exists.
    fileprivate mutating func addUnlessThere(_ addition: Addition) throws(KeychainError) -> ItemContent? {
        do throws(KeychainError) {
            return try add(addition)
        } catch {
            guard error == .duplicateItem else { throw error }
            return nil
        }
    }
}
