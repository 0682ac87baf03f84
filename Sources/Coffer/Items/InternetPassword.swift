/// A password of a server: `kSecClassInternetPassword`.
///
/// Account, security domain, server, protocol, authentication, port, path, group and whether it is synchronizable tell
/// such passwords apart.
///
/// ```swift
/// var login = InternetPassword(server: "example.com", account: "kim", protocol: .https)
/// login.port = 8443
/// try keychain.add(login, secret: "hunter2")
/// ```
public struct InternetPassword: KeychainPassword {
    /// The class of such items.
    public static var itemClass: KeychainClass { .internetPassword }

    /// The attributes by Apple's names.
    public var attributes: AttributeValues

    /// An item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// The password of `account` on `server`.
    public init(server: AttributeText = "", account: AttributeText = "", protocol: InternetProtocol? = nil) {
        self.init(attributes: AttributeValues())
        self.server = server
        self.account = account
        self.protocol = `protocol`
    }

    /// The server, by its name or its address: `kSecAttrServer`.
    public var server: AttributeText {
        get { attributes[keyText: .server] }
        set { attributes[keyText: .server] = newValue }
    }

    /// The part of the server that the password is for: `kSecAttrSecurityDomain`.
    public var securityDomain: AttributeText {
        get { attributes[keyText: .securityDomain] }
        set { attributes[keyText: .securityDomain] = newValue }
    }

    /// How one speaks to the server: `kSecAttrProtocol`; nil if nobody said.
    public var `protocol`: InternetProtocol? {
        get { attributes[.protocol].flatMap { InternetProtocol($0) } }
        set { attributes[.protocol] = newValue?.value }
    }

    /// How the server is shown the password: `kSecAttrAuthenticationType`; nil if nobody said.
    public var authenticationType: AuthenticationType? {
        get {
            let text = attributes[keyText: .authenticationType]
            return text.isEmpty ? nil : AuthenticationType(rawValue: text)
        }
        set { attributes[keyText: .authenticationType] = newValue?.rawValue ?? "" }
    }

    /// The port, 0 if nobody said, or what was said is no whole number: `kSecAttrPort`.
    public var port: Int {
        get { attributes[keyNumber: .port] }
        set { attributes[keyNumber: .port] = newValue }
    }

    /// The path on the server: `kSecAttrPath`.
    public var path: AttributeText {
        get { attributes[keyText: .path] }
        set { attributes[keyText: .path] = newValue }
    }
}
