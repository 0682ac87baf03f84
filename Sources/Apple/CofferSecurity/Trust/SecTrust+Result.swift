public import Foundation

/// The key of the result, a number of `SecTrustResultType`.
@safe public nonisolated(unsafe) let kSecTrustResultValue: CFString = "TrustResultValue"
/// The key of the time at which the certificates had to be valid.
@safe public nonisolated(unsafe) let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"

// Keys that no result has here.

/// The key for whether the certificate is one with extended validation.
@safe public nonisolated(unsafe) let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
/// The key of the organization in a certificate with extended validation.
@safe public nonisolated(unsafe) let kSecTrustOrganizationName: CFString = "Organization"
/// The key for whether revocation was checked.
@safe public nonisolated(unsafe) let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
/// The key of the time until which the check of revocation counts.
@safe public nonisolated(unsafe) let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
/// The key for whether the certificate is in the logs of certificate transparency.
@safe public nonisolated(unsafe) let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"

/// Returns the result of the evaluation, which is made if there was none, and its date.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    var type = SecTrustResultType.invalid
    SecTrustEvaluate(trust, &type)
    return [kSecTrustResultValue: NSNumber(value: type.rawValue), kSecTrustEvaluationDate: trust.date] as CFDictionary
}
