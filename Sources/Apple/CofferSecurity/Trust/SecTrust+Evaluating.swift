internal import CofferCertificates
public import Dispatch
public import Foundation

/// Whether the first certificate is trusted: its chain ends in an anchor, and nothing is wrong with it.
///
/// If not, the error has the code of what is most serious, and an underlying error that names everything. Without OpenSSL's
/// library it is `errSecUnimplemented`.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    switch trust.result {
    case .failure(let failure):
        error?.pointee = .status(errSecUnimplemented, "Certificates cannot be evaluated: \(failure)")
        return false
    case .success(let result):
        let findings = trust.openFindings(of: result).findings
        guard let worst = findings.first else { return true }
        error?.pointee = .trust(worst, findings, result.chain)
        return false
    }
}

/// A callback for the end of an evaluation: whether the certificates are trusted, and the reason if they are not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// A callback for the end of an evaluation, with its result.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Evaluates the certificates on `queue`, and reports there whether they are trusted.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // It is called once, on the queue that the caller chose.
    nonisolated(unsafe) let result = result
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        result(trust, isTrusted, error)
    }
    return errSecSuccess
}

/// Evaluates the certificates on `queue`, or on another one, and reports the result there.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust,
    _ queue: DispatchQueue?,
    _ result: @escaping SecTrustCallback
) -> OSStatus {
    nonisolated(unsafe) let result = result
    (queue ?? .global()).async {
        var type = SecTrustResultType.invalid
        SecTrustEvaluate(trust, &type)
        result(trust, type)
    }
    return errSecSuccess
}

/// Evaluates the certificates and writes the result; returns `errSecUnimplemented` without OpenSSL's library.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    switch trust.result {
    case .failure:
        result.pointee = .invalid
        return errSecUnimplemented
    case .success(let found):
        let (findings, hasExceptions) = trust.openFindings(of: found)
        result.pointee =
            if findings.contains(where: \.problem.isFatal) {
                .fatalTrustFailure
            } else if findings.isEmpty {
                hasExceptions ? .proceed : .unspecified
            } else {
                .recoverableTrustFailure
            }
        return errSecSuccess
    }
}

/// Writes the result of the evaluation, which is made if there was none.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    SecTrustEvaluate(trust, result)
}

/// Returns the best chain that was found, from the first certificate to its anchor, whether it is trusted or not.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    trust.chain.map { $0 as NSArray }
}

/// Returns the number of certificates in the chain.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain?.count ?? 1 }

/// Returns the certificate at `index` of the chain; nil if `index` is out of range.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    if index == 0 { return trust.certificates.first }
    guard let chain = trust.chain, chain.indices.contains(index) else { return nil }
    return chain[index]
}

/// Returns the public key of the first certificate; nil if its kind is not supported.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { trust.certificates.first.flatMap(SecCertificateCopyKey) }

/// Returns the public key of the first certificate: the older name of `SecTrustCopyKey`.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

extension SecTrust {
    /// The chain, as the objects that were evaluated where they are among it; nil without OpenSSL's library.
    fileprivate var chain: [SecCertificate]? {
        guard let result = try? result.get() else { return nil }
        let known = certificates + (anchors ?? [])
        return result.chain.compactMap { certificate in
            known.first { $0.certificate == certificate } ?? SecCertificate(bytes: certificate.bytes, attributes: nil)
        }
    }
}

extension CFError {
    /// The error for what is most serious, with everything that was found below it.
    fileprivate static func trust(
        _ worst: TrustResult.Finding,
        _ findings: [TrustResult.Finding],
        _ chain: [X509Certificate]
    ) -> CFError {
        func name(_ index: Int) -> String {
            "“\(chain.indices.contains(index) ? chain[index].subjectSummary ?? "" : "")”"
        }
        let all = Dictionary(grouping: findings, by: \.index).sorted { $0.key < $1.key }.map { index, findings in
            let texts = findings.map(\.problem.description).joined(separator: ", ")
            return "Certificate \(index) \(name(index)) \(texts)"
        }
        let code = Int(OSStatus(worst.problem))
        let underlying = CFError(
            domain: NSOSStatusErrorDomain,
            code: code,
            userInfo: [NSLocalizedDescriptionKey: all.joined(separator: "; ")]
        )
        return CFError(
            domain: NSOSStatusErrorDomain,
            code: code,
            userInfo: [
                NSLocalizedDescriptionKey: "\(name(worst.index)) \(worst.problem)", NSUnderlyingErrorKey: underlying,
            ]
        )
    }
}

extension OSStatus {
    /// The status code that Apple's systems use for a problem.
    init(_ problem: TrustProblem) {
        self =
            switch problem {
            case .keyTooWeak, .keyTooSmall: errSecUnsupportedKeySize
            case .digestBroken, .digestTooWeak: errSecInvalidDigestAlgorithm
            case .noBasicConstraints: errSecNoBasicConstraints
            case .notAnAuthority: errSecNoBasicConstraintsCA
            case .usageWithoutSigning: errSecInvalidKeyUsageForPolicy
            case .pathTooLong: errSecPathLengthConstraintExceeded
            case .nameNotAllowed: errSecInvalidName
            case .policyNotAllowed: errSecInvalidPolicyIdentifiers
            case .unknownCriticalExtension: errSecUnknownCriticalExtensionFlag
            case .malformedExtension: errSecUnknownCertExtension
            case .duplicateExtension: errSecCertificateDuplicateExtension
            case .emptySubject: errSecInvalidSubjectName
            case .validityTooLong: errSecCertificateValidityPeriodTooLong
            case .unrevokedStateUnknown: errSecIncompleteCertRevocationCheck
            case .untrustedRoot: errSecNotTrusted
            case .incompleteChain: errSecCreateChainFailed
            case .purposeNotAllowed: errSecInvalidExtendedKeyUsage
            case .hostNameDiffers: errSecHostNameMismatch
            case .expired: errSecCertificateExpired
            case .other: errSecInternal
            }
    }
}
