package import Coffer
public import Foundation

/// An identity: a certificate, and the private key that belongs to it.
///
/// Two of the same attributes and bytes are equal.
public final class SecIdentity: NSObject, @unchecked Sendable {
    private let attributes: [String: ItemValue]
    private let keyBytes: [UInt8]

    /// The identity that an item of the keychain is; nil if the item has no data to make it of.
    package init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        attributes = reference.attributes
        keyBytes = bytes
    }

    /// Whether `object` is an identity of the same attributes and bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecIdentity else { return false }
        return other.keyBytes == keyBytes && other.attributes == attributes
    }

    /// The same number for the same bytes.
    public override var hash: Int { keyBytes.hashValue }
}

extension SecIdentity {
    /// The attributes that keys have and certificates have not.
    ///
    /// What both have, an identity says of its certificate only; so these are all that is known of the key.
    private static let keyAttributes: Set<String> = [
        "kcls", "perm", "priv", "modi", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat", "sens", "asen",
        "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp",
    ]

    /// What both have, but only one of them must have: whose it is can't be told.
    private static let ambiguousAttributes: Set<String> = ["labl", "alis", "certdata"]

    /// The certificate; nil if its bytes have not the shape of one.
    var certificate: SecCertificate? {
        guard case .data(let bytes)? = attributes["certdata"] else { return nil }
        let others = Self.keyAttributes.union(Self.ambiguousAttributes)
        return SecCertificate(bytes: bytes, attributes: attributes.filter { !others.contains($0.key) })
    }

    /// The private key; nil if the attributes do not say that it is one.
    var privateKey: SecKey? {
        let key = SecKey(attributes: attributes.filter { Self.keyAttributes.contains($0.key) }, bytes: keyBytes)
        return key?.kind.half == .privateKey ? key : nil
    }
}

extension SecIdentity: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secIdentity.rawValue }
}

/// The number of the type `SecIdentity`.
public func SecIdentityGetTypeID() -> CFTypeID { CFTypeNumber.secIdentity.rawValue }

/// Gives the certificate of `identity`; `errSecInvalidItemRef`, and nothing is written, if the keychain holds none.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity,
    _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    guard let found = identity.certificate else { return errSecInvalidItemRef }
    certificate.pointee = found
    return errSecSuccess
}

/// Gives the private key of `identity`; `errSecInvalidItemRef`, and nothing is written, if its item does not tell of
/// one.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity,
    _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let found = identity.privateKey else { return errSecInvalidItemRef }
    privateKey.pointee = found
    return errSecSuccess
}
