// The values of extensions. Each is nil if the extension is missing or malformed; of several of a kind, the last counts.

extension X509Certificate {
    /// Whether the certificate may issue others.
    package var basicConstraints: BasicConstraints? { value(of: .basicConstraints, BasicConstraints.init(from:)) }

    /// What the key may be used for.
    package var keyUsage: KeyUsage? { value(of: .keyUsage, KeyUsage.init(from:)) }

    /// The purposes that the certificate is for.
    package var extendedKeyUsage: [OID]? {
        value(of: .extendedKeyUsage) { (reader) throws(CertificateError) in try reader.readExtendedKeyUsage() }
    }

    /// Further names of the subject.
    package var subjectAlternativeNames: [GeneralName]? {
        value(of: .subjectAlternativeName) { (reader) throws(CertificateError) in try reader.readGeneralNames() }
    }

    /// The names that certificates below this one may have.
    package var nameConstraints: NameConstraints? { value(of: .nameConstraints, NameConstraints.init(from:)) }

    /// The identifier in the extension; it is never derived from the key.
    package var subjectKeyIdentifier: Range<Int>? {
        value(of: .subjectKeyIdentifier) { (reader) throws(CertificateError) in try reader.read(.octetString).content }
    }

    /// Identifies the key that signed the certificate.
    package var authorityKeyIdentifier: AuthorityKeyIdentifier? {
        value(of: .authorityKeyIdentifier, AuthorityKeyIdentifier.init(from:))
    }

    private func value<Value>(
        of kind: ExtensionKind,
        _ read: (inout DERReader) throws(CertificateError) -> Value
    ) -> Value? {
        guard let found = extensions.last(where: { $0.kind == kind }) else { return nil }
        var reader = DERReader(bytes, in: found.value)
        return try? read(&reader)
    }
}

extension DERReader {
    mutating func readGeneralNames() throws(CertificateError) -> [GeneralName] {
        var list = try enter()
        return try list.readList(GeneralName.init(from:))
    }

    mutating func readExtendedKeyUsage() throws(CertificateError) -> [OID] {
        var list = try enter()
        return try list.readList { (list) throws(CertificateError) in try list.readOID() }
    }
}
