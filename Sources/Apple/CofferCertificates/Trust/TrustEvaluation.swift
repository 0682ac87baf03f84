internal import VaultFiles

/// An evaluation of a certificate.
package struct TrustEvaluation: Sendable {
    /// The certificate, followed by others that may be its issuers.
    package var certificates: [X509Certificate]
    /// All of them must be satisfied.
    package var policies: [TrustPolicy]
    /// Certificates that the caller trusts.
    package var anchors: [X509Certificate]
    /// Certificates that the system trusts.
    package var systemAnchors: [X509Certificate]
    /// The time of the evaluation, in seconds since 2001-01-01 00:00 UTC.
    package var time: Int64

    package init(
        _ certificates: [X509Certificate],
        _ policies: [TrustPolicy],
        anchors: [X509Certificate],
        systemAnchors: [X509Certificate],
        time: Int64
    ) {
        self.certificates = certificates
        self.policies = policies
        self.anchors = anchors
        self.systemAnchors = systemAnchors
        self.time = time
    }

    /// The time in seconds since 1970, in the years that OpenSSL's library knows.
    ///
    /// It is used only to choose among issuers: validity is checked by the exact time.
    private var secondsSince1970: Int { Int(min(max(time, -978_307_200), 252_423_993_599)) + 978_307_200 }

    /// Builds the best chain, and finds everything that is wrong with it.
    package func result(in library: Libcrypto) throws(LibcryptoError) -> TrustResult {
        guard let leaf = certificates.first else { throw .failed("X509_verify_cert") }
        let verified = try verified(leaf, in: library)
        var chain: [X509Certificate] = []
        for bytes in verified.certificates {
            guard let certificate = try? X509Certificate(parsing: bytes) else { throw .failed("X509_verify_cert") }
            chain.append(certificate)
        }
        let checks = ChainChecks(evaluation: self, chain: chain)
        var problems = verified.faults.compactMap { checks.problem($0) }
        problems += checks.ownProblems
        return TrustResult(chain: chain, problems: problems)
    }

    /// How many issuers are tried that have the right name, but another key.
    private static let namesakeLimit = 10

    /// Builds the best chain: OpenSSL's library takes the first issuer of each name, whichever key it has.
    private func verified(_ leaf: X509Certificate, in library: Libcrypto) throws(LibcryptoError) -> VerifiedChain {
        var anchors = (anchors + systemAnchors).map(\.bytes)
        // With others, it would go on from a certificate that is an anchor itself.
        var others = anchors.contains(leaf.bytes) ? [] : certificates.dropFirst().map(\.bytes)
        let first = try library.verify(leaf.bytes, others: others, anchors: anchors, at: secondsSince1970)
        var best = first
        for _ in 0..<Self.namesakeLimit {
            guard let fault = best.faults.first(where: \.isWrongKey),
                best.certificates.indices.contains(fault.index + 1)
            else { break }
            let namesake = best.certificates[fault.index + 1]
            others.removeAll { $0 == namesake }
            anchors.removeAll { $0 == namesake }
            best = try library.verify(leaf.bytes, others: others, anchors: anchors, at: secondsSince1970)
        }
        return best.faults.count < first.faults.count ? best : first
    }
}

extension VerifiedChain.Fault {
    /// Whether the key of the issuer did not make the signature.
    fileprivate var isWrongKey: Bool { code == 7 }
}

/// The result of an evaluation.
package struct TrustResult: Sendable {
    /// What is wrong with a certificate of the chain.
    package struct Finding: Hashable, Sendable {
        package let index: Int
        package let problem: TrustProblem

        package init(index: Int, problem: TrustProblem) {
            self.index = index
            self.problem = problem
        }
    }

    /// The certificate, its issuer, and so on, as far as they were found.
    package let chain: [X509Certificate]
    /// Everything that is wrong, the most serious first, and among equals what is nearest to the certificate.
    package let findings: [Finding]

    init(chain: [X509Certificate], problems: [Finding]) {
        self.chain = chain
        findings = Set(problems).sorted { one, other in
            (one.problem.kind, one.index, one.problem.rawValue) < (
                other.problem.kind, other.index, other.problem.rawValue
            )
        }
    }
}

/// What a certificate is evaluated for.
package enum TrustPolicy: Hashable, Sendable {
    /// Any purpose.
    case basic
    /// The server of a TLS connection, with this name if it matters.
    case server(name: String?)
    /// The client of a TLS connection.
    case client
    /// Whether the certificate was revoked, which nothing here can find out.
    case revocation(requiresAnswer: Bool)
}

/// The certificates that the system trusts.
package enum SystemAnchors {
    /// The files where distributions keep them, of which the first that exists counts: Debian and Alpine, Fedora, openSUSE,
    /// and others.
    private static let paths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// Such a file is larger than any that a distribution has.
    private static let byteCountLimit = 16 << 20

    /// The certificates that the system trusts; none if it has no file of them.
    package static func read() -> [X509Certificate] {
        for path in paths {
            guard let file = try? SequentialInput.contents(of: path, byteCountLimit: byteCountLimit) else { continue }
            return certificates(in: file)
        }
        return []
    }

    /// The certificates in such a file; those that cannot be read are left out.
    package static func certificates(in file: [UInt8]) -> [X509Certificate] {
        PEM.parts(of: file).compactMap { part in
            part.label == "CERTIFICATE"
                ? try? X509Certificate(parsing: part.content) : nil
        }
    }
}
