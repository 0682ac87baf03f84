/// An extension of a certificate.
package struct CertificateExtension: Sendable {
    /// Identifies the kind.
    package let identifier: OID
    /// Whether programs that do not know this kind must reject the certificate.
    package let isCritical: Bool
    /// The content of the octet string, which is DER in every known kind.
    package let value: Range<Int>
    /// The kind; nil if it is unknown.
    package let kind: ExtensionKind?
    /// Whether the kind is known but the value is malformed.
    package let isMalformed: Bool

    /// OpenSSL's library sorts the policies again for each of them: 160 KB of them took it half a minute.
    private static let policiesByteCountLimit = 8192

    init(from reader: inout DERReader) throws(CertificateError) {
        let start = reader.offset
        var fields = try reader.enter()
        identifier = try fields.readOID()
        isCritical = try fields.readBoolean()
        value = try fields.read(.octetString).content
        try fields.expectEnd()
        kind = ExtensionKind(identifier)
        if kind == .certificatePolicies || kind == .policyMappings, value.count > Self.policiesByteCountLimit {
            throw CertificateError(.tooManyPolicies, at: start)
        }
        var isMalformed = false
        do throws(CertificateError) {
            try kind?.check(DERReader(reader.bytes, in: value))
        } catch {
            isMalformed = true
        }
        guard !isMalformed || !isCritical else { throw CertificateError(.invalidCriticalExtension, at: start) }
        self.isMalformed = isMalformed
    }
}

/// The kinds of extensions that Apple knows.
package enum ExtensionKind: Sendable {
    case subjectKeyIdentifier, keyUsage, subjectAlternativeName, basicConstraints, nameConstraints
    case distributionPoints, certificatePolicies, policyMappings, authorityKeyIdentifier, policyConstraints
    case extendedKeyUsage, inhibitAnyPolicy, authorityInformationAccess
    /// A known kind whose value is not read.
    case ignored

    init?(_ identifier: OID) {
        guard let kind = Self.kinds[identifier] else { return nil }
        self = kind
    }

    private static let kinds: [OID: ExtensionKind] = [
        [2, 5, 29, 14]: .subjectKeyIdentifier,
        [2, 5, 29, 15]: .keyUsage,
        [2, 5, 29, 16]: .ignored,  // private key usage period
        [2, 5, 29, 17]: .subjectAlternativeName,
        [2, 5, 29, 18]: .ignored,  // issuer alternative name
        [2, 5, 29, 19]: .basicConstraints,
        [2, 5, 29, 30]: .nameConstraints,
        [2, 5, 29, 31]: .distributionPoints,
        [2, 5, 29, 32]: .certificatePolicies,
        [2, 5, 29, 33]: .policyMappings,
        [2, 5, 29, 35]: .authorityKeyIdentifier,
        [2, 5, 29, 36]: .policyConstraints,
        [2, 5, 29, 37]: .extendedKeyUsage,
        [2, 5, 29, 54]: .inhibitAnyPolicy,
        [1, 3, 6, 1, 5, 5, 7, 1, 1]: .authorityInformationAccess,
        [1, 3, 6, 1, 5, 5, 7, 1, 11]: .ignored,  // subject information access
        [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]: .ignored,  // OCSP no-check
        [1, 2, 840, 113533, 7, 65, 0]: .ignored,  // Entrust's version
        [1, 2, 840, 113635, 100, 6, 23, 1]: .ignored,  // Apple's marker of escrow certificates
        [2, 16, 840, 1, 113730, 1, 1]: .ignored,  // Netscape's certificate type
    ]

    /// Throws if `reader` does not begin with a valid value of this kind.
    ///
    /// As in Apple's reader, most kinds allow anything after the value.
    fileprivate func check(_ reader: DERReader) throws(CertificateError) {
        var reader = reader
        switch self {
        case .subjectKeyIdentifier: _ = try reader.read(.octetString)
        case .keyUsage: _ = try KeyUsage(from: &reader)
        case .subjectAlternativeName: _ = try reader.readGeneralNames()
        case .basicConstraints: _ = try BasicConstraints(from: &reader)
        case .nameConstraints: _ = try NameConstraints(from: &reader)
        case .authorityKeyIdentifier: _ = try AuthorityKeyIdentifier(from: &reader)
        case .extendedKeyUsage: _ = try reader.readExtendedKeyUsage()
        case .distributionPoints: try reader.checkDistributionPoints()
        case .certificatePolicies: try reader.checkCertificatePolicies()
        case .policyMappings: try reader.checkPolicyMappings()
        case .policyConstraints: try reader.checkPolicyConstraints()
        case .inhibitAnyPolicy: try reader.checkInhibitAnyPolicy()
        case .authorityInformationAccess: try reader.checkInformationAccess()
        case .ignored: break
        }
    }
}
