internal import AsymmetricKeys
internal import Coffer
internal import Libcrypto
internal import X509

extension SecCertificate {
    /// The number of the encoding DER, `kSecAttrCertificateEncoding`.
    private static let encoding: Int64 = 3

    /// The attributes by which the keychain finds a certificate; nil if one of its names is malformed.
    var foundAttributes: [String: ItemValue]? {
        guard let subject = certificate.subjectName, let issuer = certificate.issuerName else { return nil }
        var attributes: [String: ItemValue] = [
            "ctyp": .integer(Int64(certificate.version)),
            "cenc": .integer(Self.encoding),
            "subj": .data(subject.normalized),
            "issr": .data(issuer.normalized),
            "slnr": .data(Array(bytes[certificate.serialNumber])),
        ]
        if let identifier = certificate.subjectKeyIdentifier { attributes["skid"] = .data(Array(bytes[identifier])) }
        return attributes
    }

    /// The SHA-1 digest of the public key, by which a certificate and its private key find each other.
    func publicKeyHash() throws(LibcryptoError) -> [UInt8] {
        try Libcrypto.shared.get().digest(.sha1, of: bytes.span.extracting(certificate.publicKey.key))
    }

    /// The public key; nil if its kind is not supported, or its bytes are malformed.
    var publicKey: AsymmetricKey? { AsymmetricKey(certificate.publicKey, in: bytes.span) }
}
