import CofferCertificates

extension Fuzz {
    /// A certificate that is accepted is the start of the input, and its normalized names do not change any more.
    static func certificate(_ input: [UInt8]) {
        guard let certificate = try? X509Certificate(parsing: input) else { return }
        precondition(input.starts(with: certificate.bytes), "the bytes changed")
        precondition((try? X509Certificate(parsing: certificate.bytes)) == certificate, "the bytes are rejected")
        for name in [certificate.subjectName, certificate.issuerName] {
            guard let normalized = name?.normalized else { continue }
            _ = name?.text
            guard let again = try? DistinguishedName(parsing: normalized, in: 0..<normalized.count) else {
                preconditionFailure("a normalized name is rejected")
            }
            precondition(again.normalized == normalized, "a normalized name changed")
        }
        _ = (certificate.subjectSummary, certificate.commonName, certificate.emailAddresses, certificate.dnsNames)
        _ = (certificate.basicConstraints, certificate.keyUsage, certificate.extendedKeyUsage)
        _ = (certificate.subjectAlternativeNames, certificate.nameConstraints)
        _ = (certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
    }
}
