public import Coffer

// Requests with Apple's names, as `SecItem` calls make them.
extension Keychain {
    /// Adds an item: `SecItemAdd`.
    @discardableResult
    public func add(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.add) { request.values }
        return try authenticating(for: request).add(groups.addition(request, at: now))
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
        return try authenticating(for: key).add(
            certificate: groups.addition(certificate, at: now),
            key: groups.addition(key, at: now)
        )
    }

    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.find) { request.values }
        return try authenticating(for: request).find(groups.query(request))
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
        return try add(keychain.groups.addition(request, at: keychain.now), authenticating: request.authentication)
    }

    /// Finds items: `SecItemCopyMatching`.
    public mutating func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try calls.announce(.find) { request.values }
        return try find(keychain.groups.query(request), authenticating: request.authentication)
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
