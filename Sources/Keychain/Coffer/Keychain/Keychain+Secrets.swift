package import CofferBasics
internal import VaultFormat
internal import VaultStore

// Secrets are lent in memory that is wiped afterwards; functions that copy them say so.
extension Keychain {
    /// Lends `body` the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - body: A closure that uses the bytes; if it copies them, it must wipe the copy.
    /// - Returns: The result of `body`, or nil if the item has no secret, which is not the same as an empty secret.
    /// - Throws: The error of `body`, ``KeychainError/itemNotFound`` if the item does not exist,
    ///   ``KeychainError/locked`` if it is locked, or another ``KeychainError``.
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try secret(of: ItemTarget(reference)).lent(to: body)
    }

    /// Lends `body`, which may throw any error, the secret of an item, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - body: A closure that uses the bytes; if it copies them, it must wipe the copy.
    /// - Returns: The result of `body`, or nil if the item has no secret, which is not the same as an empty secret.
    /// - Throws: The error of `body`, ``KeychainError/itemNotFound`` if the item does not exist,
    ///   ``KeychainError/locked`` if it is locked, or another ``KeychainError``.
    @_disfavoredOverload
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of reference: KeychainReference<Item>,
        _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result? {
        try secret(of: ItemTarget(reference)).lent(to: body)
    }

    /// Returns a copy of the secret of an item, which cannot be wiped; nil if it has none.
    ///
    /// Use ``withSecret(of:_:)`` to read it in memory that is wiped.
    ///
    /// - Parameter reference: The reference to the item.
    /// - Returns: The bytes.
    /// - Throws: ``KeychainError/itemNotFound`` if the item does not exist, ``KeychainError/locked`` if it is locked,
    ///   or another ``KeychainError``.
    public func secret<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> [UInt8]? {
        try withSecret(of: reference) { bytes in [UInt8](copying: bytes) }
    }

    /// Returns a copy of the secret of an item as text, which cannot be wiped; nil if it has none.
    ///
    /// The keychain keeps no copy of the text. Use ``withSecret(of:_:)`` to read it in memory that is wiped.
    ///
    /// - Parameter reference: The reference to the item.
    /// - Returns: The text.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is not valid UTF-8, or another ``KeychainError``.
    public func secretText<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> String? {
        try withSecret(of: reference, String.init(secret:))
    }

    /// Returns a copy, as text, of the secret of the oldest item that matches all conditions; it cannot be wiped.
    ///
    /// The keychain keeps no copy of the text. Use ``withSecret(of:_:)`` with the reference of the item, or
    /// ``ServicePasswords/withPassword(of:_:)``, to read it in memory that is wiped.
    ///
    /// ```swift
    /// let password = try keychain.secretText(GenericPassword.self, where: .service("mail"), .account("kim"))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the item.
    ///   - conditions: The conditions that the item must match.
    /// - Returns: The text, or nil if no item matches or it has no secret.
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the secret is not valid UTF-8, or another ``KeychainError``.
    public func secretText<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> String? {
        try withOldestSecret(conditions, String.init(secret:))
    }

    /// Returns the secret of the oldest item that matches all conditions, in wiped memory; nil if the item has none.
    package func oldestSecret<Item: KeychainItem>(
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> HeldSecret? {
        try secret(of: ItemTarget(conditions)).lent { HeldSecret(copying: $0) }
    }

    /// Lends `body` the secret of the oldest item that matches all conditions; returns nil if none does, or it has none.
    func withOldestSecret<Item: KeychainItem, Result>(
        _ conditions: [ItemCondition<Item>],
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        let found: Secret?
        do {
            found = try secret(of: ItemTarget(conditions))
        } catch .itemNotFound {
            return nil
        }
        return try found.lent(to: body)
    }

    /// Returns the secret of the oldest item of a target, or nil if the item has none.
    private func secret(of target: ItemTarget) throws(KeychainError) -> Secret? {
        let secret = try read(.readSecret, target, returning: .data) { try $0.secret(in: &$1, $2) }
        guard let secret else { throw .itemNotFound }
        return secret
    }
}

extension ItemSearch {
    /// Returns the secret of the first item, or nil if it has none.
    func secret(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> Secret? {
        guard let found = try items(in: &vault, authentication, limit: 1).first else {
            throw KeychainError.itemNotFound
        }
        return try authentication.secret(of: found.item, in: &vault)
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// Lends the bytes to `body`, if there is a secret.
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
    /// Creates the text of a secret.
    init(secret: Span<UInt8>) throws(KeychainError) {
        guard let text = try? UTF8Span(validating: secret) else { throw .cannotDecode("String") }
        // Nothing but the result is a copy, since no other copy could be wiped either.
        self.init(copying: text)
    }
}
