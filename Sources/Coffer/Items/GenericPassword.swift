/// A password that is not one of a server: `kSecClassGenericPassword`.
///
/// Service, account, group and whether it is synchronizable tell such passwords apart.
///
/// ```swift
/// var login = GenericPassword(service: "mail", account: "kim")
/// login.label = "Mail at home"
/// try keychain.add(login, secret: "hunter2")
/// ```
public struct GenericPassword: KeychainPassword {
    /// The class of such items.
    public static var itemClass: KeychainClass { .genericPassword }

    /// The attributes by Apple's names.
    public var attributes: AttributeValues

    /// An item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// The password of `account` for `service`.
    public init(service: AttributeText = "", account: AttributeText = "") {
        self.init(attributes: AttributeValues())
        self.service = service
        self.account = account
    }

    /// What the password is for: `kSecAttrService`.
    public var service: AttributeText {
        get { attributes[keyText: .service] }
        set { attributes[keyText: .service] = newValue }
    }

    /// What the program wants to keep with it: `kSecAttrGeneric`.
    public var generic: AttributeText? {
        get { attributes[text: .generic] }
        set { attributes[text: .generic] = newValue }
    }
}
