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
