internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension Option {
    fileprivate static let all = Option("-a", summary: "print all that match, not only the oldest")
    fileprivate static let commonName = Option(
        "-c",
        argument: .value("NAME", .nothing),
        summary: "part of the common name, in any case of letters"
    )
    fileprivate static let mailAddress = Option(
        "-e",
        argument: .value("MAIL", .nothing),
        summary: "e-mail address; then -c has an effect only with -a"
    )
    fileprivate static let printsAddresses = Option("-m", summary: "print the e-mail addresses")
    fileprivate static let asPEM = Option("-p", summary: "print PEM instead of attributes")
    fileprivate static let withHashes = Option("-Z", summary: "print the SHA-256 and SHA-1 hashes")
}

extension Verb {
    static let findCertificate = Verb(
        "security find-certificate",
        .macOS,
        "Find certificates",
        operands: [.keychains],
        options: [.all, .commonName, .mailAddress, .printsAddresses, .asPEM, .withHashes],
        details: "Prints the oldest certificate that matches, or with -a all of them. With --json, each is an object.",
        examples: [
            Example(call: "coffer security find-certificate -c example.com -p", purpose: "print a certificate in PEM")
        ],
        usesGetoptSyntax: true
    ) { run in
        let isAll = run.arguments.has(.all)
        var hasFound = false
        for access in try run.keychains() where isAll || !hasFound {
            let selection = ItemSelection(group: run.arguments.value(of: .group))
            let found = try access.withKeychain { keychain in
                try selection.certificates(in: keychain, run).filter { run.matches($0.certificate) }
            }
            for certificate in isAll ? found : Array(found.prefix(1)) {
                hasFound = true
                try run.show(certificate, in: access.path())
            }
        }
        guard isAll || hasFound else { throw CommandError.nothingMatches }
    }
}

extension CommandRun {
    fileprivate func matches(_ certificate: X509Certificate) -> Bool {
        let address = arguments.value(of: .mailAddress)?.lowercased()
        if let address, !certificate.emailAddresses.contains(where: { $0.lowercased() == address }) { return false }
        guard let name = arguments.value(of: .commonName), address == nil || arguments.has(.all) else { return true }
        return certificate.commonName?.lowercased().contains(text: name.lowercased()) ?? false
    }

    fileprivate func show(_ found: StoredCertificate, in path: String) throws {
        let certificate = found.certificate
        guard !isJSON else { return try output.write(json: found.item.json.with(certificate.members)) }
        if arguments.has(.withHashes) {
            for (name, function) in [("SHA-256", HashFunction.sha256), ("SHA-1", .sha1)] {
                let hash = try certificate.fingerprint(function)
                try output.write(line: "\(name) hash: \(hash.hexDigits.uppercased())")
            }
        }
        if arguments.has(.printsAddresses) {
            let addresses = certificate.emailAddresses.map(\.printable).joined(separator: ", ")
            try output.write(line: "email addresses: \(addresses)")
        }
        guard arguments.has(.asPEM) else { return try found.item.writeAsApple(in: path, to: output) }
        try output.write(PEM("CERTIFICATE", content: certificate.bytes).text.span)
    }
}
