internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// `Codable` values as secrets: as the keyed archives that `ArchiveEncoder` makes.
extension Keychain {
    /// Stores a value as the secret of an item, which is added, or changed if there is one with the same primary key.
    ///
    /// The bytes of the archive are wiped when they are sealed. The value, and what it is made of while it is encoded,
    /// are ordinary memory that nobody wipes. Dates, data and URLs of Foundation are stored as such where the module
    /// `KeyedArchiveFoundation` is in the program.
    ///
    /// ```swift
    /// try keychain.store(["token": "t0k3n", "expires": "never"], as: GenericPassword(service: "api"))
    /// let session = try keychain.load([String: String].self, from: GenericPassword.self, where: .service("api"))
    /// ```
    ///
    /// - Parameters:
    ///   - value: What to store.
    ///   - item: What the item says.
    /// - Returns: The item as it is stored.
    /// - Throws: ``KeychainError/cannotEncode(_:)`` if the value does not let itself be encoded, and what
    ///   ``save(_:secret:)`` throws.
    @discardableResult
    public func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item
    ) throws(KeychainError) -> Stored<Item> {
        // Before the transaction: the value encodes itself, and may take its time.
        try withArchive(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// The value that was stored as the secret of an item.
    ///
    /// - Parameters:
    ///   - type: Which value.
    ///   - reference: What names the item.
    /// - Returns: The value; the memory in which it was decoded is ordinary memory.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is no such value, or there is none;
    ///   ``KeychainError/itemNotFound`` and others.
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

    /// The value that was stored as the secret of the oldest item that fulfils all conditions; nil if none does.
    ///
    /// - Parameters:
    ///   - type: Which value.
    ///   - itemType: Which items.
    ///   - conditions: What the item must be.
    /// - Returns: The value; the memory in which it was decoded is ordinary memory.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is no such value, or there is none, and others.
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
    /// Stores a value as the secret of an item, which is added, or changed if there is one with the same primary key.
    @discardableResult
    public mutating func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item
    ) throws(KeychainError) -> Stored<Item> {
        try withArchive(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// The value that was stored as the secret of an item.
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

/// Lends `body` the archive of a value, which is wiped afterwards.
private func withArchive<Value: Encodable, Result>(
    of value: Value,
    _ body: (Span<UInt8>) throws(KeychainError) -> Result
) throws(KeychainError) -> Result {
    var bytes: [UInt8]
    do {
        bytes = try ArchiveEncoder().encode(value)
    } catch {
        // What a type says about itself may be the secret, so only its name is told.
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
    /// Overwrites the bytes with zeros, also where nobody reads them again.
    fileprivate mutating func wipe() {
        var span = mutableSpan
        span.wipe()
    }
}
