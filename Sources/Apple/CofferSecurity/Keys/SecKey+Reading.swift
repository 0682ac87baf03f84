internal import Coffer
internal import CofferBasics
internal import CofferKeyItems
internal import CofferCertificates
public import Foundation

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
