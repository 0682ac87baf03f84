public import Coffer
internal import CofferFoundation

/// The longest-lived rung: secrets in the vault, which remain when the app is removed.
///
/// Each is a `Codable` value, in JSON as the secret of a generic password item. The account is the name of the key,
/// and all items have the same service.
///
/// ```swift
/// try app.secrets.set(session, for: .session)
/// let session = try app.secrets.value(for: .session)
/// try app.secrets.remove(.session)
/// ```
public struct Secrets: PersistenceRung {
    private let place: KeychainService
    private let accessibility: Accessibility

    /// Creates access to the secrets of a service.
    ///
    /// - Parameters:
    ///   - service: The service of the items, such as the name of the app.
    ///   - group: The access group, such as one that the app shares with another; nil for the first of the program.
    ///   - accessibility: When newly stored secrets are readable.
    ///   - keychain: The keychain; nil for the default keychain at the time of each call.
    public init(
        service: String,
        group: String? = nil,
        accessibility: Accessibility = .whenUnlocked,
        keychain: Keychain? = nil
    ) {
        place = KeychainService(service: service, group: group, keychain: keychain)
        self.accessibility = accessibility
    }

    /// Returns the same secrets in another access group.
    ///
    /// ```swift
    /// try app.secrets.inGroup("TEAM.com.example.shared").set(token, for: .token)
    /// ```
    ///
    /// - Parameter group: The access group; nil for the first of the program.
    /// - Returns: The secrets in that group.
    public func inGroup(_ group: String?) -> Secrets {
        Secrets(service: place.service, group: group, accessibility: accessibility, keychain: place.keychain)
    }

    /// Returns the same secrets, but with another accessibility for those that are stored through it.
    ///
    /// ```swift
    /// try app.secrets.accessible(.afterFirstUnlock).set(token, for: .token)
    /// ```
    ///
    /// - Parameter accessibility: When newly stored secrets are readable.
    /// - Returns: The secrets with this accessibility.
    public func accessible(_ accessibility: Accessibility) -> Secrets {
        Secrets(service: place.service, group: place.group, accessibility: accessibility, keychain: place.keychain)
    }

    /// Stores `value`, and replaces the former value for `key`.
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError/cannotEncode(_:)``, or another ``PersistenceError`` if the keychain cannot store
    ///   it; the former value then remains.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        try place.use { keychain in
            var item = try place.item(key.name, in: keychain)
            item.accessibility = accessibility
            try keychain.store(value, as: item)
        }
    }

    /// Returns the value for `key`; nil if none exists.
    ///
    /// - Parameter key: The name and type of the value.
    /// - Returns: The value.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the item holds something else (it is left unchanged), or
    ///   another ``PersistenceError`` if the keychain cannot be read.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        try place.withStored(key.name) { keychain, item in
            try keychain.load(Value.self, of: item.reference)
        }
    }

    /// Deletes the value for `key`, if there is one, whatever its type.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: ``PersistenceError`` if the keychain cannot delete it.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        try place.delete(key.name)
    }

    /// Returns the names of all values, in the order in which they were first stored.
    ///
    /// - Returns: The names.
    /// - Throws: ``PersistenceError`` if the keychain cannot be read.
    public func names() throws(PersistenceError) -> [String] { try place.accounts() }

    /// Deletes all values, for example when a user signs out or a reinstalled app starts anew.
    ///
    /// ```swift
    /// if try app.defaults.value(for: .hasBegun) == nil {
    ///     try app.secrets.removeAll()
    ///     try app.defaults.set(true, for: .hasBegun)
    /// }
    /// ```
    ///
    /// - Throws: ``PersistenceError`` if the keychain cannot delete them; some may already be deleted.
    public func removeAll() throws(PersistenceError) {
        for name in try names() { try place.delete(name) }
    }
}
