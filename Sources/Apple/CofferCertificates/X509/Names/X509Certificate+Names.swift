internal import CofferBasics

// The names that Apple shows for a certificate.

extension X509Certificate {
    /// The name of the subject; nil if it is malformed.
    package var subjectName: DistinguishedName? { try? DistinguishedName(parsing: bytes, in: subject) }

    /// The name of the issuer; nil if it is malformed.
    package var issuerName: DistinguishedName? { try? DistinguishedName(parsing: bytes, in: issuer) }

    /// A short name to display; nil if the subject is malformed, or there is no name.
    ///
    /// This is the first that exists of the common name (with the description in parentheses), the first e-mail address,
    /// the first DNS name, the organizational unit, the organization, and all other attributes.
    package var subjectSummary: String? {
        guard let subjectName else { return nil }
        if let names = subjectName.summary(of: .commonName) {
            guard let description = subjectName.summary(of: .description) else { return names }
            return "\(names) (\(description))"
        }
        if let name = emailAddresses.first ?? dnsNames.first { return name }
        return subjectName.summary(of: .organizationalUnit) ?? subjectName.summary(of: .organization)
            ?? subjectName.summary()
    }

    /// The last common name of the subject.
    package var commonName: String? {
        subjectName?.attributes.last { $0.type == .commonName }?.text
    }

    /// The e-mail addresses of the alternative names, followed by those of the subject.
    ///
    /// The list is empty if the subject is malformed or an address in the alternative names is not ASCII.
    package var emailAddresses: [String] {
        guard let subjectName else { return [] }
        var addresses: [String] = []
        for name in subjectAlternativeNames ?? [] where name.kind == .email {
            guard let address = String(ascii: bytes[name.content]) else { return [] }
            addresses.append(address)
        }
        return addresses + subjectName.attributes.filter { $0.type == .emailAddress }.map(\.text)
    }

    /// The DNS names among the alternative names that look like host names; without any, the common names that do.
    package var dnsNames: [String] {
        var names: [String] = []
        for name in subjectAlternativeNames ?? [] where name.kind == .dnsName {
            guard let name = String(ascii: bytes[name.content]), name.looksLikeHostName else { continue }
            names.append(name)
        }
        guard names.isEmpty else { return names }
        let attributes = subjectName?.attributes ?? []
        return attributes.filter { $0.type == .commonName }.map(\.text).filter(\.looksLikeHostName)
    }
}

extension DistinguishedName {
    /// The texts of all attributes of a type, the last one first; nil if no attribute has the type.
    ///
    /// Without a type, the texts of all attributes.
    fileprivate func summary(of type: OID? = nil) -> String? {
        let texts = attributes.filter { type == nil || $0.type == type }.map(\.text)
        return texts.isEmpty ? nil : texts.reversed().joined(separator: ", ")
    }
}

extension OID {
    package static let commonName: OID = [2, 5, 4, 3]
    package static let organization: OID = [2, 5, 4, 10]
    package static let organizationalUnit: OID = [2, 5, 4, 11]
    package static let description: OID = [2, 5, 4, 13]
    package static let emailAddress: OID = [1, 2, 840, 113549, 1, 9, 1]
}

extension String {
    /// Whether the text has the form of a host name, in which asterisks are allowed.
    package var looksLikeHostName: Bool {
        guard utf8.count <= 255 else { return false }
        let labels = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let dash = UInt8(ascii: "-")
        let isWellFormed = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != dash && label.last != dash
                && label.allSatisfy { $0.isLetterOrDigit || "-_*".utf8.contains($0) }
        }
        return isWellFormed && labels.last?.contains { $0.isLetter } == true
    }
}
