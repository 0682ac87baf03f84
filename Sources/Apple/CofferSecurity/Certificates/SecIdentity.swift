package import Coffer
internal import CofferCertificates
public import Foundation

/// An identity: a certificate and the private key that belongs to it.
///
/// Identities with equal certificates and keys are equal.
public final class SecIdentity: NSObject, @unchecked Sendable {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// Creates the identity of a keychain item; nil if it is not made of a certificate and a private key.
    package init?(_ reference: ItemReference, authenticating call: CallAuthentication? = nil) {
        guard case .data(let certificateBytes)? = reference.attributes["certdata"] else { return nil }
        let attributes = reference.attributes.filter { !Self.ambiguousAttributes.contains($0.key) }
        let certificateAttributes = attributes.filter { !Self.keyAttributes.contains($0.key) }
        let keyAttributes = attributes.filter { Self.keyAttributes.contains($0.key) }
        guard let certificate = SecCertificate(bytes: certificateBytes, attributes: certificateAttributes),
            let privateKey = SecKey(reference, attributes: keyAttributes, authenticating: call),
            privateKey.key.isPrivate
        else { return nil }
        self.certificate = certificate
        self.privateKey = privateKey
    }

    init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// The attributes that keys have and certificates do not.
    ///
    /// Where both have an attribute, an identity carries the certificate's value; so only these describe the key.
    private static let keyAttributes: Set<String> = [
        "kcls", "perm", "priv", "modi", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat", "sens", "asen",
        "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp",
    ]

    /// Attributes that both have but either may lack, so it is unknown which half a value belongs to.
    private static let ambiguousAttributes: Set<String> = ["labl", "alis", "certdata"]

    /// Whether `object` is an identity with an equal certificate and key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecIdentity else { return false }
        return other.certificate == certificate && other.privateKey == privateKey
    }

    /// A hash of the certificate.
    public override var hash: Int { certificate.hash }
}

extension SecIdentity: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secIdentity.rawValue }
}

/// Returns the type identifier of `SecIdentity`.
public func SecIdentityGetTypeID() -> CFTypeID { CFTypeNumber.secIdentity.rawValue }

/// Creates an identity; nil unless `privateKey` is the private half of the key in the certificate.
public func SecIdentityCreate(
    _ allocator: CFAllocator?,
    _ certificate: SecCertificate,
    _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.key.isPrivate,
        AsymmetricKey(of: certificate.certificate)?.publicBytes == privateKey.key.publicBytes
    else { return nil }
    return SecIdentity(certificate, privateKey)
}

/// Writes the certificate of `identity`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity,
    _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificate.pointee = identity.certificate
    return errSecSuccess
}

/// Writes the private key of `identity`.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity,
    _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKey.pointee = identity.privateKey
    return errSecSuccess
}
