internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension TrustProblem {
    /// The name that macOS `security` prints.
    var macOSName: String {
        switch self {
        case .keyTooWeak, .keyTooSmall: "CSSMERR_CSP_UNSUPPORTED_KEY_SIZE"
        case .digestBroken, .digestTooWeak: "CSSMERR_CSP_INVALID_DIGEST_ALGORITHM"
        case .noBasicConstraints: "CSSMERR_APPLETP_NO_BASIC_CONSTRAINTS"
        case .notAnAuthority: "CSSMERR_APPLETP_INVALID_CA"
        case .usageWithoutSigning: "CSSMERR_APPLETP_INVALID_KEY_USAGE"
        case .pathTooLong: "CSSMERR_APPLETP_PATH_LEN_CONSTRAINT"
        case .purposeNotAllowed: "CSSMERR_APPLETP_INVALID_EXTENDED_KEY_USAGE"
        case .unknownCriticalExtension: "CSSMERR_APPLETP_UNKNOWN_CRITICAL_EXTEN"
        case .hostNameDiffers: "CSSMERR_APPLETP_HOSTNAME_MISMATCH"
        case .expired: "CSSMERR_TP_CERT_EXPIRED"
        case .unrevokedStateUnknown: "CSSMERR_APPLETP_INCOMPLETE_REVOCATION_CHECK"
        case .untrustedRoot, .incompleteChain, .nameNotAllowed, .policyNotAllowed, .malformedExtension,
            .duplicateExtension, .emptySubject, .validityTooLong, .other:
            "CSSMERR_TP_NOT_TRUSTED"
        }
    }
}

extension CommandRun {
    /// Evaluates a certificate.
    ///
    /// - Parameters:
    ///   - certificates: The certificate, followed by possible issuers.
    ///   - policies: What it is to be good for.
    ///   - anchors: The only anchors; nil for those of the system.
    ///   - seconds: The time in seconds since 1970; nil for now.
    /// - Returns: The chain, and what is wrong with it.
    /// - Throws: `CommandError` without OpenSSL's library.
    func evaluate(
        _ certificates: [X509Certificate],
        _ policies: [TrustPolicy],
        anchors: [X509Certificate]? = nil,
        at seconds: Double? = nil
    ) throws -> TrustResult {
        let time = KeychainDate(secondsSince1970: seconds ?? now).secondsSinceReferenceDate.rounded(.down)
        do throws(LibcryptoError) {
            let evaluation = TrustEvaluation(
                certificates,
                policies,
                anchors: anchors ?? [],
                systemAnchors: anchors == nil ? SystemAnchors.read() : [],
                time: Int64(time)
            )
            return try evaluation.result(in: Libcrypto.shared.get())
        } catch {
            throw CommandError(.library(error), of: "verifying certificates")
        }
    }
}
