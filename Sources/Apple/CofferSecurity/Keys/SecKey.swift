package import Coffer
internal import CofferBasics
internal import CofferKeyItems
internal import CofferCertificates
public import Foundation

/// A public or private key.
///
/// Keys of the same kind with the same bytes are equal, whatever their attributes in a keychain.
public final class SecKey: NSObject, @unchecked Sendable {
    let key: AsymmetricKey
    /// The attributes of the item; for a new key only those that do not follow from the key itself.
    package let attributes: [String: ItemValue]
    /// Whether the key is that of an item.
    let isFromKeychain: Bool
    /// The access control of a private key that may only be used, and demands the user for that.
    private let usageControl: AccessControl?
    /// How the user is authenticated for that.
    private let authentication: CallAuthentication?

    /// Creates the key of a keychain item; nil if the item does not describe a public or private key of a known type,
    /// or its data is no such key.
    package convenience init?(
        _ reference: ItemReference,
        attributes: [String: ItemValue]? = nil,
        authenticating call: CallAuthentication? = nil
    ) {
        let attributes = attributes ?? reference.attributes
        guard let bytes = reference.data, let key = AsymmetricKey(bytes.span, itemAttributes: attributes) else {
            return nil
        }
        self.init(
            key,
            attributes: attributes,
            isFromKeychain: true,
            usageControl: reference.usageControl,
            authenticating: call
        )
    }

    init(
        _ key: AsymmetricKey,
        attributes: [String: ItemValue] = [:],
        isFromKeychain: Bool = false,
        usageControl: AccessControl? = nil,
        authenticating call: CallAuthentication? = nil
    ) {
        self.usageControl = usageControl
        authentication = call
        self.key = key
        self.attributes = attributes
        self.isFromKeychain = isFromKeychain
    }

    /// Whether `object` is the same key.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecKey)?.key == key }

    /// A hash of the public half.
    public override var hash: Int { key.hashValue }
}

extension SecKey: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secKey.rawValue }
}

/// Returns the type identifier of `SecKey`.
public func SecKeyGetTypeID() -> CFTypeID { CFTypeNumber.secKey.rawValue }

extension SecKey {
    /// Whether the bytes of the key may be read.
    var isExtractable: Bool { attributes["extr"]?.number != 0 && usageControl == nil }

    /// Asks the user if the access control of the private key demands that; returns why it may not be used, or nil.
    func refusal() -> KeychainError? {
        guard let usageControl else { return nil }
        var keychain = Keychain.default
        if let authentication { keychain = keychain.authenticating(authentication) }
        do throws(KeychainError) {
            try keychain.authenticate(for: usageControl)
            return nil
        } catch {
            return error
        }
    }
}
