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
