public import Foundation

/// Certificates to evaluate: the first one, followed by possible issuers.
public final class SecTrust: NSObject, @unchecked Sendable {
    let certificates: [SecCertificate]

    init(_ certificates: [SecCertificate]) {
        self.certificates = certificates
    }
}

extension SecTrust: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secTrust.rawValue }
}

/// The result of a trust evaluation, as older functions return it.
public enum SecTrustResultType: UInt32, Sendable {
    /// Nothing was evaluated.
    case invalid
    /// The user trusts the certificate.
    case proceed
    /// The user wants to be asked; no system returns this any more.
    case confirm
    /// The user does not trust the certificate.
    case deny
    /// The certificate is valid, and the user has not decided about it.
    case unspecified
    /// The certificate is not trusted, but would be after a change.
    case recoverableTrustFailure
    /// The certificate is not trusted.
    case fatalTrustFailure
    /// The evaluation failed.
    case otherError
}

/// Returns the type identifier of `SecTrust`.
public func SecTrustGetTypeID() -> CFTypeID { CFTypeNumber.secTrust.rawValue }

/// Prepares an evaluation of one certificate or an array of them, by one policy, an array of them or none.
///
/// Any other object is `errSecParam`, and nothing is written.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let certificates = oneOrMore(SecCertificate.self, in: certificates), !certificates.isEmpty,
        policies.map({ oneOrMore(SecPolicy.self, in: $0) != nil }) ?? true
    else { return errSecParam }
    trust.pointee = SecTrust(certificates)
    return errSecSuccess
}

/// Whether the certificates are trusted: always false, since this version of Coffer cannot evaluate them.
///
/// The error is `errSecUnimplemented`. It deliberately does not blame the certificate: programs that ignore some
/// faults, such as an unknown issuer, have no reason to ignore this one.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    error?.pointee = .unimplemented("Evaluating certificates")
    return false
}

/// Not supported by this version of Coffer: the public key of the first certificate is always nil.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

/// Not supported by this version of Coffer: the public key of the first certificate is always nil.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { nil }

/// Returns the number of certificates that `trust` was created with; none of them has been evaluated.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.certificates.count }

/// Returns the certificate at `index` of those that `trust` was created with; nil if `index` is out of range.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    trust.certificates.indices.contains(index) ? trust.certificates[index] : nil
}

/// Accepts anchors, which no evaluation uses; returns `errSecParam` if any of them is not a certificate.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray) -> OSStatus {
    oneOrMore(SecCertificate.self, in: anchorCertificates) == nil ? errSecParam : errSecSuccess
}

/// Accepts one policy or an array of them, which no evaluation uses; returns `errSecParam` for anything else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    oneOrMore(SecPolicy.self, in: policies) == nil ? errSecParam : errSecSuccess
}

/// The objects of an array, or the single object `value`; nil if any of them is of another class.
private func oneOrMore<Object: AnyObject>(_ type: Object.Type, in value: CFTypeRef) -> [Object]? {
    if let one = value as? Object { return [one] }
    guard let array = value as? NSArray else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}
