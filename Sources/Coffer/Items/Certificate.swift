/// A certificate: `kSecClassCertificate`, whose data are its DER.
///
/// Type, issuer, serial number, group and whether it is synchronizable tell certificates apart. Nobody reads them from the
/// DER here: who stores a certificate says them.
///
/// ```swift
/// var certificate = Certificate(issuer: [0x30, 0x00], serialNumber: [7])
/// certificate.label = "Example CA"
/// try keychain.add(certificate, secret: [0x30, 0x03, 0x02, 0x01, 0x07])
/// ```
public struct Certificate: KeychainItem {
    /// The class of such items.
    public static var itemClass: KeychainClass { .certificate }

    /// The attributes by Apple's names.
    public var attributes: AttributeValues

    /// An item with these attributes.
    public init(attributes: AttributeValues) { self.attributes = attributes }

    /// The certificate that `issuer`, a name in DER, gave this number.
    public init(issuer: [UInt8] = [], serialNumber: [UInt8] = []) {
        self.init(attributes: AttributeValues())
        self.issuer = issuer
        self.serialNumber = serialNumber
    }

    /// Which kind of certificate it is: `kSecAttrCertificateType`.
    public var certificateType: Int {
        get { attributes[keyNumber: .certificateType] }
        set { attributes[keyNumber: .certificateType] = newValue }
    }

    /// How the data are encoded: `kSecAttrCertificateEncoding`.
    public var certificateEncoding: Int? {
        get { attributes[number: .certificateEncoding] }
        set { attributes[number: .certificateEncoding] = newValue }
    }

    /// Who issued it, a name in DER: `kSecAttrIssuer`.
    public var issuer: [UInt8] {
        get { attributes[keyData: .issuer] }
        set { attributes[keyData: .issuer] = newValue }
    }

    /// The number that the issuer gave it: `kSecAttrSerialNumber`.
    public var serialNumber: [UInt8] {
        get { attributes[keyData: .serialNumber] }
        set { attributes[keyData: .serialNumber] = newValue }
    }

    /// Whose it is, a name in DER: `kSecAttrSubject`.
    public var subject: [UInt8]? {
        get { attributes[data: .subject] }
        set { attributes[data: .subject] = newValue }
    }

    /// Which of the keys of its subject it is for: `kSecAttrSubjectKeyID`.
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
