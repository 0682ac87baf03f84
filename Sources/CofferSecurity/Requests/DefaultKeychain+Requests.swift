public import Coffer

// Calls of `SecItem` on the default keychain.
extension DefaultKeychain {
    /// Adds an item: `SecItemAdd`.
    @discardableResult
    public func add(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try use(makingVault: true) { groups throws(KeychainError) in
            _ = try groups.addition(request, at: 0)
        } do: { keychain throws(KeychainError) in
            try keychain.add(request)
        }
    }

    /// Adds the two items that make up an identity: `SecItemAdd` with a `SecIdentity`.
    @discardableResult
    public func addIdentity(certificate: ItemRequest, key: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try use(makingVault: true) { groups throws(KeychainError) in
            _ = (try groups.addition(certificate, at: 0), try groups.addition(key, at: 0))
        } do: { keychain throws(KeychainError) in
            try keychain.addIdentity(certificate: certificate, key: key)
        }
    }

    /// Finds items: `SecItemCopyMatching`.
    public func find(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        try use(makingVault: false) { groups throws(KeychainError) in
            _ = try groups.query(request)
        } do: { keychain throws(KeychainError) in
            try keychain.find(request)
        }
    }

    /// Changes all items that a query is about, or none: `SecItemUpdate`.
    public func update(_ query: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        try use(makingVault: false) { groups throws(KeychainError) in
            _ = try groups.update(of: query, to: changes)
        } do: { keychain throws(KeychainError) in
            try keychain.update(query, with: changes)
        }
    }

    /// Deletes all items that a query is about: `SecItemDelete`.
    public func delete(_ query: ItemRequest) throws(KeychainError) {
        try use(makingVault: false) { groups throws(KeychainError) in
            _ = try groups.deletion(query)
        } do: { keychain throws(KeychainError) in
            try keychain.delete(query)
        }
    }
}
