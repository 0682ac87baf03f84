internal import CofferBasics

/// The attributes that ``GenericPassword`` and ``InternetPassword`` have in common.
///
/// ```swift
/// func isHidden(_ password: some KeychainPassword) -> Bool {
///     password.isInvisible ?? false
/// }
/// ```
public protocol KeychainPassword: KeychainItem {}

extension KeychainPassword {
    /// The account that the password belongs to: `kSecAttrAccount`.
    public var account: String {
        get { attributes[keyText: .account] }
        set { attributes[keyText: .account] = newValue }
    }

    /// The bytes of the account, which need not be UTF-8.
    public var accountBytes: [UInt8] {
        get { attributes[keyTextBytes: .account] }
        set { attributes[keyTextBytes: .account] = newValue }
    }

    /// The kind of item, as shown to people: `kSecAttrDescription`.
    public var itemDescription: String? {
        get { attributes[text: .itemDescription] }
        set { attributes[text: .itemDescription] = newValue }
    }

    /// A comment by the user: `kSecAttrComment`.
    public var comment: String? {
        get { attributes[text: .comment] }
        set { attributes[text: .comment] = newValue }
    }

    /// The program that created the item, as a four-character code: `kSecAttrCreator`.
    public var creator: Int? {
        get { attributes[number: .creator] }
        set { attributes[number: .creator] = newValue }
    }

    /// The program's type for the item, as a four-character code: `kSecAttrType`.
    public var type: Int? {
        get { attributes[number: .type] }
        set { attributes[number: .type] = newValue }
    }

    /// The script that its text is written in: `kSecAttrScriptCode`.
    public var scriptCode: Int? {
        get { attributes[number: .scriptCode] }
        set { attributes[number: .scriptCode] = newValue }
    }

    /// Whether the item is hidden from people: `kSecAttrIsInvisible`; nil if not set.
    public var isInvisible: Bool? {
        get { attributes[flag: .isInvisible] }
        set { attributes[flag: .isInvisible] = newValue }
    }

    /// Whether the password is not stored but asked for each time: `kSecAttrIsNegative`; nil if not set.
    public var isNegative: Bool? {
        get { attributes[flag: .isNegative] }
        set { attributes[flag: .isNegative] = newValue }
    }

    /// Whether the item has an icon of its own: `kSecAttrHasCustomIcon`; nil if not set.
    public var hasCustomIcon: Bool? {
        get { attributes[flag: .hasCustomIcon] }
        set { attributes[flag: .hasCustomIcon] = newValue }
    }

    /// An attribute of old keychains, `prot`, that has no other name.
    public var protectedData: [UInt8]? {
        get { attributes[data: .protectedData] }
        set { attributes[data: .protectedData] = newValue }
    }
}

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
        passwords.keychain.updates(
            of: GenericPassword.self,
            whereAll: .passwords(passwords.service, account)
        )
    }
}
