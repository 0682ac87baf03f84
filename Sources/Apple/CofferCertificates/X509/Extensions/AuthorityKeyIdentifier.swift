/// Identifies the key that signed a certificate.
package struct AuthorityKeyIdentifier: Equatable, Sendable {
    /// The identifier of the authority's key.
    package let keyIdentifier: Range<Int>?
    /// The names of the issuer of the authority's certificate, a list of general names.
    package let issuer: Range<Int>?
    /// The serial number of the authority's certificate; present if and only if `issuer` is.
    package let serialNumber: Range<Int>?

    init(from reader: inout DERReader) throws(CertificateError) {
        let start = reader.offset
        var fields = try reader.enter()
        keyIdentifier = try fields.readIfPresent(.context(0))?.content
        issuer = try fields.readIfPresent(.contextConstructed(1))?.content
        serialNumber = try fields.readIfPresent(.context(2))?.content
        try fields.expectEnd()
        guard (issuer == nil) == (serialNumber == nil) else { throw CertificateError(.invalidExtension, at: start) }
    }
}
