public import Coffer

/// One password in the keychain, by service and account: the wrapper that apps have carried with them for years.
///
/// The best-known of these took the generic attribute for what tells items apart, and it does not: two wrappers with
/// different identifiers got in each other's way. Here service and account do.
///
/// ```swift
/// let wrapper = PasswordWrapper(service: "com.example.mail", account: "kim")
/// try wrapper.setPassword("hunter2")
/// let password = try wrapper.password()
/// try wrapper.reset()
/// ```
public struct PasswordWrapper: Sendable {
    /// What the password is for.
    public var service: String { place.service }
    /// Whose password it is.
    public let account: String
    private let place: SecretPlace

    /// The password of an account for a service.
    ///
    /// - Parameters:
    ///   - service: What it is for.
    ///   - account: Whose it is.
    ///   - group: The access group; nil for the first of the program.
    ///   - keychain: Where it is; nil for the default keychain of the moment.
    public init(service: String, account: String, group: String? = nil, keychain: DefaultKeychain? = nil) {
        place = SecretPlace(service: service, group: group, keychain: keychain)
        self.account = account
    }

    /// The password; nil if there is none.
    ///
    /// - Returns: A copy, which cannot be wiped.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if it is no text, and others.
    public func password() throws(PersistenceError) -> String? {
        try place.withStored(account) { keychain, item throws(KeychainError) in
            try keychain.secretText(of: item.reference)
        }
    }

    /// Keeps a password instead of the one that there was.
    ///
    /// ```swift
    /// try wrapper.setPassword("hunter2") { $0.label = "Mail of Kim" }
    /// ```
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - change: What else the item is to say, such as its label or when it can be read; what tells it from others stays.
    /// - Throws: Why the keychain does not keep it; what there was is there then.
    public func setPassword(
        _ password: some SecretSource,
        _ change: (inout GenericPassword) -> Void = { _ in }
    ) throws(PersistenceError) {
        try place.use { keychain throws(KeychainError) in
            let named = place.item(account, in: keychain)
            var item = named
            change(&item)
            (item.service, item.account) = (named.service, named.account)
            (item.accessGroup, item.isSynchronizable) = (named.accessGroup, named.isSynchronizable)
            try keychain.save(item, secret: password)
        }
    }

    /// The item as it is stored, without the password; nil if there is none.
    ///
    /// - Returns: The item.
    /// - Throws: Why the keychain does not tell.
    public func item() throws(PersistenceError) -> Stored<GenericPassword>? {
        try place.withStored(account) { _, item in item }
    }

    /// Deletes the password; that there is none is no error.
    ///
    /// - Throws: Why the keychain does not delete it.
    public func reset() throws(PersistenceError) {
        try place.delete(account)
    }
}
