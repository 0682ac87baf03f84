internal import VaultFormat

/// What an item is: `kSecClass`.
///
/// ```swift
/// KeychainClass(rawValue: "inet")  // .internetPassword
/// ```
public enum KeychainClass: String, CaseIterable, Sendable {
    /// A password that is not one of a server.
    case genericPassword = "genp"
    /// A password of a server.
    case internetPassword = "inet"
    /// A certificate.
    case certificate = "cert"
    /// A cryptographic key.
    case key = "keys"
    /// A certificate and the private key that belongs to it, which are stored one by one.
    case identity = "idnt"

    /// The classes of the items that make up an item of this class; what both have, the first one says.
    var stored: [ItemClass] {
        switch self {
        case .genericPassword: [.genericPassword]
        case .internetPassword: [.internetPassword]
        case .certificate: [.certificate]
        case .key: [.key]
        case .identity: [.certificate, .key]
        }
    }
}

extension KeychainClass {
    /// The attributes that tell items of this class apart, in one group, beside those of all classes.
    package var primaryKey: [String] { stored.count == 1 ? stored[0].primaryKey : [] }

    /// The attributes that tell items of any class apart.
    package static let sharedPrimaryKey = ItemClass.sharedPrimaryKey

    /// The class of an item that is stored.
    init(_ itemClass: ItemClass) {
        self =
            switch itemClass {
            case .genericPassword: .genericPassword
            case .internetPassword: .internetPassword
            case .certificate: .certificate
            case .key: .key
            }
    }
}
