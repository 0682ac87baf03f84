public import Coffer
internal import CofferBasics
public import FoundationEssentials

// `Codable` values as secrets, in JSON, which `coffer get` prints and every language reads.
extension Keychain {
    /// Stores a value in JSON as the secret of an item, adding the item or changing the one with the same primary key.
    ///
    /// The JSON is wiped after it is sealed. The value, and what the encoder makes of it on the way, are in ordinary
    /// memory that is not wiped. Use ``save(_:secret:)`` for text alone, which JSON would put in quotes.
    ///
    /// ```swift
    /// try keychain.store(session, as: GenericPassword(service: "api", account: account))
    /// let stored = try keychain.load(Session.self, from: GenericPassword.self, where: .service("api"))
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - item: The attributes of the item.
    ///   - encoder: The encoder; nil for one that sorts keys, so that equal values are equal bytes, and writes dates as
    ///     seconds since the start of 2001 and data in Base64.
    /// - Returns: The item as stored.
    /// - Throws: ``KeychainError/cannotEncode(_:)`` if the value cannot be encoded, or an error of ``save(_:secret:)``.
    @discardableResult
    public func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item,
        encoder: JSONEncoder? = nil
    ) throws(KeychainError) -> Stored<Item> {
        // Before the transaction: the value encodes itself, and may take its time.
        try (encoder ?? .sorted).withJSON(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// Returns the value that was stored in JSON as the secret of an item.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - reference: The reference to the item.
    ///   - decoder: The decoder.
    /// - Returns: The value, which was decoded in ordinary memory that is not wiped.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the item has no secret, or one that is not such a value,
    ///   ``KeychainError/itemNotFound`` if the item does not exist, or another ``KeychainError``.
    public func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        of reference: KeychainReference<Item>,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(KeychainError) -> Value {
        let value = try withSecret(of: reference) { (bytes) throws(KeychainError) in
            try decoder.value(Value.self, in: bytes)
        }
        guard let value else { throw .cannotDecode("\(Value.self)") }
        return value
    }

    /// Returns the value stored in JSON as the secret of the oldest item that matches all conditions, or nil if none does.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - itemType: The type of the item.
    ///   - conditions: The conditions that the item must match.
    ///   - decoder: The decoder.
    /// - Returns: The value, which was decoded in ordinary memory that is not wiped.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the item has no secret, or one that is not such a value, or
    ///   another ``KeychainError``.
    public func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        from itemType: Item.Type,
        where conditions: ItemCondition<Item>...,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(KeychainError) -> Value? {
        let secret: HeldSecret?
        do throws(KeychainError) {
            secret = try oldestSecret(where: .all(conditions))
        } catch {
            guard error == .itemNotFound else { throw error }
            return nil
        }
        guard let secret else { throw .cannotDecode("\(Value.self)") }
        return try secret.withSpan { (bytes) throws(KeychainError) in try decoder.value(Value.self, in: bytes) }
    }
}

extension KeychainTransaction {
    /// Stores a value in JSON as the secret of an item, adding the item or changing the one with the same primary key.
    @discardableResult
    public mutating func store<Item: KeychainItem>(
        _ value: some Encodable,
        as item: Item,
        encoder: JSONEncoder? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try (encoder ?? .sorted).withJSON(of: value) { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
    }

    /// Returns the value that was stored in JSON as the secret of an item.
    public mutating func load<Item: KeychainItem, Value: Decodable>(
        _ type: Value.Type = Value.self,
        of reference: KeychainReference<Item>,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(KeychainError) -> Value {
        let value = try withSecret(of: reference) { (bytes) throws(KeychainError) in
            try decoder.value(Value.self, in: bytes)
        }
        guard let value else { throw .cannotDecode("\(Value.self)") }
        return value
    }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// Lends `body` the JSON of a value, and wipes it afterwards.
    fileprivate func withJSON<Value: Encodable, Result>(
        of value: Value,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var json: Data
        do {
            json = try encode(value)
        } catch {
            // An error of the type may contain the secret, so only the name of the type is reported.
            throw .cannotEncode("\(Value.self)")
        }
        defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
        return try body(json.span)
    }
}

extension JSONDecoder {
    /// The value in JSON, of which the copy that the decoder needs is wiped.
    fileprivate func value<Value: Decodable>(
        _ type: Value.Type,
        in secret: Span<UInt8>
    ) throws(KeychainError) -> Value {
        var json = secret.withUnsafeBytes { Data($0) }
        defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
        do {
            return try decode(type, from: json)
        } catch {
            throw .cannotDecode("\(Value.self)")
        }
    }
}

extension Data: SecretSource {
    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}

extension Date {
    /// Creates the same date for Foundation.
    public init(_ date: KeychainDate) {
        self.init(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
    }
}

extension KeychainDate {
    /// Creates the same date for the keychain.
    public init(_ date: Date) {
        self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    }
}
