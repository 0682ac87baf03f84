internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// Secrets are lent in memory that is wiped afterwards; what copies them says so.
extension Keychain {
    /// Lends `body` the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - body: What needs the bytes; who copies them has to wipe the copy.
    /// - Returns: What `body` returns; nil if the item has no secret, which is not the same as an empty one.
    /// - Throws: What `body` throws; ``KeychainError/itemNotFound``, ``KeychainError/locked`` and others.
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try secretBuffer(of: reference).lent(to: body)
    }

    /// Lends `body`, which may throw errors of its own, the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - body: What needs the bytes; who copies them has to wipe the copy.
    /// - Returns: What `body` returns; nil if the item has no secret, which is not the same as an empty one.
    /// - Throws: What `body` throws; ``KeychainError/itemNotFound``, ``KeychainError/locked`` and others.
    @_disfavoredOverload
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result? {
        try secretBuffer(of: reference).lent(to: body)
    }

    /// A copy of the secret of an item, which cannot be wiped; nil if it has none.
    ///
    /// - Parameter reference: What names the item.
    /// - Returns: The bytes.
    /// - Throws: ``KeychainError/itemNotFound``, ``KeychainError/locked`` and others.
    public func secret<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> [UInt8]? {
        try withSecret(of: reference) { bytes in [UInt8](copying: bytes) }
    }

    /// A copy of the secret of an item as text, which cannot be wiped; nil if it has none.
    ///
    /// - Parameter reference: What names the item.
    /// - Returns: The text.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is no text in UTF-8, and others.
    public func secretText<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> String? {
        try withSecret(of: reference) { (bytes) throws(KeychainError) in try String(secret: bytes) }
    }

    /// A copy of the secret, as text, of the oldest item that fulfils all conditions; it cannot be wiped.
    ///
    /// ```swift
    /// let password = try keychain.secretText(GenericPassword.self, where: .service("mail"), .account("kim"))
    /// ```
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What the item must be.
    /// - Returns: The text; nil if no item matches, or it has no secret.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is no text in UTF-8, and others.
    public func secretText<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> String? {
        try withOldestSecret(conditions) { (secret) throws(KeychainError) in
            try secret.lent { (bytes) throws(KeychainError) in try String(secret: bytes) }
        } ?? nil
    }

    /// The secret of an item; nil if it has none.
    private func secretBuffer<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> Secret? {
        try calls.announce(.readSecret) { reference.request }
        let search = try secretSearch(reference)
        return try read { (vault) throws(KeychainError) in try search.secret(in: &vault) }
    }

    /// Gives `body` the secret of the oldest item that fulfils all conditions; nil if none does.
    func withOldestSecret<Item: KeychainItem, Result>(
        _ conditions: [ItemCondition<Item>],
        _ body: (consuming Secret?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try calls.announce(.readSecret) { [String: ItemValue](announcing: conditions) }
        let search = try groups.search(Query(conditions, returning: .data), for: .find)
        let secret: Secret?
        do throws(KeychainError) {
            secret = try read { (vault) throws(KeychainError) in try search.secret(in: &vault) }
        } catch {
            guard error == .itemNotFound else { throw error }
            return nil
        }
        return try body(secret)
    }

    /// Looks for an item whatever it says.
    func secretSearch<Item: KeychainItem>(_ reference: KeychainReference<Item>) throws(KeychainError) -> ItemSearch {
        try groups.search(reference.query(returning: .data), for: .find)
    }
}

extension ItemSearch {
    /// The secret of the first item; nil if it has none.
    func secret(in vault: inout OpenGeneration) throws(KeychainError) -> Secret? {
        guard let found = try items(in: &vault, limit: 1).first else { throw .itemNotFound }
        return try translating(KeychainError.init, vault.secret(of: found.item))
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// Lends the bytes to `body`, if there are any.
    consuming func lent<Result: ~Copyable, Failure: Error>(
        to body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch consume self {
        case .some(let secret): try secret.withBytes(body)
        case .none: nil
        }
    }
}

extension String {
    /// The text that a secret is.
    init(secret: Span<UInt8>) throws(KeychainError) {
        guard let text = String(validating: [UInt8](copying: secret), as: UTF8.self) else {
            throw .cannotDecode("String")
        }
        self = text
    }
}
