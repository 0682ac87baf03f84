/// A certificate, `kSecClassCertificate`, whose secret is the certificate in DER.
///
/// Two certificates are different items if they differ in type, issuer, serial number, group or whether they are
/// synchronizable. These attributes are not read from the DER: set them when you store a certificate.
///
/// ```swift
/// var certificate = Certificate(issuer: [0x30, 0x00], serialNumber: [7])
/// certificate.label = "Example CA"
/// try keychain.add(certificate, secret: [0x30, 0x03, 0x02, 0x01, 0x07])
/// ```
public struct Certificate: KeychainItem {
    /// The class of these items.
    public static var itemClass: KeychainClass { .certificate }

    /// The attributes, by Apple's names.
    public var attributes: AttributeValues

    /// Creates an item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// Creates a certificate with an issuer, a name in DER, and the serial number that the issuer assigned.
    public init(issuer: [UInt8] = [], serialNumber: [UInt8] = []) {
        self.init(attributes: AttributeValues())
        self.issuer = issuer
        self.serialNumber = serialNumber
    }

    /// The type of the certificate: `kSecAttrCertificateType`.
    public var certificateType: Int {
        get { attributes[keyNumber: .certificateType] }
        set { attributes[keyNumber: .certificateType] = newValue }
    }

    /// The encoding of the certificate: `kSecAttrCertificateEncoding`.
    public var certificateEncoding: Int? {
        get { attributes[number: .certificateEncoding] }
        set { attributes[number: .certificateEncoding] = newValue }
    }

    /// The issuer, a name in DER: `kSecAttrIssuer`.
    public var issuer: [UInt8] {
        get { attributes[keyData: .issuer] }
        set { attributes[keyData: .issuer] = newValue }
    }

    /// The serial number that the issuer assigned: `kSecAttrSerialNumber`.
    public var serialNumber: [UInt8] {
        get { attributes[keyData: .serialNumber] }
        set { attributes[keyData: .serialNumber] = newValue }
    }

    /// The subject, a name in DER: `kSecAttrSubject`.
    public var subject: [UInt8]? {
        get { attributes[data: .subject] }
        set { attributes[data: .subject] = newValue }
    }

    /// The identifier of the subject's key: `kSecAttrSubjectKeyID`.
    public var subjectKeyID: [UInt8]? {
        get { attributes[data: .subjectKeyID] }
        set { attributes[data: .subjectKeyID] = newValue }
    }

    /// A digest of the public key: `kSecAttrPublicKeyHash`.
    public var publicKeyHash: [UInt8]? {
        get { attributes[data: .publicKeyHash] }
        set { attributes[data: .publicKeyHash] = newValue }
    }
}
