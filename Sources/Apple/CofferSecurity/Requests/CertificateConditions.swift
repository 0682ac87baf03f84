internal import Coffer
internal import CofferCertificates
internal import Foundation

/// Conditions on the contents of a certificate.
struct CertificateConditions: Sendable {
    /// The normalized names of issuers, one of which must be in the chain.
    let issuers: Set<[UInt8]>?
    /// The time at which the certificate must be valid, in seconds since the start of 2001.
    let date: Double?
    /// An e-mail address of the subject, in lower case.
    let address: String?
    /// What the certificate must be for, by itself.
    let policy: TrustPolicy?
    /// Whether its chain must end in an anchor of the system.
    let trustedOnly: Bool

    /// The check that the keychain makes; nil if there is nothing to check.
    var condition: CertificateCondition? {
        get throws(KeychainError) {
            guard issuers != nil || date != nil || address != nil || policy != nil || trustedOnly else { return nil }
            let library = try? Libcrypto.shared.get()
            guard library != nil || policy == nil && !trustedOnly else {
                throw .unsupportedCondition(trustedOnly ? "m_TrustedOnly" : "m_Policy")
            }
            return CertificateCondition(isAboutOthers: issuers != nil || trustedOnly) { others in
                let others = others.compactMap { try? X509Certificate(parsing: $0) }
                let issuersBySubject = issuers == nil ? [:] : X509Certificate.issuersBySubject(others)
                let systemAnchors = trustedOnly ? SystemAnchors.read() : []
                return { data in
                    guard let certificate = try? X509Certificate(parsing: data), hasDateAndAddress(certificate),
                        issuers.map({ certificate.isIssued(by: $0, issuersBySubject) }) ?? true
                    else { return false }
                    guard let library, policy != nil || trustedOnly else { return true }
                    let evaluation = TrustEvaluation(
                        [certificate] + (trustedOnly ? others : []),
                        [policy ?? .basic],
                        anchors: trustedOnly ? [] : [certificate],
                        systemAnchors: systemAnchors,
                        time: Int64(exactly: (date ?? Date().timeIntervalSinceReferenceDate).rounded(.down)) ?? .max
                    )
                    return (try? evaluation.result(in: library))?.findings.isEmpty ?? false
                }
            }
        }
    }

    private func hasDateAndAddress(_ certificate: X509Certificate) -> Bool {
        if let date, !certificate.isValid(at: date) { return false }
        guard let address else { return true }
        return certificate.emailAddresses.contains { $0.lowercased() == address }
    }
}

extension X509Certificate {
    /// How many certificates lead from one to its issuers at most.
    private static let issuerLimit = 10

    /// Whether the time, in seconds since the start of 2001, is in the validity, which includes both ends.
    fileprivate func isValid(at time: Double) -> Bool {
        Double(notValidBefore) <= time && time <= Double(notValidAfter)
    }

    /// The normalized names of the issuers of each subject.
    fileprivate static func issuersBySubject(_ certificates: [X509Certificate]) -> [[UInt8]: [[UInt8]]] {
        var issuers: [[UInt8]: [[UInt8]]] = [:]
        for certificate in certificates {
            guard let subject = certificate.subjectName?.normalized, let issuer = certificate.issuerName?.normalized
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
