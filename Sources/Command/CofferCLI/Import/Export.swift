internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CofferCertificates
internal import CommandSystem
internal import VaultFiles

extension Option {
    fileprivate static let exportedType = Option(
        "-t",
        "--type",
        argument: .value("TYPE", .words(ExportedType.allCases.map(\.rawValue))),
        summary: "what to export: certs (the default), identities, privKeys, pubKeys, allKeys or all"
    )
    fileprivate static let exportedFormat = Option(
        "-f",
        "--format",
        argument: .value("FORMAT", .words(KeyFileFormat.names.map(\.name))),
        summary: "format: pemseq (the default), x509, openssl, pkcs8, bsafe or pkcs12"
    )
    fileprivate static let asText = Option("-p", summary: "write PEM, also in a format that is not text")
    fileprivate static let encrypted = Option("-w", summary: "encrypt private keys with a passphrase")
    static let outputFile = Option(
        "-o",
        "--output",
        argument: .value("FILE", .file),
        summary: "write to FILE instead of standard output"
    )
}

extension Verb {
    static let exportItems = Verb(
        "export",
        .importing,
        "Write passwords for another program, or certificates and keys",
        operands: [Operand(name: "NAME", presence: .optional)],
        options: [
            .target, .authenticate, .exportedType, .exportedFormat, .asText, .encrypted, .filePassphrase,
            .visibleFilePassphrase, .outputFile,
            .keychain,
        ],
        details: """
            With --for, the passwords are written as that program imports them, or with --for coffer all items of the \
            vault with their history and open conflicts, also deleted items, which `coffer import` reads back without \
            loss. NAME is the service or server then. What the form cannot hold is listed. The file is not encrypted: \
            delete it soon; `coffer backup` makes an encrypted copy.

            Without --for, NAME is the label of certificates and keys; without NAME, all are written. Private keys leave \
            the vault only if -t asks for them, and only those that are extractable.

            FORMAT is pemseq, text that holds any number of certificates and keys; pkcs12, which is always encrypted; \
            or for one object, in DER unless -p is given, x509 for a certificate, pkcs8 for a private key, bsafe for an \
            RSA key in PKCS #1, and openssl for any of them.

            FILE is created with mode 0600, and replaced only with --force.
            """,
        examples: [
            Example(
                call: "coffer export --for keepassxc -o passwords.csv",
                purpose: "write all passwords for KeePassXC"
            ),
            Example(call: "coffer export --for coffer -o all.json", purpose: "write everything that the vault has"),
            Example(call: "coffer export example.com", purpose: "print a certificate"),
            Example(
                call: "coffer export example.com -t identities -f pkcs12 -o server.p12",
                purpose: "write a certificate and its key to a file with a passphrase"
            ),
        ],
        usesGetoptSyntax: true
    ) { run in
        if let program = run.arguments.value(of: .target) {
            return try run.exportPasswords(for: program, to: run.arguments.value(of: .outputFile))
        }
        let type = try run.exportedType()
        let format = try run.exportedFormat()
        let isText = run.arguments.has(.asText) || format == .pemSequence
        let output = run.arguments.value(of: .outputFile)
        guard isText || output != nil || !run.output.isTerminal else {
            throw CommandError.usage("binary data is not written to a terminal", hints: ["use -p or -o FILE"])
        }
        let selection = ItemSelection(
            service: run.arguments.operand(0),
            account: nil,
            group: run.arguments.value(of: .group)
        )
        let access = try run.keychain(run.arguments.value(of: .keychain))
        let content = try access.withUnlockedKeychain { keychain in try selection.content(type, in: keychain, run) }
        let isEncrypted =
            format == .pkcs12 || run.arguments.has(.encrypted) && content.keys.contains(where: \.key.isPrivate)
        let passphrase = isEncrypted ? try run.newFilePassphrase().ofFile : nil
        var file = try content.exported(as: format, isText: isText, passphrase, selection.description)
        defer { file.wipe() }
        if let output { try run.write(file.span, toFile: output) } else { try run.output.write(file.span) }
    }
}

/// What `export` writes.
enum ExportedType: String, CaseIterable {
    case certs, identities, privKeys, pubKeys, allKeys, all
}

extension KeyFileFormat {
    /// The formats by the names of macOS.
    static let names: [(name: String, format: KeyFileFormat)] = [
        ("pemseq", .pemSequence), ("x509", .x509), ("openssl", .openSSL), ("pkcs8", .pkcs8), ("bsafe", .pkcs1),
        ("pkcs12", .pkcs12),
    ]
}

extension KeyFileContent {
    /// The file, which the caller wipes.
    fileprivate func exported(
        as format: KeyFileFormat,
        isText: Bool,
        _ passphrase: FilePassphrase?,
        _ description: String
    ) throws -> [UInt8] {
        do throws(CertificateFileError) {
            return try written(as: format, isText: isText, passphrase: passphrase)
        } catch {
            var failure = CommandError(error, of: description)
            if error == .formatCannotHold {
                let (certificates, keys) = (certificates.count.counted("certificate"), keys.count.counted("key"))
                failure.hints = ["\(certificates) and \(keys) match; the format pemseq holds them all"]
            }
            throw failure
        }
    }
}

extension ItemSelection {
    /// The matching certificates and keys, as the content of a file.
    func content(_ type: ExportedType, in keychain: Keychain, _ run: CommandRun) throws -> KeyFileContent {
        var (certificates, keys): ([StoredCertificate], [StoredKey]) = ([], [])
        switch type {
        case .certs: certificates = try self.certificates(in: keychain, run)
        case .privKeys: keys = try self.keys(in: keychain, run).filter(\.key.isPrivate)
        case .pubKeys: keys = try self.keys(in: keychain, run).filter { !$0.key.isPrivate }
        case .allKeys: keys = try self.keys(in: keychain, run)
        case .all:
            certificates = try self.certificates(in: keychain, run)
            keys = try self.keys(in: keychain, run)
        case .identities:
            for identity in try identities(in: keychain, run) {
                // A certificate may have several keys, and a key several certificates.
                if !certificates.contains(where: { $0.item.reference == identity.certificate.item.reference }) {
                    certificates.append(identity.certificate)
                }
                guard !keys.contains(where: { $0.item.reference == identity.key.reference }) else { continue }
                keys += try [identity.key.storedKey(in: keychain, run)].compactMap(\.self)
            }
        }
        guard !certificates.isEmpty || !keys.isEmpty else { throw nothingToExport }
        if let kept = keys.first(where: { !$0.isExtractable }) {
            throw CommandError(.failure, "\(kept.item.shownName) cannot be exported: it was stored as not extractable")
        }
        var content = KeyFileContent()
        content.certificates = certificates.map { ($0.certificate, $0.item.service.string) }
        content.keys = keys.map { ($0.key, $0.item.service.string) }
        return content
    }

    private var nothingToExport: CommandError {
        CommandError(.notFound, "nothing to export: \(description)", hints: ["run `coffer list` to see all items"])
    }
}

extension CommandRun {
    fileprivate func exportedType() throws -> ExportedType {
        let name = arguments.value(of: .exportedType) ?? ExportedType.certs.rawValue
        guard let type = ExportedType(rawValue: name) else {
            throw CommandError.unknown("type", name, among: ExportedType.allCases.map(\.rawValue))
        }
        return type
    }

    fileprivate func exportedFormat() throws -> KeyFileFormat {
        let name = arguments.value(of: .exportedFormat) ?? "pemseq"
        guard let format = KeyFileFormat.names.first(where: { $0.name == name })?.format else {
            var error = CommandError.unknown("format", name, among: KeyFileFormat.names.map(\.name))
            if ExportForm.targets.contains(name) { error.hints = ["`coffer export --for \(name)` writes passwords"] }
            throw error
        }
        return format
    }
}
