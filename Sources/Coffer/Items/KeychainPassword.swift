internal import CofferBasics

/// What a ``GenericPassword`` and an ``InternetPassword`` have in common.
///
/// ```swift
/// func isHidden(_ password: some KeychainPassword) -> Bool {
///     password.isInvisible ?? false
/// }
/// ```
public protocol KeychainPassword: KeychainItem {}

extension KeychainPassword {
    /// Whose password it is: `kSecAttrAccount`.
    public var account: AttributeText {
        get { attributes[keyText: .account] }
        set { attributes[keyText: .account] = newValue }
    }

    /// What kind of item it is, as people are told: `kSecAttrDescription`.
    public var itemDescription: AttributeText? {
        get { attributes[text: .itemDescription] }
        set { attributes[text: .itemDescription] = newValue }
    }

    /// What its user noted: `kSecAttrComment`.
    public var comment: AttributeText? {
        get { attributes[text: .comment] }
        set { attributes[text: .comment] = newValue }
    }

    /// The program that made it, a number of four letters: `kSecAttrCreator`.
    public var creator: Int? {
        get { attributes[number: .creator] }
        set { attributes[number: .creator] = newValue }
    }

    /// What the program takes it for, a number of four letters: `kSecAttrType`.
    public var type: Int? {
        get { attributes[number: .type] }
        set { attributes[number: .type] = newValue }
    }

    /// In which script its texts are: `kSecAttrScriptCode`.
    public var scriptCode: Int? {
        get { attributes[number: .scriptCode] }
        set { attributes[number: .scriptCode] = newValue }
    }

    /// Whether it is not shown to people: `kSecAttrIsInvisible`; nil if nobody said.
    public var isInvisible: Bool? {
        get { attributes[flag: .isInvisible] }
        set { attributes[flag: .isInvisible] = newValue }
    }

    /// Whether the password is asked for each time, and not stored: `kSecAttrIsNegative`; nil if nobody said.
    public var isNegative: Bool? {
        get { attributes[flag: .isNegative] }
        set { attributes[flag: .isNegative] = newValue }
    }

    /// Whether it has an icon of its own: `kSecAttrHasCustomIcon`; nil if nobody said.
    public var hasCustomIcon: Bool? {
        get { attributes[flag: .hasCustomIcon] }
        set { attributes[flag: .hasCustomIcon] = newValue }
    }

    /// An attribute of old keychains, `prot`, that has no other name.
    public var protectedData: AttributeText? {
        get { attributes[text: .protectedData] }
        set { attributes[text: .protectedData] = newValue }
    }
}
