/// The passwords of one service, by account.
///
/// They are the generic passwords of that service, which `coffer get SERVICE ACCOUNT` prints too.
///
/// ```swift
/// let passwords = keychain.passwords(service: "api")
/// try passwords.set(token, for: account)
/// let stored = try passwords[account]  // nil if the account has no password; a locked one is an error
/// ```
public struct ServicePasswords: Sendable {
    /// The service.
    public let service: String
    package let keychain: Keychain

    /// The password of an account; nil if it has no password.
    ///
    /// The text is a copy that cannot be wiped, of which the keychain keeps nothing; ``withPassword(of:_:)`` reads the
    /// password in memory that is wiped. Of several items, such as those of several groups, the
    /// oldest counts, and of those with one name the newest.
    ///
    /// - Throws: ``KeychainError/locked`` if the password is or may be locked, ``KeychainError/cannotDecode(_:)`` if it
    ///   is not valid UTF-8, or another ``KeychainError``.
    public subscript(account: String) -> String? {
        get throws(KeychainError) {
            try withPassword(of: account, String.init(secret:))
        }
    }

    /// Lends `body` the password of an account, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - body: A closure that uses the bytes; if it copies them, it must wipe the copy.
    /// - Returns: The result of `body`, or nil if there is no password.
    /// - Throws: The error of `body`, ``KeychainError/locked`` if the password is or may be locked, or another
    ///   ``KeychainError``.
    public func withPassword<Result>(
        of account: String,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try keychain.withOldestSecret([.password(service, account)], body)
    }

    /// Stores a password: replaces the one that the account has, or adds one.
    ///
    /// - Parameters:
    ///   - password: The password: a `String`, an array of bytes, a `Span` or a ``Passphrase``.
    ///   - account: The account.
    /// - Throws: ``KeychainError/locked`` if the password is or may be locked, or another ``KeychainError``.
    public func set(
        _ password: borrowing some SecretSource & ~Copyable & ~Escapable,
        for account: String
    ) throws(KeychainError) {
        try password.withSecretBytes { (bytes) throws(KeychainError) in
            try keychain.transaction { (transaction) throws(KeychainError) in
                try transaction.setPassword(bytes, service, account)
            }
        }
    }

    /// Deletes the password of an account, even if it is locked; its past stays as long as ``HistorySettings`` say.
    ///
    /// - Parameter account: The account.
    /// - Returns: Whether there was one.
    /// - Throws: ``KeychainError``.
    @discardableResult
    public func remove(_ account: String) throws(KeychainError) -> Bool {
        try keychain.deleteAll(GenericPassword.self, where: .password(service, account)) > 0
    }

    /// Returns the accounts that have a password, the oldest first.
    ///
    /// - Returns: The accounts, without those that are not valid UTF-8.
    /// - Throws: ``KeychainError/locked`` if an item of the service may be locked, or another ``KeychainError``.
    public func accounts() throws(KeychainError) -> [String] {
        var known: Set<[UInt8]> = []
        let accounts = try keychain.items(where: .password(service)).map(\.accountBytes)
        return accounts.filter { known.insert($0).inserted }.compactMap { String(validating: $0, as: UTF8.self) }
    }
}

extension ItemCondition<GenericPassword> {
    /// The condition for the passwords of a service, or for that of one account.
    package static func password(_ service: String, _ account: String? = nil) -> Self {
        .all([.service(service), .synchronizable(.any)] + (account.map { [.account($0)] } ?? []))
    }
}

extension KeychainTransaction {
    /// Replaces the password of an account, or adds one.
    package mutating func setPassword(
        _ password: Span<UInt8>,
        _ service: String,
        _ account: String
    ) throws(KeychainError) {
        if let found = try item(where: .password(service, account)) {
            try setSecret(password, of: found.reference)
        } else {
            try add(GenericPassword(service: service, account: account), secret: password)
        }
    }
}

extension Keychain {
    /// Returns the passwords of a service, by account.
    ///
    /// ```swift
    /// let token = try keychain.passwords(service: "api")[account]
    /// ```
    ///
    /// - Parameter service: The service.
    /// - Returns: The passwords.
    public func passwords(service: String) -> ServicePasswords { ServicePasswords(service: service, keychain: self) }
}
