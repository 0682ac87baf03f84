/// A password for a server: `kSecClassInternetPassword`.
///
/// Two of them are different items if they differ in account, security domain, server, protocol, authentication type,
/// port, path, group or whether they are synchronizable.
///
/// ```swift
/// var login = InternetPassword(server: "example.com", account: "kim", protocol: .https)
/// login.port = 8443
/// try keychain.add(login, secret: "hunter2")
/// ```
public struct InternetPassword: KeychainPassword {
    /// The class of these items.
    public static var itemClass: KeychainClass { .internetPassword }

    /// The attributes, by Apple's names.
    public var attributes: AttributeValues

    /// Creates an item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// Creates the password of `account` on `server`.
    public init(server: String = "", account: String = "", protocol: InternetProtocol? = nil) {
        self.init(attributes: AttributeValues())
        self.server = server
        self.account = account
        self.protocol = `protocol`
    }

    /// The name or address of the server: `kSecAttrServer`.
    public var server: String {
        get { attributes[keyText: .server] }
        set { attributes[keyText: .server] = newValue }
    }

    /// The bytes of the server, which need not be UTF-8.
    public var serverBytes: [UInt8] {
        get { attributes[keyTextBytes: .server] }
        set { attributes[keyTextBytes: .server] = newValue }
    }

    /// The part of the server that the password is for: `kSecAttrSecurityDomain`.
    public var securityDomain: String {
        get { attributes[keyText: .securityDomain] }
        set { attributes[keyText: .securityDomain] = newValue }
    }

    /// The bytes of the security domain, which need not be UTF-8.
    public var securityDomainBytes: [UInt8] {
        get { attributes[keyTextBytes: .securityDomain] }
        set { attributes[keyTextBytes: .securityDomain] = newValue }
    }

    /// The protocol of the server: `kSecAttrProtocol`; nil if not set.
    public var `protocol`: InternetProtocol? {
        get { attributes[.protocol].flatMap { InternetProtocol($0) } }
        set { attributes[.protocol] = newValue?.value }
    }

    /// How a client authenticates to the server: `kSecAttrAuthenticationType`; nil if not set.
    public var authenticationType: AuthenticationType? {
        get {
            let text = attributes[keyText: .authenticationType]
            return text.isEmpty ? nil : AuthenticationType(rawValue: text)
        }
        set { attributes[keyText: .authenticationType] = newValue?.rawValue ?? "" }
    }

    /// The port: `kSecAttrPort`; 0 if not set or not a whole number.
    public var port: Int {
        get { attributes[keyNumber: .port] }
        set { attributes[keyNumber: .port] = newValue }
    }

    /// The path on the server: `kSecAttrPath`.
    public var path: String {
        get { attributes[keyText: .path] }
        set { attributes[keyText: .path] = newValue }
    }

    /// The bytes of the path, which need not be UTF-8.
    public var pathBytes: [UInt8] {
        get { attributes[keyTextBytes: .path] }
        set { attributes[keyTextBytes: .path] = newValue }
    }
}
