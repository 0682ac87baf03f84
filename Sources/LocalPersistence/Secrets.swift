public import Coffer

/// The longest-lived rung: secrets in the vault, which stay when the app is removed.
///
/// Each is the archive of a `Codable` value, the secret of one generic password item: the name of its key is the account,
/// and all have the same service.
///
/// ```swift
/// try app.secrets.save(session, for: .session)
/// let session = try app.secrets.load(for: .session)
/// try app.secrets.delete(.session)
/// ```
public struct Secrets: PersistenceRung {
    private let place: SecretPlace
    private let accessibility: Accessibility

    /// The secrets of a service.
    ///
    /// - Parameters:
    ///   - service: The service of the items, such as the name of the app.
    ///   - group: The access group, such as one that the app shares with another; nil for the first of the program.
    ///   - accessibility: When what is stored from now on can be read.
    ///   - keychain: Where the items are; nil for the default keychain of the moment.
    public init(
        service: String,
        group: String? = nil,
        accessibility: Accessibility = .whenUnlocked,
        keychain: DefaultKeychain? = nil
    ) {
        place = SecretPlace(service: service, group: group, keychain: keychain)
        self.accessibility = accessibility
    }

    /// The same secrets in another access group.
    ///
    /// ```swift
    /// try app.secrets.inGroup("TEAM.com.example.shared").save(token, for: .token)
    /// ```
    ///
    /// - Parameter group: The access group; nil for the first of the program.
    /// - Returns: The secrets there.
    public func inGroup(_ group: String?) -> Secrets {
        Secrets(service: place.service, group: group, accessibility: accessibility, keychain: place.keychain)
    }

    /// The same secrets, but that what is stored from now on can be read at other times.
    ///
    /// ```swift
    /// try app.secrets.accessible(.afterFirstUnlock).save(token, for: .token)
    /// ```
    ///
    /// - Parameter accessibility: When it can be read.
    /// - Returns: The secrets.
    public func accessible(_ accessibility: Accessibility) -> Secrets {
        Secrets(service: place.service, group: place.group, accessibility: accessibility, keychain: place.keychain)
    }

    /// Keeps `value` instead of what there was for `key`.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError/cannotEncode(_:)``, or why the keychain does not keep it; what there was is there then.
    public func save<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        try place.use { keychain throws(KeychainError) in
            var item = place.item(key.name, in: keychain)
            item.accessibility = accessibility
            try keychain.store(value, as: item)
        }
    }

    /// The value for `key`; nil if there is none.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - key: The name of the value, and its type.
    /// - Returns: The value.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the item holds something else; it stays as it is. And others.
    public func load<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        try place.withStored(key.name) { keychain, item throws(KeychainError) in
            try keychain.load(Value.self, of: item.reference)
        }
    }

    /// Deletes the value for `key`, whatever its type; that there is none is no error.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: Why the keychain does not delete it.
    public func delete<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        try place.delete(key.name)
    }

    /// The names of all values, in the order in which they were first saved.
    ///
    /// - Returns: The names.
    /// - Throws: Why the keychain does not tell.
    public func names() throws(PersistenceError) -> [String] { try place.accounts() }

    /// Deletes all values, such as when a user signs out, or an app that came back begins anew.
    ///
    /// ```swift
    /// if try app.defaults.value(for: .hasBegun) == nil {
    ///     try app.secrets.deleteAll()
    ///     try app.defaults.set(true, for: .hasBegun)
    /// }
    /// ```
    ///
    /// - Throws: Why the keychain does not delete them; some may be gone then.
    public func deleteAll() throws(PersistenceError) {
        for name in try names() { try place.delete(name) }
    }

    /// The value for `key`: ``load(_:for:)``.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? { try load(for: key) }

    /// Keeps `value`: ``save(_:for:)``.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) { try save(value, for: key) }

    /// Forgets the value for `key`: ``delete(_:)``.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) { try delete(key) }
}
