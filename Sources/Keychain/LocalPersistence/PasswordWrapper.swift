public import Coffer

/// One password in the keychain, identified by service and account, like the keychain wrappers that many apps include.
///
/// The best-known of these relied on the generic attribute to distinguish items, which it does not do: two wrappers
/// with different identifiers overwrote each other. Here, service and account distinguish them.
///
/// ```swift
/// let wrapper = PasswordWrapper(service: "com.example.mail", account: "kim")
/// try wrapper.setPassword("hunter2")
/// let password = try wrapper.password()
/// try wrapper.reset()
/// ```
public struct PasswordWrapper: Sendable {
    /// The service that the password is for.
    public var service: String { place.service }
    /// The account that the password belongs to.
    public let account: String
    private let place: KeychainService

    /// Creates access to the password of an account for a service.
    ///
    /// - Parameters:
    ///   - service: The service that the password is for.
    ///   - account: The account that the password belongs to.
    ///   - group: The access group; nil for the first of the program.
    ///   - keychain: The keychain; nil for the default keychain at the time of each call.
    public init(service: String, account: String, group: String? = nil, keychain: Keychain? = nil) {
        place = KeychainService(service: service, group: group, keychain: keychain)
        self.account = account
    }

    /// Returns the password; nil if none exists.
    ///
    /// - Returns: A copy, which cannot be wiped; `withSecret` of `Keychain`, with the reference of ``item()``, lends one that is.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the secret is not text, or another ``PersistenceError``.
    public func password() throws(PersistenceError) -> String? {
        try place.withStored(account) { keychain, item in try keychain.secretText(of: item.reference) }
    }

    /// Stores a password, and replaces the former one if there is one.
    ///
    /// ```swift
    /// try wrapper.setPassword("hunter2") { $0.label = "Mail of Kim" }
    /// ```
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - change: A function that sets other attributes, such as the label or when the item is readable; the
    ///     attributes that identify the item stay the same.
    /// - Throws: ``PersistenceError`` if the keychain cannot store it; the former password then remains.
    public func setPassword(
        _ password: some SecretSource,
        _ change: (inout GenericPassword) -> Void = { _ in }
    ) throws(PersistenceError) {
        try place.use { keychain in
            let named = try place.item(account, in: keychain)
            var item = named
            change(&item)
            (item.service, item.account) = (named.service, named.account)
            (item.accessGroup, item.isSynchronizable) = (named.accessGroup, named.isSynchronizable)
            try keychain.save(item, secret: password)
        }
    }

    /// Returns the stored item without the password; nil if none exists.
    ///
    /// - Returns: The item.
    /// - Throws: ``PersistenceError`` if the keychain cannot be read.
    public func item() throws(PersistenceError) -> Stored<GenericPassword>? {
        try place.withStored(account) { _, item in item }
    }

    /// Deletes the password, if there is one.
    ///
    /// - Throws: ``PersistenceError`` if the keychain cannot delete it.
    public func reset() throws(PersistenceError) {
        try place.delete(account)
    }
}
