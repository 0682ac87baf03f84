internal import CofferBasics
internal import CofferCertificates
public import Foundation

/// Certificates to evaluate: the first one, followed by possible issuers.
///
/// Threads may share it.
public final class SecTrust: NSObject, @unchecked Sendable {
    let certificates: [SecCertificate]
    private let state: Guarded<State>

    /// What is evaluated and how, and the result.
    private struct State {
        var policies: [TrustPolicy]
        /// The anchors of the program; nil if it has set none.
        var anchors: [SecCertificate]?
        var usesSystemAnchors = true
        var date: Date?
        var exceptions: [TrustExceptions] = []
        var result: Result<TrustResult, LibcryptoError>?
    }

    init(_ certificates: [SecCertificate], _ policies: [TrustPolicy]) {
        self.certificates = certificates
        state = Guarded(State(policies: policies))
    }

    /// Changes how the certificates are evaluated, and forgets the result.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.result = nil
        }
    }

    func setPolicies(_ policies: [TrustPolicy]) { change { $0.policies = policies } }

    var policies: [TrustPolicy] { state.withLock { $0.policies } }

    /// Sets the anchors, which then are the only ones.
    func setAnchors(_ anchors: [SecCertificate]) {
        change { state in
            state.anchors = anchors
            state.usesSystemAnchors = false
        }
    }

    var anchors: [SecCertificate]? { state.withLock { $0.anchors } }

    func setUsesSystemAnchors(_ usesSystemAnchors: Bool) { change { $0.usesSystemAnchors = usesSystemAnchors } }

    /// The time of the evaluation: now, unless it was set.
    var date: Date {
        get { state.withLock { $0.date ?? Date() } }
        set { change { $0.date = newValue } }
    }

    /// Sets the exceptions; findings that they name do not count.
    func setExceptions(_ exceptions: [TrustExceptions]) { state.withLock { $0.exceptions = exceptions } }

    /// The result, which is found once.
    var result: Result<TrustResult, LibcryptoError> {
        state.withLock { state in
            if let result = state.result { return result }
            if state.date == nil { state.date = Date() }
            let result = Self.evaluate(certificates, state)
            state.result = result
            return result
        }
    }

    private static func evaluate(
        _ certificates: [SecCertificate],
        _ state: State
    ) -> Result<TrustResult, LibcryptoError> {
        Result { () throws(LibcryptoError) in
            let library = try Libcrypto.shared.get()
            let seconds = (state.date ?? Date()).timeIntervalSinceReferenceDate.rounded(.down)
            let evaluation = TrustEvaluation(
                certificates.map(\.certificate),
                state.policies,
                anchors: state.anchors?.map(\.certificate) ?? [],
                systemAnchors: state.usesSystemAnchors ? SystemAnchors.read() : [],
                time: Int64(exactly: seconds) ?? .max
            )
            return try evaluation.result(in: library)
        }
    }

    /// The findings for which there is no exception, and whether there are exceptions for others.
    func openFindings(of result: TrustResult) -> (findings: [TrustResult.Finding], hasExceptions: Bool) {
        let exceptions = state.withLock { $0.exceptions }
        let open = result.findings.filter { finding in
            finding.problem.isFatal || !exceptions.contains { $0.covers(finding, in: result) }
        }
        return (open, open.count < result.findings.count)
    }
}

extension SecTrust: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secTrust.rawValue }
}

/// Returns the type identifier of `SecTrust`.
public func SecTrustGetTypeID() -> CFTypeID { CFTypeNumber.secTrust.rawValue }

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
