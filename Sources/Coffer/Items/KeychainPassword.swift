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
        get { attributes[keyText: "acct"] }
        set { attributes[keyText: "acct"] = newValue }
    }

    /// What kind of item it is, as people are told: `kSecAttrDescription`.
    public var itemDescription: AttributeText? {
        get { attributes[text: "desc"] }
        set { attributes[text: "desc"] = newValue }
    }

    /// What its user noted: `kSecAttrComment`.
    public var comment: AttributeText? {
        get { attributes[text: "icmt"] }
        set { attributes[text: "icmt"] = newValue }
    }

    /// The program that made it, a number of four letters: `kSecAttrCreator`.
    public var creator: Int? {
        get { attributes[number: "crtr"] }
        set { attributes[number: "crtr"] = newValue }
    }

    /// What the program takes it for, a number of four letters: `kSecAttrType`.
    public var type: Int? {
        get { attributes[number: "type"] }
        set { attributes[number: "type"] = newValue }
    }

    /// In which script its texts are: `kSecAttrScriptCode`.
    public var scriptCode: Int? {
        get { attributes[number: "scrp"] }
        set { attributes[number: "scrp"] = newValue }
    }

    /// Whether it is not shown to people: `kSecAttrIsInvisible`; nil if nobody said.
    public var isInvisible: Bool? {
        get { attributes[flag: "invi"] }
        set { attributes[flag: "invi"] = newValue }
    }

    /// Whether the password is asked for each time, and not stored: `kSecAttrIsNegative`; nil if nobody said.
    public var isNegative: Bool? {
        get { attributes[flag: "nega"] }
        set { attributes[flag: "nega"] = newValue }
    }

    /// Whether it has an icon of its own: `kSecAttrHasCustomIcon`; nil if nobody said.
    public var hasCustomIcon: Bool? {
        get { attributes[flag: "cusi"] }
        set { attributes[flag: "cusi"] = newValue }
    }

    /// An attribute of old keychains, `prot`, that has no other name.
    public var protectedData: AttributeText? {
        get { attributes[text: "prot"] }
        set { attributes[text: "prot"] = newValue }
    }
}
