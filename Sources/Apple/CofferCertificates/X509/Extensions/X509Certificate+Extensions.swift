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

/// What the key of a certificate may be used for, with Apple's values.
package struct KeyUsage: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    package static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    package static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    package static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    package static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    package static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    package static let revocationListSigning = KeyUsage(rawValue: 1 << 6)
    package static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    package static let decipherOnly = KeyUsage(rawValue: 1 << 8)

    init(from reader: inout DERReader) throws(CertificateError) {
        let start = reader.offset
        let bits = try reader.readBitString()
        try reader.expectEnd()
        guard bits.count == 1 || bits.count == 2 else { throw CertificateError(.invalidBitString, at: start) }
        let unusedCount = Int(reader.bytes[bits.lowerBound - 1])
        // The first bit of the string is the highest of its byte, but the lowest of Apple's value.
        rawValue = (0..<bits.count * 8 - unusedCount).reduce(0) { usage, index in
            let isSet = reader.bytes[bits.lowerBound + index / 8] & 0x80 >> (index % 8) != 0
            return isSet ? usage | 1 << index : usage
        }
    }
}

/// Whether a certificate may issue others, and how long a chain.
package struct BasicConstraints: Equatable, Sendable {
    /// Whether the certificate may issue others.
    package let isAuthority: Bool
    /// The number of intermediate certificates that may follow; nil means any.
    package let pathLength: Int?

    init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        isAuthority = try fields.readBoolean()
        pathLength = try fields.readInteger()
        try fields.expectEnd()
    }
}

/// The names that the certificates below this one may or may not have.
package struct NameConstraints: Equatable, Sendable {
    /// The subtrees that names must lie in.
    package let permitted: [GeneralName]
    /// The subtrees that names must not lie in.
    package let excluded: [GeneralName]

    init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        permitted = try Self.readSubtrees(.contextConstructed(0), from: &fields)
        excluded = try Self.readSubtrees(.contextConstructed(1), from: &fields)
        try fields.expectEnd()
    }

    private static func readSubtrees(
        _ tag: DERTag,
        from fields: inout DERReader
    ) throws(CertificateError) -> [GeneralName] {
        guard fields.nextTag == tag else { return [] }
        var list = try fields.enter(tag)
        return try list.readList { (list) throws(CertificateError) in
            var subtree = try list.enter()
            let name = try GeneralName(from: &subtree)
            // The depth of a subtree must be unlimited: a minimum of 0, and no maximum.
            let start = subtree.offset
            guard try subtree.readInteger(.context(0)) ?? 0 == 0 else {
                throw CertificateError(.invalidExtension, at: start)
            }
            try subtree.expectEnd()
            return name
        }
    }
}

/// A name in an extension, in one of several forms.
package struct GeneralName: Equatable, Sendable {
    /// The forms, by their numbers in the standard.
    package enum Kind: UInt8, Sendable {
        case otherName, email, dnsName, x400Address, directoryName, ediPartyName, uri, ipAddress, registeredIdentifier

        fileprivate var tag: DERTag {
            switch self {
            case .otherName, .x400Address, .directoryName, .ediPartyName: .contextConstructed(rawValue)
            case .email, .dnsName, .uri, .ipAddress, .registeredIdentifier: .context(rawValue)
            }
        }
    }

    /// The form of the name.
    package let kind: Kind
    /// The text or the bytes of the name; for a directory name the element inside, with its tag and length.
    ///
    /// Nothing of it is checked.
    package let content: Range<Int>

    init(from reader: inout DERReader) throws(CertificateError) {
        let element = try reader.read()
        let kind = Kind(rawValue: element.tag.number)
        if let kind, element.tag == kind.tag {
            self.kind = kind
            content = element.content
        } else if element.tag == .contextConstructed(Kind.uri.rawValue) {
            // Some old certificates wrap the text of a URI.
            var inside = DERReader(reader.bytes, in: element.content)
            self.kind = .uri
            content = try inside.read(.ia5String).content
        } else {
            throw CertificateError(.unexpectedTag, at: element.range.lowerBound)
        }
    }
}
