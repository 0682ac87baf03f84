internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension Option {
    fileprivate static let policy = Option(
        "-p",
        argument: .value("POLICY", .words(["basic", "ssl-client", "ssl-server"])),
        summary: "what for: basic (the default), ssl-client or ssl-server",
        isRepeatable: true
    )
    fileprivate static let hostName = Option(
        "-s",
        argument: .value("NAME", .nothing),
        summary: "host name, for the policy ssl-server"
    )
    fileprivate static let onlyValid = Option("-v", summary: "print only identities that are valid")
}

extension Verb {
    static let findIdentity = Verb(
        "security find-identity",
        .macOS,
        "Find certificates with private keys",
        operands: [.keychains],
        options: [.policy, .hostName, .onlyValid],
        details: """
            An identity is valid if its certificate leads to one that the system trusts, and fits the policy. Issuers \
            are looked for in the same vaults.
            """,
        examples: [
            Example(call: "coffer security find-identity -v -p ssl-server", purpose: "list those for TLS servers")
        ],
        usesGetoptSyntax: true
    ) { run in
        let policies = try run.policies()
        let selection = ItemSelection(group: run.arguments.value(of: .group))
        var (identities, others): ([StoredCertificate], [X509Certificate]) = ([], [])
        for access in try run.keychains() {
            let found = try access.withUnlockedKeychain { keychain in
                (
                    identities: try selection.identities(in: keychain, run).map(\.certificate),
                    others: try selection.certificates(in: keychain, run).map(\.certificate)
                )
            }
            identities += found.identities
            others += found.others
        }
        var answers: [JSON] = []
        for policy in policies {
            let found = try identities.map { identity in
                let result = try run.evaluate([identity.certificate] + others, [policy.policy])
                let hash = try identity.certificate.fingerprint(.sha1).hexDigits.uppercased()
                return FoundIdentity(certificate: identity, hash: hash, problem: result.findings.first?.problem)
            }
            guard run.isJSON else {
                try run.print(found, policy.title)
                continue
            }
            let listed = found.filter { $0.problem == nil || !run.arguments.has(.onlyValid) }
            answers += listed.map { $0.json(policy.name) }
        }
        if run.isJSON { try run.output.write(json: .array(answers)) }
    }
}

/// An identity, and whether it is valid.
private struct FoundIdentity {
    let certificate: StoredCertificate
    let hash: String
    let problem: TrustProblem?

    func json(_ policy: String) -> JSON {
        certificate.item.json.with(
            certificate.certificate.members + [
                ("sha1", .string(hash.lowercased())), ("policy", .string(policy)),
                ("problem", JSON(problem?.macOSName)),
            ]
        )
    }
}

extension CommandRun {
    fileprivate func policies() throws -> [(name: String, title: String, policy: TrustPolicy)] {
        let names = arguments.values(of: .policy)
        let host = arguments.value(of: .hostName)
        return try (names.isEmpty ? ["basic"] : names).map { name in
            switch name {
            case "basic": (name, "X.509 Basic", .basic)
            case "ssl-client": (name, "SSL (client)", .client)
            case "ssl-server": (name, "SSL (server)", .server(name: host))
            default: throw CommandError.unknown("policy", name, among: ["basic", "ssl-client", "ssl-server"])
            }
        }
    }

    fileprivate func print(_ identities: [FoundIdentity], _ title: String) throws {
        let valid = identities.filter { $0.problem == nil }
        if !arguments.has(.onlyValid) {
            if let name = arguments.value(of: .hostName) {
                try output.write(line: "Looking for identities matching \"\(name.printable)\"")
            }
            try output.write(line: "\nPolicy: \(title)\n  Matching identities")
            try list(identities)
            try output.write(line: "     \(identities.count) identities found\n\n  Valid identities only")
        }
        try list(valid)
        try output.write(line: "     \(valid.count) valid identities found")
    }

    private func list(_ identities: [FoundIdentity]) throws {
        for (index, identity) in identities.enumerated() {
            let number = String(index + 1)
            let padding = String(repeating: " ", count: max(0, 3 - number.count))
            let label = identity.certificate.item.service.shown
            let problem = identity.problem.map { " (\($0.macOSName))" } ?? ""
            try output.write(line: "\(padding)\(number)) \(identity.hash) \"\(label)\"\(problem)")
        }
    }
}
