internal import VaultFormat

/// The class of an item: `kSecClass`.
///
/// ```swift
/// KeychainClass(rawValue: "inet")  // .internetPassword
/// ```
public enum KeychainClass: String, CaseIterable, Sendable {
    /// A password that is not for a server.
    case genericPassword = "genp"
    /// A password for a server.
    case internetPassword = "inet"
    /// A certificate.
    case certificate = "cert"
    /// A cryptographic key.
    case key = "keys"
    /// A certificate and its private key, which are stored as two items.
    case identity = "idnt"

    /// The classes of the stored items that make up an item of this class.
    ///
    /// If two of them have an attribute of the same name, the first one defines it.
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
    /// The type of the items of this class; nil for identities, which are not stored as items.
    package var itemType: (any KeychainItem.Type)? {
        switch self {
        case .genericPassword: GenericPassword.self
        case .internetPassword: InternetPassword.self
        case .certificate: Certificate.self
        case .key: CryptographicKey.self
        case .identity: nil
        }
    }

    /// The attributes of the primary key in this class, without those of all classes.
    package var primaryKey: [String] { stored.count == 1 ? stored[0].primaryKey : [] }

    /// The attributes that are part of the primary key in all classes.
    package static let sharedPrimaryKey = ItemClass.sharedPrimaryKey

    /// The class of a stored item.
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
