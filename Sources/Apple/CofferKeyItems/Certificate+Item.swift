package import Coffer
package import CofferCertificates

// Certificates as items of a keychain.
extension X509Certificate {
    /// The number of the encoding DER, `kSecAttrCertificateEncoding`.
    private static let encoding: Int64 = 3

    /// The attributes by which a keychain finds the certificate; nil if one of its names is malformed.
    package var itemAttributes: [String: ItemValue]? {
        guard let subjectName, let issuerName else { return nil }
        var attributes: [String: ItemValue] = [
            "ctyp": .integer(Int64(version)), "cenc": .integer(Self.encoding), "subj": .data(subjectName.normalized),
            "issr": .data(issuerName.normalized), "slnr": .data(Array(bytes[serialNumber])),
        ]
        if let subjectKeyIdentifier { attributes["skid"] = .data(Array(bytes[subjectKeyIdentifier])) }
        return attributes
    }

    /// The attributes of a new item, with the hash of the public key and a label; nil if a name is malformed.
    package func newItemAttributes() throws(LibcryptoError) -> [String: ItemValue]? {
        guard var attributes = itemAttributes else { return nil }
        attributes["pkhh"] = .data(try Libcrypto.shared.get().digest(.sha1, of: bytes.span.extracting(publicKey.key)))
        attributes["labl"] = subjectSummary.map(ItemValue.string)
        return attributes
    }
}
