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
