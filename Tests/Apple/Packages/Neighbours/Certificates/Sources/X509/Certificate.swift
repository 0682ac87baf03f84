import Foundation

#if canImport(Security)
    import Security
#endif

/// A certificate in DER.
public struct Certificate {
    /// The bytes are not a certificate.
    public struct Malformed: Error {}

    #if canImport(Security)
        let certificate: SecCertificate

        /// Creates the certificate in `der`.
        public init(der: Data) throws {
            guard let certificate = SecCertificateCreateWithData(kCFAllocatorDefault, der as CFData) else {
                throw Malformed()
            }
            self.certificate = certificate
        }

        /// The bytes of the certificate.
        public var der: Data { SecCertificateCopyData(certificate) as Data }
    #else
        /// The bytes of the certificate.
        public let der: Data

        /// Creates the certificate in `der`.
        public init(der: Data) throws {
            guard der.first == 0x30 else { throw Malformed() }
            self.der = der
        }
    #endif

    /// Returns the certificates in a PEM text.
    public static func all(inPEM text: String) throws -> [Certificate] {
        try text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { part in
            let body = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
            guard let der = Data(base64Encoded: body, options: .ignoreUnknownCharacters) else { throw Malformed() }
            return try Certificate(der: der)
        }
    }
}
