internal import Coffer

extension ParsedRequest {
    /// Throws if the request has conditions or a limit, which are valid only in a search.
    func checkHasNoConditions() throws(KeychainError) {
        if let key = matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }

    /// Reads the conditions that Apple's keychain evaluates; those about certificates are not supported yet, and fail.
    ///
    /// All other conditions are ignored, as in Apple's keychain.
    mutating func readConditions() throws(KeychainError) {
        let isCertified = query.itemClass == .certificate || query.itemClass == .identity
        if let policy = matches["m_Policy"] {
            // A policy is an object, which a request holds as `.other`.
            guard policy == .other else { throw .invalid(.value(of: "m_Policy")) }
            throw .unsupportedCondition("m_Policy")
        }
        if hasIssuers { throw .unsupportedCondition("m_Issuers") }
        let certificateConditions = [try validityDate(), try trust(), try emailAddress()].compactMap(\.self)
        if isCertified, let key = certificateConditions.first { throw .unsupportedCondition(key) }
        if let host = matches[Query.hostKey] { try query.setHost(host) }
    }

    /// Whether there is an issuer to look for; any value other than a list of names disables the condition.
    private var hasIssuers: Bool {
        guard case .array(let issuers)? = matches["m_Issuers"] else { return false }
        return issuers.contains { if case .data = $0 { true } else { false } }
    }

    private func validityDate() throws(KeychainError) -> String? {
        switch matches["m_ValidOnDate"] {
        case nil: nil
        case .date?, .null?: "m_ValidOnDate"
        default: throw .invalid(.value(of: "m_ValidOnDate"))
        }
    }

    private func trust() throws(KeychainError) -> String? {
        switch matches["m_TrustedOnly"] {
        case nil, .bool(false)?: nil
        case .bool(true)?: "m_TrustedOnly"
        default: throw .invalid(.value(of: "m_TrustedOnly"))
        }
    }

    private func emailAddress() throws(KeychainError) -> String? {
        switch matches["m_EmailAddressIfPresent"] {
        case nil: nil
        case .string?: "m_EmailAddressIfPresent"
        default: throw .invalid(.value(of: "m_EmailAddressIfPresent"))
        }
    }
}
