package import Coffer
public import Foundation

/// A certificate: bytes that have the shape of one.
///
/// Two of the same bytes are equal. This version of Coffer does not read what a certificate says.
public final class SecCertificate: NSObject, @unchecked Sendable {
    let bytes: [UInt8]
    /// What the item says of the certificate; nil if it does not come from the keychain.
    package let attributes: [String: ItemValue]?

    /// The certificate that an item of the keychain is; nil if its data have not the shape of one.
    package convenience init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        self.init(bytes: bytes, attributes: reference.attributes)
    }

    init?(bytes: [UInt8], attributes: [String: ItemValue]?) {
        guard CertificateShape.fits(bytes) else { return nil }
        self.bytes = bytes
        self.attributes = attributes
    }

    /// Whether `object` is a certificate of the same bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.bytes == bytes
    }

    /// The same number for the same bytes.
    public override var hash: Int { bytes.hashValue }
}

extension SecCertificate: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secCertificate.rawValue }
}

/// The number of the type `SecCertificate`.
public func SecCertificateGetTypeID() -> CFTypeID { CFTypeNumber.secCertificate.rawValue }
