internal import Coffer
internal import Foundation
internal import X509

extension ParsedRequest {
    /// Throws if the request has conditions or a limit, which are valid only in a search.
    func checkHasNoConditions() throws(KeychainError) {
        if let key = matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }

    /// Reads the conditions that Apple's keychain evaluates; those about policies and trust are not supported yet, and
    /// fail.
    ///
    /// All other conditions are ignored, as in Apple's keychain.
    mutating func readConditions() throws(KeychainError) {
        let isCertified = query.itemClass == .certificate || query.itemClass == .identity
        if let policy = matches["m_Policy"] {
            // A policy is an object, which a request holds as `.other`.
            guard policy == .other else { throw .invalid(.value(of: "m_Policy")) }
            throw .unsupportedCondition("m_Policy")
        }
        let (date, trusted, address) = (try validityDate(), try trustedOnly(), try emailAddress())
        guard issuers == nil || isCertified else { throw .unsupportedCondition("m_Issuers") }
        if isCertified {
            guard !trusted else { throw .unsupportedCondition("m_TrustedOnly") }
            setCondition(issuers, date, address)
        }
        if let host = matches[Query.hostKey] { try query.setHost(host) }
    }

    private mutating func setCondition(_ issuers: Set<[UInt8]>?, _ date: Double?, _ address: String?) {
        guard issuers != nil || date != nil || address != nil else { return }
        query.certificateCondition = CertificateCondition(isAboutOthers: issuers != nil) { others in
            let issuersBySubject = issuers == nil ? [:] : X509.Certificate.issuersBySubject(others)
            return { data in
                guard let certificate = try? X509.Certificate(parsing: data) else { return false }
                if let date, !certificate.isValid(at: date) { return false }
                if let address, !certificate.emailAddresses.contains(where: { $0.lowercased() == address }) {
                    return false
                }
                return issuers.map { certificate.isIssued(by: $0, issuersBySubject) } ?? true
            }
        }
    }

    /// The normalized names of issuers to look for; any value other than a list of names disables the condition.
    private var issuers: Set<[UInt8]>? {
        guard case .array(let issuers)? = matches["m_Issuers"] else { return nil }
        let names = issuers.compactMap { if case .data(let name) = $0 { name.normalizedName ?? name } else { nil } }
        return names.isEmpty ? nil : Set(names)
    }

    /// The time at which a certificate must be valid, in seconds since the start of 2001.
    private func validityDate() throws(KeychainError) -> Double? {
        switch matches["m_ValidOnDate"] {
        case nil: nil
        case .date(let seconds)?: seconds
        case .null?: Date().timeIntervalSinceReferenceDate
        default: throw .invalid(.value(of: "m_ValidOnDate"))
        }
    }

    private func trustedOnly() throws(KeychainError) -> Bool {
        guard let value = matches["m_TrustedOnly"] else { return false }
        guard case .bool(let isWanted) = value else { throw .invalid(.value(of: "m_TrustedOnly")) }
        return isWanted
    }

    /// An e-mail address that a certificate must have, in lower case.
    private func emailAddress() throws(KeychainError) -> String? {
        guard let value = matches["m_EmailAddressIfPresent"] else { return nil }
        guard case .string(let address) = value else { throw .invalid(.value(of: "m_EmailAddressIfPresent")) }
        return address.lowercased()
    }
}

extension X509.Certificate {
    /// How many certificates lead from one to its issuers at most.
    private static let issuerLimit = 10

    /// Whether the time, in seconds since the start of 2001, is in the validity, which includes both ends.
    fileprivate func isValid(at time: Double) -> Bool {
        Double(notValidBefore) <= time && time <= Double(notValidAfter)
    }

    /// The normalized names of the issuers of each subject.
    fileprivate static func issuersBySubject(_ certificates: [[UInt8]]) -> [[UInt8]: [[UInt8]]] {
        var issuers: [[UInt8]: [[UInt8]]] = [:]
        for data in certificates {
            guard let certificate = try? X509.Certificate(parsing: data),
                let subject = certificate.subjectName?.normalized, let issuer = certificate.issuerName?.normalized
            else { continue }
            issuers[subject, default: []].append(issuer)
        }
        return issuers
    }

    /// Whether the issuer, or an issuer of that, has one of these names.
    fileprivate func isIssued(by names: Set<[UInt8]>, _ issuersBySubject: [[UInt8]: [[UInt8]]]) -> Bool {
        guard let issuer = issuerName?.normalized else { return false }
        var level: Set<[UInt8]> = [issuer]
        for _ in 0..<Self.issuerLimit {
            guard level.isDisjoint(with: names) else { return true }
            level = Set(level.flatMap { issuersBySubject[$0] ?? [] })
        }
        return false
    }
}

extension [UInt8] {
    /// The content of this name in the form that the keychain compares, if it is a whole name in DER.
    var normalizedName: [UInt8]? {
        var reader = DERReader(self, in: indices)
        guard let name = try? reader.read(.sequence), reader.isAtEnd else { return nil }
        return (try? DistinguishedName(parsing: self, in: name.content))?.normalized
    }
}
