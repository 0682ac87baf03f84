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

/// Apple's status for a certificate without a common name; it has no public name.
let errSecInternal: OSStatus = -26276

/// Creates a certificate from its DER bytes; nil if they do not begin with one.
///
/// Bytes after the certificate are ignored.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(bytes: [UInt8](data as Data), attributes: nil)
}

/// Returns the DER bytes of `certificate`.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    Data(certificate.bytes) as NSData
}

/// Returns a short name of the subject to display: the common name, else an e-mail address or another name.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.subjectSummary as NSString?
}

/// Writes the last common name of the subject; without one, writes nothing and returns -26276.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.certificate.commonName else { return errSecInternal }
    commonName.pointee = name as NSString
    return errSecSuccess
}

/// Writes the e-mail addresses of the subject, those of the alternative names first; the list may be empty.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate,
    _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = certificate.certificate.emailAddresses as NSArray
    return errSecSuccess
}

/// Returns the name of the subject in the form that the keychain compares; nil if it is malformed.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    normalizedSequence(certificate.certificate.subjectName)
}

/// Returns the name of the issuer in the form that the keychain compares; nil if it is malformed.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    normalizedSequence(certificate.certificate.issuerName)
}

private func normalizedSequence(_ name: DistinguishedName?) -> CFData? {
    guard let name else { return nil }
    var sequence: [UInt8] = []
    sequence.append(.sequence, content: name.normalized)
    return Data(sequence) as NSData
}

/// Returns the content of the serial number as it is encoded, with any leading zero byte.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    Data(certificate.bytes[certificate.certificate.serialNumber]) as NSData
}

/// Returns the start of the validity.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: TimeInterval(certificate.certificate.notValidBefore))
}

/// Returns the end of the validity.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: TimeInterval(certificate.certificate.notValidAfter))
}

/// Returns the public key; nil if its kind is not supported, or its bytes are malformed.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    AsymmetricKey(of: certificate.certificate).map { SecKey($0) }
}

/// Returns the public key: the older name of `SecCertificateCopyKey` on iOS.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// Writes the public key, as an older function of macOS; writes nothing and returns `errSecUnsupportedKeyFormat` if the
/// kind of the key is not supported, or its bytes are malformed.
@discardableResult
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate,
    _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let publicKey = SecCertificateCopyKey(certificate) else { return errSecUnsupportedKeyFormat }
    key.pointee = publicKey
    return errSecSuccess
}
