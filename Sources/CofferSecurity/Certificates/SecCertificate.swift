package import Coffer
public import Foundation

/// A certificate: bytes that have the shape of one.
///
/// Certificates with the same bytes are equal. This version of Coffer does not read the contents of a certificate.
public final class SecCertificate: NSObject, @unchecked Sendable {
    let bytes: [UInt8]
    /// The attributes of the item; nil if the certificate does not come from the keychain.
    package let attributes: [String: ItemValue]?

    /// Creates the certificate of a keychain item; nil if the item's data does not have the shape of a certificate.
    package convenience init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        self.init(bytes: bytes, attributes: reference.attributes)
    }

    init?(bytes: [UInt8], attributes: [String: ItemValue]?) {
        guard CertificateShape.fits(bytes) else { return nil }
        self.bytes = bytes
        self.attributes = attributes
    }

    /// Whether `object` is a certificate with the same bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.bytes == bytes
    }

    /// A hash of the bytes.
    public override var hash: Int { bytes.hashValue }
}

extension SecCertificate: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secCertificate.rawValue }
}

/// Returns the type identifier of `SecCertificate`.
public func SecCertificateGetTypeID() -> CFTypeID { CFTypeNumber.secCertificate.rawValue }
