/// A password that is not for a server: `kSecClassGenericPassword`.
///
/// Two of them are different items if they differ in service, account, group or whether they are synchronizable.
///
/// ```swift
/// var login = GenericPassword(service: "mail", account: "kim")
/// login.label = "Mail at home"
/// try keychain.add(login, secret: "hunter2")
/// ```
public struct GenericPassword: KeychainPassword {
    /// The class of these items.
    public static var itemClass: KeychainClass { .genericPassword }

    /// The attributes, by Apple's names.
    public var attributes: AttributeValues

    /// Creates an item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// Creates the password of `account` for `service`.
    public init(service: String = "", account: String = "") {
        self.init(attributes: AttributeValues())
        self.service = service
        self.account = account
    }

    /// What the password is for: `kSecAttrService`.
    public var service: String {
        get { attributes[keyText: .service] }
        set { attributes[keyText: .service] = newValue }
    }

    /// The bytes of the service, which need not be UTF-8.
    public var serviceBytes: [UInt8] {
        get { attributes[keyTextBytes: .service] }
        set { attributes[keyTextBytes: .service] = newValue }
    }

    /// The program's own data, as text: `kSecAttrGeneric`.
    public var generic: String? {
        get { attributes[text: .generic] }
        set { attributes[text: .generic] = newValue }
    }

    /// The program's own data, as bytes.
    public var genericBytes: [UInt8]? {
        get { attributes[data: .generic] }
        set { attributes[data: .generic] = newValue }
    }
}
