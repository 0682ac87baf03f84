internal import CofferBasics
internal import VaultStore

/// The secrets of a configuration: the generic passwords of one service, by key.
///
/// The components of a key, joined by dots, are the account: the value of `["database", "password"]` for the service
/// `shop` is what `coffer set shop database.password` stores. A missing value is nil; a locked or damaged one is an
/// error. `Spec/configuration.md` shows the lines that make it a provider for swift-configuration.
///
/// ```swift
/// let secrets = ConfigurationSecrets(service: "shop", in: keychain)
/// let databasePassword: String? = try secrets.value(for: ["database", "password"])
/// let ports: [Int]? = try secrets.values(for: ["database", "ports"])
/// ```
public struct ConfigurationSecrets: Sendable {
    private enum Source: Sendable {
        case keychain
        case frozen(Result<[[UInt8]: Passphrase], KeychainError>)
    }

    let service: String
    let keychain: Keychain
    private var source = Source.keychain

    /// Creates the configuration with the generic passwords for `service`.
    public init(service: String, in keychain: Keychain = .default) {
        self.service = service
        self.keychain = keychain
    }

    /// Returns the account of the item with the value of a key.
    public func account(for key: [String]) -> String { key.joined(separator: ".") }

    /// Returns the value of a key as a `String`, an `Int` or the like; it cannot be wiped.
    ///
    /// Use ``ServicePasswords/withPassword(of:_:)`` with ``account(for:)`` to read it in memory that is wiped.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - key: The components of the key.
    /// - Returns: The value, or nil if there is no item, or it has no secret.
    /// - Throws: ``KeychainError/locked`` if the item is or may be locked, ``KeychainError/cannotDecode(_:)`` if the
    ///   secret is not such a value, or another ``KeychainError``.
    public func value<Value: LosslessStringConvertible>(
        _ type: Value.Type = Value.self,
        for key: [String]
    ) throws(KeychainError) -> Value? {
        guard let secret = try secret(for: key) else { return nil }
        return try Self.decoded(text(secret))
    }

    /// Returns the values of a key that are separated by commas, without spaces around them.
    ///
    /// - Parameters:
    ///   - type: The type of each value.
    ///   - key: The components of the key.
    /// - Returns: The values, none if the secret is empty; nil if there is no item, or it has no secret.
    /// - Throws: ``KeychainError/locked`` if the item is or may be locked, ``KeychainError/cannotDecode(_:)`` if the
    ///   secret has another value, or another ``KeychainError``.
    public func values<Value: LosslessStringConvertible>(
        _ type: Value.Type = Value.self,
        for key: [String]
    ) throws(KeychainError) -> [Value]? {
        guard let secret = try secret(for: key) else { return nil }
        var values: [Value] = []
        for part in try text(secret).split(separator: ",") {
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            values.append(try Self.decoded(String(part)))
        }
        return values
    }

    /// Returns the bytes of a key, which cannot be wiped; nil if there is no item, or it has no secret.
    public func bytes(for key: [String]) throws(KeychainError) -> [UInt8]? {
        try secret(for: key)?.withBytes { [UInt8](copying: $0) }
    }

    /// Returns the configuration as it is now, which does not change.
    ///
    /// If one of its items is locked or damaged, every value of the result throws that error.
    public func frozen() -> ConfigurationSecrets {
        guard case .keychain = source else { return self }
        var frozen = self
        frozen.source = .frozen(Result(catching: secrets))
        return frozen
    }

    /// Whether all values of a configuration that does not change are known.
    var isReadable: Bool { if case .frozen(.success) = source { true } else { false } }

    /// Whether two configurations that do not change have the same value for a key, or all values if it is nil.
    func isSame(as other: ConfigurationSecrets, for key: [String]?) -> Bool {
        guard case .frozen(let secrets) = source, case .frozen(let others) = other.source else { return false }
        guard let key else { return secrets == others }
        let account = Array(account(for: key).utf8)
        return secrets.map { $0[account] } == others.map { $0[account] }
    }

    // MARK: - Secrets

    /// The secret for a key, in memory that is wiped when it is released.
    func secret(for key: [String]) throws(KeychainError) -> Passphrase? {
        let account = account(for: key)
        switch source {
        case .frozen(let secrets): return try secrets.get()[Array(account.utf8)]
        case .keychain:
            return try keychain.withOldestSecret([.password(service, account)]) { Passphrase($0) }
        }
    }

    /// All secrets, read at one moment.
    private func secrets() throws(KeychainError) -> [[UInt8]: Passphrase] {
        let target = ItemTarget([ItemCondition<GenericPassword>.password(service)])
        let found = try keychain.read(.readSecret, target) { (search, vault, authentication) in
            try search.items(in: &vault, authentication, limit: .max) { (found, vault) in
                let item = found.attributes.map { Stored<GenericPassword>(found.item, $0, in: vault).item }
                let secret = try authentication.secret(of: found.item, in: &vault).lent { Passphrase($0) }
                return (account: item?.accountBytes ?? [], secret: secret)
            }.all()
        }
        var secrets: [[UInt8]: Passphrase] = [:]
        // Of several items in different groups the oldest counts, as for a single value.
        for (account, secret) in found ?? [] where secrets[account] == nil { secrets[account] = secret }
        return secrets
    }

    private func text(_ secret: Passphrase) throws(KeychainError) -> String {
        try secret.withBytes(String.init(secret:))
    }

    private static func decoded<Value: LosslessStringConvertible>(_ text: String) throws(KeychainError) -> Value {
        guard let value = Value(text) else { throw .cannotDecode("\(Value.self)") }
        return value
    }
}

extension ConfigurationSecrets {
    /// Returns the configuration as it is now, and again after each change that any program makes to it.
    ///
    /// The elements do not change. Changes that arrive together are one element; a value that is locked or damaged
    /// is an error of the element, and watching goes on. The stream ends when the task that reads it is canceled.
    ///
    /// ```swift
    /// for await current in secrets.updates(of: ["database", "password"]) {
    ///     try await reconnect(current.value(for: ["database", "password"]))
    /// }
    /// ```
    ///
    /// - Parameter key: The components of the key whose changes count; nil for all keys.
    /// - Returns: The configurations.
    public func updates(of key: [String]? = nil) -> AsyncStream<ConfigurationSecrets> {
        keychain.states(
            isSame: { $0.isSame(as: $1, for: key) },
            isReadable: { $0.isReadable },
            current: { frozen() }
        )
    }
}
