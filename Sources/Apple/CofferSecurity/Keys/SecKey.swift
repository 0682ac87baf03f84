package import Coffer
internal import CofferBasics
internal import CofferCertificates
internal import CofferKeyItems
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

/// Returns the public half of a private key, or a public key itself, without attributes of an item.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    (try? key.key.publicKey).map { SecKey($0) }
}

/// Returns what `key` is and can be used for, with `kSecAttrKeyClass` and `kSecAttrKeyType` as strings.
///
/// The attributes of an item, such as its label, are not among them; nor are the bytes of a key that is not extractable.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    var attributes: [String: Any] = ["class": kSecClassKey]
    for (name, value) in key.key.itemAttributes {
        attributes[name] =
            switch value {
            case .bool(let isTrue): isTrue ? kCFBooleanTrue as Any : kCFBooleanFalse as Any
            case .integer(let number) where name == "kcls" || name == "type": String(number) as NSString
            default: value.object as Any
            }
    }
    if key.isExtractable {
        attributes[Query.dataKey] = key.key.withBytes { NSData(copying: $0) }
    } else {
        attributes["extr"] = kCFBooleanFalse
    }
    return attributes as NSDictionary
}

/// Returns the bytes of `key`; nil, with the error `errSecKeyIsSensitive`, if the key is not extractable.
///
/// They are PKCS #1 for RSA; for a curve the uncompressed point, followed in a private key by the private number; 32
/// bytes for Ed25519 and X25519.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.isExtractable else {
        error.report(over: .status(errSecKeyIsSensitive, "The key is not extractable"))
        return nil
    }
    return key.key.withBytes { NSData(copying: $0) }
}

/// Returns the block size of `key` in bytes: that of the modulus, or of a coordinate.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.key.kind.blockByteCount }
