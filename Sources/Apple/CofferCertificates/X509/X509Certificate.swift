/// An X.509 certificate.
///
/// Apple's rules decide which certificates are accepted; they are more tolerant than the standard. The signature is not
/// verified, and extensions are read but not enforced. All ranges refer to `bytes`.
package struct X509Certificate: Sendable {
    /// The DER of the certificate.
    package let bytes: [UInt8]
    /// The part that is signed.
    package let tbsRange: Range<Int>
    /// The algorithm of the signature, outside the signed part; it should be the same as `signedAlgorithm`.
    package let signatureAlgorithm: AlgorithmIdentifier
    /// The bytes of the signature.
    package let signature: Range<Int>

    /// The version: 1, 2 or 3.
    package let version: Int
    /// The content of the integer as encoded, with any leading zero byte; it may be negative.
    package let serialNumber: Range<Int>
    /// The algorithm of the signature, inside the signed part.
    package let signedAlgorithm: AlgorithmIdentifier
    /// The content of the issuer's name, not necessarily well-formed.
    package let issuer: Range<Int>
    /// The content of the subject's name, not necessarily well-formed.
    package let subject: Range<Int>
    /// The start of the validity, in seconds since 2001-01-01 00:00 UTC.
    package let notValidBefore: Int64
    /// The end of the validity, in seconds since 2001-01-01 00:00 UTC.
    package let notValidAfter: Int64
    /// The key of the subject.
    package let publicKey: PublicKeyInfo
    /// The extensions in their order; a kind may occur several times.
    package let extensions: [CertificateExtension]

    /// Reads the certificate at the start of `input`; bytes after it are ignored.
    package init(parsing input: [UInt8]) throws(CertificateError) {
        var reader = DERReader(input, in: 0..<input.count)
        let whole = try reader.read(.sequence)
        bytes = reader.isAtEnd ? input : Array(input[whole.range])

        var parts = DERReader(bytes, in: whole.content)
        let signedPart = try parts.read(.sequence)
        tbsRange = signedPart.range
        signatureAlgorithm = try AlgorithmIdentifier(from: &parts)
        signature = try parts.readBitString()
        try parts.expectEnd()

        var fields = DERReader(bytes, in: signedPart.content)
        version = try Self.readVersion(from: &fields)
        serialNumber = try Self.readSerialNumber(from: &fields)
        signedAlgorithm = try AlgorithmIdentifier(from: &fields)
        issuer = try fields.read(.sequence).content
        var validity = try fields.enter()
        notValidBefore = try validity.readDate()
        notValidAfter = try validity.readDate()
        try validity.expectEnd()
        subject = try fields.read(.sequence).content
        publicKey = try PublicKeyInfo(from: &fields)
        // The unique identifiers of issuer and subject are obsolete.
        _ = try fields.readIfPresent(.context(1))
        _ = try fields.readIfPresent(.context(2))
        extensions = try Self.readExtensions(from: &fields)
        try fields.expectEnd()
    }

    private static func readVersion(from fields: inout DERReader) throws(CertificateError) -> Int {
        guard fields.nextTag == .contextConstructed(0) else { return 1 }
        var field = try fields.enter(.contextConstructed(0))
        let start = field.offset
        guard let number = try field.readInteger(), number == 1 || number == 2 else {
            throw CertificateError(.unsupportedVersion, at: start)
        }
        try field.expectEnd()
        return number + 1
    }

    private static func readSerialNumber(from fields: inout DERReader) throws(CertificateError) -> Range<Int> {
        let element = try fields.read(.integer)
        guard (1...37).contains(element.content.count) else {
            throw CertificateError(.invalidSerialNumber, at: element.range.lowerBound)
        }
        return element.content
    }

    private static func readExtensions(
        from fields: inout DERReader
    ) throws(CertificateError) -> [CertificateExtension] {
        guard fields.nextTag == .contextConstructed(3) else { return [] }
        var field = try fields.enter(.contextConstructed(3))
        var list = try field.enter()
        try field.expectEnd()
        var count = 0
        return try list.readList { (list) throws(CertificateError) in
            count += 1
            guard count < 10_000 else { throw CertificateError(.tooManyExtensions, at: list.offset) }
            return try CertificateExtension(from: &list)
        }
    }
}

// Certificates are equal if their bytes are.
extension X509Certificate: Hashable {
    package static func == (one: X509Certificate, other: X509Certificate) -> Bool { one.bytes == other.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
