internal import CofferCertificates
internal import Foundation

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
