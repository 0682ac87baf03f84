/// The password of an account that follows the vault: it is read each time, and ``projectedValue`` tells of changes.
///
/// ```swift
/// @VaultSecret(service: "api", account: "kim") var token
///
/// let authorization = try token.get().map { "Bearer \($0)" }  // nil if there is no token; locked is an error
/// ```
///
/// The value is a result, since a password that is locked is not absent. The text is a copy that cannot be wiped, and is
/// not kept here; ``ServicePasswords/withPassword(of:_:)`` reads the password in memory that is wiped.
@propertyWrapper public struct VaultSecret: Sendable {
    private let passwords: ServicePasswords
    private let account: String

    /// Creates the property for the password of `account` for `service`.
    public init(service: String, account: String, in keychain: Keychain = .default) {
        passwords = keychain.passwords(service: service)
        self.account = account
    }

    /// The password as it is now; nil stands for no password.
    public var wrappedValue: Result<String?, KeychainError> {
        Result { () throws(KeychainError) in try passwords[account] }
    }

    /// The states of the item from now on, as ``Keychain/updates(of:where:)``; read the property to get the password.
    public var projectedValue: AsyncStream<Result<Stored<GenericPassword>?, KeychainError>> {
        passwords.keychain.updates(where: .password(passwords.service, account))
    }
}
