package import Coffer
internal import CofferCertificates
public import Foundation

/// An X.509 certificate.
///
/// Certificates with the same bytes are equal.
public final class SecCertificate: NSObject, @unchecked Sendable {
    let certificate: X509Certificate
    /// The attributes of the item; nil if the certificate does not come from the keychain.
    package let attributes: [String: ItemValue]?

    /// The DER of the certificate.
    var bytes: [UInt8] { certificate.bytes }

    /// Creates the certificate of a keychain item; nil if the item's data is not a certificate.
    package convenience init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        self.init(bytes: bytes, attributes: reference.attributes)
    }

    /// Creates a certificate that does not come from the keychain.
    init(_ certificate: X509Certificate) {
        self.certificate = certificate
        attributes = nil
    }

    init?(bytes: [UInt8], attributes: [String: ItemValue]?) {
        guard let certificate = try? X509Certificate(parsing: bytes) else { return nil }
        self.certificate = certificate
        self.attributes = attributes
    }

    /// Whether `object` is a certificate with the same bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.certificate == certificate
    }

    /// A hash of the bytes.
    public override var hash: Int { certificate.hashValue }
}

extension SecCertificate: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secCertificate.rawValue }
}

/// Returns the type identifier of `SecCertificate`.
public func SecCertificateGetTypeID() -> CFTypeID { CFTypeNumber.secCertificate.rawValue }
