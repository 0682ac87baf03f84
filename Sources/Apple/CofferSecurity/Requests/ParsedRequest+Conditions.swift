internal import Coffer
internal import CofferCertificates
internal import Foundation

extension ParsedRequest {
    /// Throws if the request has conditions or a limit, which are valid only in a search.
    func checkHasNoConditions() throws(KeychainError) {
        if let key = matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }

    /// Reads the conditions that Apple's keychain evaluates; it ignores all others.
    mutating func readConditions() throws(KeychainError) {
        let isCertified = query.itemClass == .certificate || query.itemClass == .identity
        if matches["m_Policy"] != nil {
            guard policy != nil else { throw .invalid(.value(of: "m_Policy")) }
            guard isCertified else { throw .unsupportedCondition("m_Policy") }
        }
        let conditions = CertificateConditions(
            issuers: issuers,
            date: try validityDate(),
            address: try emailAddress(),
            policy: policy,
            trustedOnly: try trustedOnly()
        )
        guard conditions.issuers == nil || isCertified else { throw .unsupportedCondition("m_Issuers") }
        if isCertified { query.certificateCondition = try conditions.condition }
        if let host = matches[Query.hostKey] { try query.setHost(host) }
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

extension [UInt8] {
    /// The content of this name in the form that the keychain compares, if it is a whole name in DER.
    var normalizedName: [UInt8]? {
        var reader = DERReader(self, in: indices)
        guard let name = try? reader.read(.sequence), reader.isAtEnd else { return nil }
        return (try? DistinguishedName(parsing: self, in: name.content))?.normalized
    }
}
