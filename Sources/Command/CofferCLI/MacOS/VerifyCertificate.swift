internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension Option {
    fileprivate static let certificates = Option(
        "-c",
        argument: .value("FILE", .file),
        summary: "certificate to verify; further ones are possible issuers",
        isRepeatable: true
    )
    fileprivate static let roots = Option(
        "-r",
        argument: .value("FILE", .file),
        summary: "certificate to trust instead of those that the system trusts",
        isRepeatable: true
    )
    fileprivate static let policy = Option(
        "-p",
        argument: .value("POLICY", .words(["basic", "ssl"])),
        summary: "what for: basic (the default) or ssl"
    )
    fileprivate static let client = Option("-C", summary: "verify a client's certificate, with -p ssl")
    fileprivate static let date = Option(
        "-d",
        argument: .value("DATE", .nothing),
        summary: "verify as of this time in UTC: YYYY-MM-DD-hh:mm:ss or YYYY-MM-DD"
    )
    fileprivate static let hostName = Option("-n", "-s", argument: .value("NAME", .nothing), summary: "host name")
    fileprivate static let revocation = Option(
        "-R",
        argument: .value("HOW", .words(["ocsp", "crl", "require", "offline"])),
        summary: "check revocation, which is not possible: with require, verification fails",
        isRepeatable: true
    )
    fileprivate static let silent = Option("-q", summary: "print nothing")
    fileprivate static let printsChain = Option("-P", summary: "print the chain in PEM")
    fileprivate static let describesChain = Option("-t", summary: "print what the certificates of the chain say")
}

extension Verb {
    static let verifyCertificate = Verb(
        "security verify-cert",
        .macOS,
        "Verify a certificate",
        options: [
            .certificates, .roots, .policy, .client, .date, .hostName, .revocation, .keychain, .silent, .printsChain,
            .describesChain,
            .ignored("-l", summary: "certificates of authorities are verified like others"),
            .ignored("-L", summary: "nothing is fetched from the network"),
            .ignored("-N", summary: "only -k names a vault to search"),
            .ignored("-v", summary: "all problems are printed anyway"),
        ],
        details: """
            FILE is in PEM or DER. Issuers are looked for in the files after the first, and in the vault that -k \
            names. Without -c, the first certificate of -r is verified.
            """,
        examples: [
            Example(
                call: "coffer security verify-cert -c server.pem -p ssl -n example.com",
                purpose: "verify a server's"
            )
        ],
        usesGetoptSyntax: true
    ) { run in
        let anchors = try run.certificates(of: .roots)
        var certificates = try run.certificates(of: .certificates)
        if certificates.isEmpty { certificates = Array(anchors.prefix(1)) }
        guard !certificates.isEmpty else { throw CommandError.usage("***No certs specified.") }
        if let path = run.arguments.value(of: .keychain) {
            certificates += try run.keychain(path).withKeychain { keychain in
                try ItemSelection(group: nil).certificates(in: keychain, run).map(\.certificate)
            }
        }
        let result = try run.evaluate(
            certificates,
            run.policies(),
            anchors: anchors.isEmpty ? nil : anchors,
            at: run.date()
        )
        try run.print(result)
    }
}

extension CommandRun {
    /// The certificates in the files that an option names.
    fileprivate func certificates(of option: Option) throws -> [X509Certificate] {
        try arguments.values(of: option).flatMap { path in
            let found = try CertificateFile(path: path).content(self).certificates
            guard !found.isEmpty else { throw CommandError(.undecodable, "\(path.printable) has no certificates") }
            return found.map(\.certificate)
        }
    }

    fileprivate func policies() throws -> [TrustPolicy] {
        let name = arguments.value(of: .hostName)
        var policies: [TrustPolicy]
        switch arguments.value(of: .policy) ?? "basic" {
        case "basic": policies = [.basic]
        case "ssl": policies = arguments.has(.client) ? [.client] : [.server(name: name)]
        case let other: throw CommandError.usage("***unknown policy spec (\(other.printable))")
        }
        let ways = arguments.values(of: .revocation)
        if !ways.isEmpty { policies.append(.revocation(requiresAnswer: ways.contains("require"))) }
        return policies
    }

    /// The time that `-d` names, in seconds since 1970.
    fileprivate func date() throws -> Double? {
        guard let text = arguments.value(of: .date) else { return nil }
        // A third hyphen separates the time from the date.
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let time = parts.count == 4 ? "\(parts[..<3].joined(separator: "-"))T\(parts[3])" : text
        guard let seconds = PastTimeParser.seconds(time, now: now, secondsFromUTC: { _ in 0 }) else {
            throw CommandError.usage("invalid date \(text.printable) for -d: must be YYYY-MM-DD-hh:mm:ss or YYYY-MM-DD")
        }
        return seconds
    }

    fileprivate func print(_ result: TrustResult) throws {
        let isSilent = arguments.has(.silent)
        if !isSilent, !isJSON {
            for certificate in result.chain {
                if arguments.has(.describesChain) {
                    var facts = FactList()
                    add(certificate, to: &facts)
                    try facts.write(to: output, isColored: printsColor)
                }
                guard arguments.has(.printsChain) else { continue }
                try output.write(PEM("CERTIFICATE", content: certificate.bytes).text.span)
            }
        }
        if isJSON {
            try output.write(json: [
                "isValid": .bool(result.findings.isEmpty),
                "chain": .array(result.chain.map { .object($0.members) }),
                "problems": .array(
                    result.findings.map {
                        [
                            "index": JSON($0.index), "name": .string($0.problem.macOSName),
                            "text": .string("\($0.problem)"),
                        ]
                    }
                ),
            ])
        }
        guard let worst = result.findings.first else {
            if !isSilent, !isJSON { try output.write(line: "...certificate verification successful.") }
            return
        }
        guard !isSilent else {
            status = ExitCode.failure.rawValue
            return
        }
        throw CommandError(
            .failure,
            "Cert Verify Result: \(worst.problem.macOSName)",
            hints: result.findings.map { finding in
                "\(result.chain[finding.index].subjectSummary?.printable ?? "a certificate") \(finding.problem)"
            }
        )
    }
}
