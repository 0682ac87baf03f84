internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// `Codable` values as secrets, which are stored as keyed archives by `ArchiveEncoder`.
extension Keychain {
    /// Stores a value as the secret of an item, adding the item or changing the one with the same primary key.
    ///
    /// The bytes of the archive are wiped after they are sealed. The value, and the parts of it that are made while it
    /// is encoded, are in ordinary memory that is not wiped. Foundation's `Date`, `Data` and `URL` are stored as such
    /// if the program contains the module `KeyedArchiveFoundation`.
    ///
    /// ```swift
    /// try keychain.store(["token": "t0k3n", "expires": "never"], as: GenericPassword(service: "api"))
    /// let session = try keychain.load([String: String].self, from: GenericPassword.self, where: .service("api"))
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - item: The attributes of the item.
    /// - Returns: The item as stored.
    /// - Throws: ``KeychainError/cannotEncode(_:)`` if the value cannot be encoded, or an error of ``save(_:secret:)``.
    @discardableResult
    public func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item
    ) throws(KeychainError) -> Stored<Item> {
        // Before the transaction: the value encodes itself, and may take its time.
        try withArchive(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// Returns the value that was stored as the secret of an item.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - reference: The reference to the item.
    /// - Returns: The value, which was decoded in ordinary memory that is not wiped.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the item has no secret, or one that is not such a value,
    ///   ``KeychainError/itemNotFound`` if the item does not exist, or another ``KeychainError``.
    public func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> Value {
        let value = try withSecret(of: reference) { (bytes) throws(KeychainError) in
            try decoded(Value.self, from: bytes)
        }
        guard let value else { throw .cannotDecode("\(Value.self)") }
        return value
    }

    /// Returns the value stored as the secret of the oldest item that matches all conditions, or nil if none does.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - itemType: The type of the item.
    ///   - conditions: The conditions that the item must match.
    /// - Returns: The value, which was decoded in ordinary memory that is not wiped.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the item has no secret, or one that is not such a value, or
    ///   another ``KeychainError``.
    public func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        from itemType: Item.Type,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> Value? {
        try withOldestSecret(conditions) { (secret) throws(KeychainError) in
            let value = try secret.lent { (bytes) throws(KeychainError) in try decoded(Value.self, from: bytes) }
            guard let value else { throw .cannotDecode("\(Value.self)") }
            return value
        }
    }
}

extension KeychainTransaction {
    /// Stores a value as the secret of an item, adding the item or changing the one with the same primary key.
    @discardableResult
    public mutating func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item
    ) throws(KeychainError) -> Stored<Item> {
        try withArchive(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// Returns the value that was stored as the secret of an item.
    public mutating func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> Value {
        let value = try withSecret(of: reference) { (bytes) throws(KeychainError) in
            try decoded(Value.self, from: bytes)
        }
        guard let value else { throw .cannotDecode("\(Value.self)") }
        return value
    }
}

/// Lends `body` the archive of a value, and wipes it afterwards.
private func withArchive<Value: Encodable, Result>(
    of value: Value,
    _ body: (Span<UInt8>) throws(KeychainError) -> Result
) throws(KeychainError) -> Result {
    var bytes: [UInt8]
    do {
        bytes = try ArchiveEncoder().encode(value)
    } catch {
        // An error of the type may contain the secret, so only the name of the type is reported.
        throw .cannotEncode("\(Value.self)")
    }
    defer { bytes.wipe() }
    return try body(bytes.span)
}

private func decoded<Value: Decodable>(
    _ type: Value.Type,
    from secret: Span<UInt8>
) throws(KeychainError) -> Value {
    var bytes = [UInt8](copying: secret)
    defer { bytes.wipe() }
    do {
        return try ArchiveDecoder().decode(type, from: bytes)
    } catch {
        throw .cannotDecode("\(Value.self)")
    }
}

extension [UInt8] {
    /// Overwrites the bytes with zeros, even if they are never read again.
    fileprivate mutating func wipe() {
        var span = mutableSpan
        span.wipe()
    }
}
