/// What Apple's rules say about a chain, beyond what OpenSSL's library checks.
struct ChainChecks {
    let evaluation: TrustEvaluation
    let chain: [X509Certificate]

    private typealias Finding = TrustResult.Finding

    /// Whether the chain ends in an anchor.
    private var endsInAnchor: Bool { endsInCallersAnchor || chain.last.map(evaluation.systemAnchors.contains) ?? false }
    private var endsInCallersAnchor: Bool { chain.last.map(evaluation.anchors.contains) ?? false }

    private func isAnchor(_ index: Int) -> Bool { index == chain.count - 1 && endsInAnchor }

    // MARK: - What OpenSSL's library found

    /// What a fault means; nil if it is checked here in another way, or does not count.
    func problem(_ fault: VerifiedChain.Fault) -> TrustResult.Finding? {
        guard let problem = namedProblem(fault) else { return nil }
        return Finding(index: min(max(fault.index, 0), max(chain.count - 1, 0)), problem: problem)
    }

    private func namedProblem(_ fault: VerifiedChain.Fault) -> TrustProblem? {
        let certificate = chain.indices.contains(fault.index) ? chain[fault.index] : nil
        switch fault.code {
        // Not yet valid, and expired: Apple's validity includes its last second.
        case 9, 10: return nil
        // No issuer, or a signature that no known issuer made.
        case 2, 7, 20, 21: return .incompleteChain
        // Self-signed, alone or at the end.
        case 18, 19: return .untrustedRoot
        case 25: return .pathTooLong
        case 79:
            guard let constraints = certificate?.basicConstraints else { return .noBasicConstraints }
            return constraints.isAuthority ? .usageWithoutSigning : .notAnAuthority
        case 32: return .usageWithoutSigning
        case 34: return hasUnknownCriticalExtension(certificate, fault.index) ? .unknownCriticalExtension : nil
        case 41: return .malformedExtension
        case 42, 43: return .policyNotAllowed
        case 47, 48, 49, 51, 52, 53: return .nameNotAllowed
        default: return .other
        }
    }

    /// Whether the certificate has such an extension that is not Apple's own; those of anchors do not count.
    private func hasUnknownCriticalExtension(_ certificate: X509Certificate?, _ index: Int) -> Bool {
        guard let certificate, !isAnchor(index) else { return certificate == nil }
        let unknown = certificate.extensions.filter { $0.isCritical && $0.kind == nil }
        let applesArc = OID([1, 2, 840, 113635, 100]).content
        return unknown.isEmpty || !unknown.allSatisfy { $0.identifier.content.starts(with: applesArc) }
    }

    // MARK: - What is checked here

    /// What is wrong by Apple's own rules.
    var ownProblems: [TrustResult.Finding] {
        var findings: [Finding] = []
        for (index, certificate) in chain.enumerated() {
            findings += ownProblems(of: certificate, index).map { Finding(index: index, problem: $0) }
        }
        guard let leaf = chain.first else { return findings + [Finding(index: 0, problem: .incompleteChain)] }
        // OpenSSL's library has the last word, but a chain without an anchor must never pass.
        if !endsInAnchor { findings.append(Finding(index: chain.count - 1, problem: rootProblem)) }
        for policy in evaluation.policies {
            findings += problems(of: leaf, for: policy).map { Finding(index: 0, problem: $0) }
        }
        return findings
    }

    private var rootProblem: TrustProblem {
        guard let root = chain.last, root.isSelfIssued else { return .incompleteChain }
        return .untrustedRoot
    }

    private func ownProblems(of certificate: X509Certificate, _ index: Int) -> [TrustProblem] {
        var problems: [TrustProblem] = []
        if !(certificate.notValidBefore <= evaluation.time && evaluation.time <= certificate.notValidAfter) {
            problems.append(.expired)
        }
        if let problem = keyProblem(certificate) { problems.append(problem) }
        guard !isAnchor(index) else { return problems }
        // Only the signature of a root does not matter. A certificate below it may have equal names, too.
        let isRoot = index == chain.count - 1 && certificate.isSelfIssued
        if !isRoot, let problem = digestProblem(certificate) { problems.append(problem) }
        if certificate.extensions.contains(where: \.isMalformed) { problems.append(.malformedExtension) }
        if Set(certificate.extensions.map(\.identifier)).count < certificate.extensions.count {
            problems.append(.duplicateExtension)
        }
        if certificate.subject.isEmpty {
            let hasCriticalNames = certificate.extensions.contains {
                $0.kind == .subjectAlternativeName && $0.isCritical
            }
            if index > 0 || !hasCriticalNames { problems.append(.emptySubject) }
        }
        return problems
    }

    private var isForServer: Bool {
        evaluation.policies.contains { if case .server = $0 { true } else { false } }
    }

    private func keyProblem(_ certificate: X509Certificate) -> TrustProblem? {
        guard let kind = AsymmetricKey(of: certificate)?.kind else {
            // Ed448 is strong, but not used here; of any other key, or a malformed one, nothing is known.
            return certificate.publicKey.kind == .ed448 ? nil : .keyTooWeak
        }
        let (leastBitCount, goodBitCount) =
            switch kind {
            case .rsa: (1024, 2048)
            default: (160, 256)
            }
        if kind.bitCount < leastBitCount { return .keyTooWeak }
        return isForServer && kind.bitCount < goodBitCount ? .keyTooSmall : nil
    }

    /// Signatures with MD2, MD4 and MD5.
    private static let brokenDigests: Set<OID> = [
        [1, 2, 840, 113549, 1, 1, 2], [1, 2, 840, 113549, 1, 1, 3], [1, 2, 840, 113549, 1, 1, 4], [1, 3, 14, 3, 2, 2],
        [1, 3, 14, 3, 2, 3], [1, 3, 14, 3, 2, 4],
    ]
    /// Signatures with SHA-1.
    private static let weakDigests: Set<OID> = [
        [1, 2, 840, 113549, 1, 1, 5], [1, 2, 840, 10045, 4, 1], [1, 2, 840, 10040, 4, 3], [1, 3, 14, 3, 2, 27],
        [1, 3, 14, 3, 2, 29],
    ]

    private func digestProblem(_ certificate: X509Certificate) -> TrustProblem? {
        let algorithm = certificate.signedAlgorithm.algorithm
        if Self.brokenDigests.contains(algorithm) { return .digestBroken }
        return isForServer && Self.weakDigests.contains(algorithm) ? .digestTooWeak : nil
    }

    // MARK: - Policies

    private static let anyPurpose: OID = [2, 5, 29, 37, 0]
    private static let serverPurpose: OID = [1, 3, 6, 1, 5, 5, 7, 3, 1]
    private static let clientPurpose: OID = [1, 3, 6, 1, 5, 5, 7, 3, 2]
    /// What Netscape and Microsoft called servers once.
    private static let oldServerPurposes: Set<OID> = [
        [2, 16, 840, 1, 113730, 4, 1], [1, 3, 6, 1, 4, 1, 311, 10, 3, 3],
    ]

    private func problems(of leaf: X509Certificate, for policy: TrustPolicy) -> [TrustProblem] {
        switch policy {
        case .basic: return []
        case .revocation(let requiresAnswer): return requiresAnswer ? [.unrevokedStateUnknown] : []
        case .client:
            let purposes = leaf.extendedKeyUsage.map(Set.init)
            let isAllowed = purposes?.isDisjoint(with: [Self.anyPurpose, Self.clientPurpose]) != true
            return isAllowed ? [] : [.purposeNotAllowed]
        case .server(let name):
            var problems: [TrustProblem] = []
            if !isForServers(leaf) { problems.append(.purposeNotAllowed) }
            if let name, !Host(name).isNamed(by: leaf) { problems.append(.hostNameDiffers) }
            if let limit = validityLimit(leaf), leaf.notValidAfter - leaf.notValidBefore > limit {
                problems.append(.validityTooLong)
            }
            return problems
        }
    }

    /// 2019-07-01 and 2020-09-01, from which certificates of servers have to meet further conditions.
    private static let (july2019, september2020): (Int64, Int64) = (583_632_000, 620_611_200)

    private func isForServers(_ leaf: X509Certificate) -> Bool {
        let purposes = leaf.extendedKeyUsage.map(Set.init)
        if leaf.notValidBefore >= Self.july2019 { return purposes?.contains(Self.serverPurpose) == true }
        let allowed = Self.oldServerPurposes.union([Self.anyPurpose, Self.serverPurpose])
        return purposes?.isDisjoint(with: allowed) != true
    }

    /// The longest validity in seconds that a server's certificate may have.
    private func validityLimit(_ leaf: X509Certificate) -> Int64? {
        let day: Int64 = 86_400
        guard leaf.notValidBefore >= Self.july2019 else { return nil }
        if !endsInCallersAnchor, leaf.notValidBefore >= Self.september2020 { return 398 * day }
        return 825 * day + 3600
    }
}

extension X509Certificate {
    /// Whether issuer and subject have the same name.
    fileprivate var isSelfIssued: Bool {
        guard let issuer = issuerName?.normalized else { return false }
        return issuer == subjectName?.normalized
    }
}
