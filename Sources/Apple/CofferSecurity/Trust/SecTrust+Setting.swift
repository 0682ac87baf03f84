internal import CofferCertificates
public import Foundation

/// Prepares an evaluation of one certificate or an array of them, by one policy, an array of them, or the basic one.
///
/// Any other object is `errSecParam`, and nothing is written.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let certificates = oneOrMore(SecCertificate.self, in: certificates),
        let policies = policies.map({ oneOrMore(SecPolicy.self, in: $0) }) ?? [SecPolicyCreateBasicX509()]
    else { return explained(errSecParam, "expected certificates, and policies or nil") }
    trust.pointee = SecTrust(certificates, policies.map(\.policy))
    return errSecSuccess
}

/// Sets the policies: one, or an array with at least one; returns `errSecParam` for anything else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies = oneOrMore(SecPolicy.self, in: policies) else {
        return explained(errSecParam, "the object is neither a policy nor an array of policies")
    }
    trust.setPolicies(policies.map(\.policy))
    return errSecSuccess
}

/// Writes the policies.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = trust.policies.map { SecPolicy($0) } as NSArray
    return errSecSuccess
}

/// Sets the anchors, which then are the only ones; with an empty array, nothing is trusted.
///
/// Returns `errSecParam` if any object is not a certificate.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray) -> OSStatus {
    let anchors = anchorCertificates.count == 0 ? [] : oneOrMore(SecCertificate.self, in: anchorCertificates)
    guard let anchors else { return explained(errSecParam, "an anchor is not a certificate") }
    trust.setAnchors(anchors)
    return errSecSuccess
}

/// Sets whether the anchors of the program are the only ones, or those of the system count as well.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.setUsesSystemAnchors(!anchorCertificatesOnly)
    return errSecSuccess
}

/// Writes the anchors of the program, or nil if it has set none.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust,
    _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    anchors.pointee = trust.anchors.map { $0 as NSArray }
    return errSecSuccess
}

/// Sets the time at which the certificates must be valid.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    trust.date = verifyDate as Date
    return errSecSuccess
}

/// Returns the time at which the certificates must be valid, in seconds since the start of 2001.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime { trust.date.timeIntervalSinceReferenceDate }

/// Accepts whether the network may be used; nothing here uses it.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus { errSecSuccess }

/// Writes whether the network may be used, which is never so.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust,
    _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    allowFetch.pointee = false
    return errSecSuccess
}

/// Returns data that say what is wrong with the certificates, for `SecTrustSetExceptions`; nil if they were not evaluated.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    guard let result = try? trust.result.get(), let exceptions = TrustExceptions.all(for: result) else { return nil }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return (try? encoder.encode(exceptions)).map { $0 as NSData }
}

/// Allows what was wrong when the exceptions were made, unless it is fatal; nil allows nothing.
///
/// Returns whether the exceptions are for the same certificate; if not, nothing is allowed.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let decoded = exceptions.flatMap {
        try? PropertyListDecoder().decode([TrustExceptions].self, from: $0 as Data)
    }
    guard let decoded, let first = decoded.first, let leaf = trust.certificates.first, first.isAbout(leaf.bytes) else {
        trust.setExceptions([])
        return false
    }
    trust.setExceptions(decoded)
    return true
}

/// The objects of an array, or the single object `value`; nil for an empty array, or if an object is of another class.
private func oneOrMore<Object: AnyObject>(_ type: Object.Type, in value: CFTypeRef) -> [Object]? {
    if let one = value as? Object { return [one] }
    guard let array = value as? NSArray, array.count > 0 else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}

/// What may be wrong with a certificate, since the user has agreed to it.
struct TrustExceptions: Codable {
    /// The SHA-1 digest of the certificate.
    let digest: Data
    /// The names of the problems.
    let problems: [String]

    /// The exceptions for all that is wrong with a chain, certificate by certificate; nil without OpenSSL's library.
    static func all(for result: TrustResult) -> [TrustExceptions]? {
        var exceptions: [TrustExceptions] = []
        for (index, certificate) in result.chain.enumerated() {
            guard let digest = try? Libcrypto.shared.get().digest(.sha1, of: certificate.bytes.span) else { return nil }
            let problems = result.findings.filter { $0.index == index }.map(\.problem.rawValue)
            exceptions.append(TrustExceptions(digest: Data(digest), problems: problems))
        }
        return exceptions
    }

    /// Whether this is about a certificate.
    func isAbout(_ bytes: [UInt8]) -> Bool {
        (try? Libcrypto.shared.get().digest(.sha1, of: bytes.span)).map { Data($0) == digest } ?? false
    }

    /// Whether it allows what was found.
    func covers(_ finding: TrustResult.Finding, in result: TrustResult) -> Bool {
        guard result.chain.indices.contains(finding.index), problems.contains(finding.problem.rawValue) else {
            return false
        }
        return isAbout(result.chain[finding.index].bytes)
    }
}
