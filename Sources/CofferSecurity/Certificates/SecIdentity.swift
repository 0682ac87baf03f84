package import Coffer
public import Foundation

/// An identity: a certificate and the private key that belongs to it.
///
/// Identities with the same attributes and bytes are equal.
public final class SecIdentity: NSObject, @unchecked Sendable {
    private let attributes: [String: ItemValue]
    private let keyBytes: [UInt8]

    /// Creates the identity of a keychain item; nil if the item has no data.
    package init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        attributes = reference.attributes
        keyBytes = bytes
    }

    /// Whether `object` is an identity with the same attributes and bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecIdentity else { return false }
        return other.keyBytes == keyBytes && other.attributes == attributes
    }

    /// A hash of the key's bytes.
    public override var hash: Int { keyBytes.hashValue }
}

extension SecIdentity {
    /// The attributes that keys have and certificates do not.
    ///
    /// Where both have an attribute, an identity carries the certificate's value; so only these describe the key.
    private static let keyAttributes: Set<String> = [
        "kcls", "perm", "priv", "modi", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat", "sens", "asen",
        "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp",
    ]

    /// Attributes that both have but either may lack, so it is unknown which half a value belongs to.
    private static let ambiguousAttributes: Set<String> = ["labl", "alis", "certdata"]

    /// The certificate; nil if its bytes do not have the shape of one.
    var certificate: SecCertificate? {
        guard case .data(let bytes)? = attributes["certdata"] else { return nil }
        let others = Self.keyAttributes.union(Self.ambiguousAttributes)
        return SecCertificate(bytes: bytes, attributes: attributes.filter { !others.contains($0.key) })
    }

    /// The private key; nil if the attributes do not describe a private key.
    var privateKey: SecKey? {
        let key = SecKey(attributes: attributes.filter { Self.keyAttributes.contains($0.key) }, bytes: keyBytes)
        return key?.kind.half == .privateKey ? key : nil
    }
}

extension SecIdentity: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secIdentity.rawValue }
}

/// Returns the type identifier of `SecIdentity`.
public func SecIdentityGetTypeID() -> CFTypeID { CFTypeNumber.secIdentity.rawValue }

/// Writes the certificate of `identity`; returns `errSecInvalidItemRef` and writes nothing if the item holds none.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity,
    _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    guard let found = identity.certificate else { return errSecInvalidItemRef }
    certificate.pointee = found
    return errSecSuccess
}

/// Writes the private key of `identity`; returns `errSecInvalidItemRef` and writes nothing if its attributes do not
/// describe one.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity,
    _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let found = identity.privateKey else { return errSecInvalidItemRef }
    privateKey.pointee = found
    return errSecSuccess
}
