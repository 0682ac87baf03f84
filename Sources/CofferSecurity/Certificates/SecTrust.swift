public import Foundation

/// Certificates that somebody asks about: the first one, and those that may have issued it.
public final class SecTrust: NSObject, @unchecked Sendable {
    let certificates: [SecCertificate]

    init(_ certificates: [SecCertificate]) {
        self.certificates = certificates
    }
}

extension SecTrust: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secTrust.rawValue }
}

/// What an evaluation of trust has found, as older functions tell it.
public enum SecTrustResultType: UInt32, Sendable {
    /// Nothing was evaluated.
    case invalid
    /// The user trusts it.
    case proceed
    /// The user wants to be asked: no system answers this any more.
    case confirm
    /// The user does not trust it.
    case deny
    /// It is good, and the user has said nothing about it.
    case unspecified
    /// It is not good, but could be if something were changed.
    case recoverableTrustFailure
    /// It is not good.
    case fatalTrustFailure
    /// The evaluation failed.
    case otherError
}

/// The number of the type `SecTrust`.
public func SecTrustGetTypeID() -> CFTypeID { CFTypeNumber.secTrust.rawValue }

/// Prepares an evaluation of a certificate, or of an array of them, by one policy, by an array of them, or by none.
///
/// Anything else is `errSecParam`, and nothing is written.
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

/// Whether the certificates can be trusted: never, as this version of Coffer can't evaluate them.
///
/// The error is `errSecUnimplemented`, on purpose none that says what is wrong with a certificate: programs that
/// forgive some faults, such as an issuer that nobody knows, know no reason to forgive this one.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    error?.pointee = .unimplemented("Evaluating certificates")
    return false
}

/// Would give the public key of the first certificate: nil in this version of Coffer.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

/// Would give the public key of the first certificate: nil in this version of Coffer.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { nil }

/// How many certificates `trust` was given: none of them has been evaluated.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.certificates.count }

/// One of the certificates that `trust` was given; nil if there is none at `index`.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    trust.certificates.indices.contains(index) ? trust.certificates[index] : nil
}

/// Checks that `anchorCertificates` are certificates, or else answers `errSecParam`; no evaluation reads them.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray) -> OSStatus {
    oneOrMore(SecCertificate.self, in: anchorCertificates) == nil ? errSecParam : errSecSuccess
}

/// Checks that `policies` are a policy or several, or else answers `errSecParam`; no evaluation reads them.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    oneOrMore(SecPolicy.self, in: policies) == nil ? errSecParam : errSecSuccess
}

/// The objects of an array, or the one object that `value` is; nil if any is of another class.
private func oneOrMore<Object: AnyObject>(_ type: Object.Type, in value: CFTypeRef) -> [Object]? {
    if let one = value as? Object { return [one] }
    guard let array = value as? NSArray else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}
