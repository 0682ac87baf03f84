internal import Coffer
internal import CofferBasics
internal import CofferCertificates
internal import CofferKeyItems

extension Option {
    static let keychain = Option("-k", argument: .value("KEYCHAIN", .file), summary: "vault to use, like --vault")
    fileprivate static let notExtractable = Option("-x", summary: "never let private keys leave the vault")
}

extension Verb {
    static let importFile = Verb(
        "import",
        .importing,
        "Store the passwords of another program, or certificates and keys",
        operands: [Operand(name: "FILE", presence: .needed, completion: .file)],
        options: [
            .dryRun, .existing, .columns, .htmlEntities, .label, .accessible, .filePassphrase, .visibleFilePassphrase,
            .notExtractable, .keychain,
            .ignored("-A", summary: "whoever can open the vault can read its items"),
            .ignored(
                "-T",
                argument: .value("PROGRAM", .file),
                summary: "whoever can open the vault can read its items"
            ),
            .ignored("-f", argument: .value("FORMAT", .nothing), summary: "the format is detected"),
            .ignored("-t", argument: .value("TYPE", .nothing), summary: "the type is detected"),
            .ignored("-w", summary: "encryption is detected"),
        ],
        details: """
            FILE is what another program has exported, or a folder of `pass` or gopass; - is standard input. Its form is \
            detected: Apple Passwords, `security dump-keychain -d`, Chrome, Edge, Firefox, Safari, Bitwarden, 1Password, \
            KeePass, KeePassXC, LastPass, Dashlane, Proton Pass, Enpass, CXF, netrc, .env, .git-credentials, docker, AWS, \
            .npmrc, .pypirc, and any CSV file whose columns --columns names.

            An import is stored completely or not at all. What cannot be taken over is listed, and `coffer undo --change` \
            with the number that is printed undoes it all. --dry-run says what would happen. Remove the file \
            afterwards: it has all passwords in it.

            Certificates and keys are in PEM, DER or PKCS #12 (.p12, .pfx). The passphrase of such a file is asked for \
            if it needs one. A certificate is stored under the name of its subject, a key under the name in the file, that of its \
            certificate, or that of the file; --label gives another name. What the vault has already is left as it is.
            """,
        examples: [
            Example(call: "coffer import passwords.csv --dry-run", purpose: "see what an import would store"),
            Example(
                call: "coffer import list.csv --columns title=Name,password=Secret",
                purpose: "read a CSV file with columns of your own"
            ),
            Example(call: "coffer import server.p12", purpose: "store a certificate with its key"),
            Example(call: "coffer import ca.pem --group coffer", purpose: "store a certificate in a group"),
        ],
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.value(of: .keychain))
        // Do not ask for a passphrase if nothing can be stored.
        if access.isNamed { _ = try access.vault() } else { try access.checkMayMake() }
        let path = run.arguments.operand(0) ?? "-"
        guard let bytes = try run.importPasswords(path, access) else { return }
        try run.importCertificates(CertificateFile(path: path, given: bytes), access)
    }
}

extension CommandRun {
    fileprivate func importCertificates(_ file: CertificateFile, _ access: VaultAccess) throws {
        let path = file.path
        let stored = try CertificateImport(file.content(self), path, self)
        if arguments.has(.dryRun) {
            guard try access.exists() else { return try report(stored.countsOfNewVault, path) }
            return try report(access.withoutChanging { transaction in try stored.store(in: &transaction) }, path)
        }
        let counts = try access.withKeychain(for: .storing) { keychain in
            try keychain.transaction { transaction in try stored.store(in: &transaction) }
        }
        try report(counts, path)
    }
}

/// The items that a file becomes.
private struct CertificateImport: Sendable {
    /// A certificate, a key, or an identity of both.
    struct Entry: Sendable {
        var certificate: (content: X509Certificate, item: Coffer.Certificate)?
        var key: (content: AsymmetricKey, item: CryptographicKey)?
    }

    /// How many of each kind were stored.
    struct Counts: Sendable {
        var identities = 0
        var keys = 0
        var certificates = 0
        /// How many exist already.
        var existing = 0

        mutating func add(_ entry: Entry, isNew: Bool) {
            switch (isNew, entry.certificate == nil, entry.key == nil) {
            case (false, _, _): existing += 1
            case (true, false, false): identities += 1
            case (true, false, true): certificates += 1
            case (true, true, _): keys += 1
            }
        }
    }

    private var entries: [Entry] = []

    init(_ content: KeyFileContent, _ path: String, _ run: CommandRun) throws {
        let label = run.arguments.value(of: .label)
        let group = run.arguments.value(of: .group)
        let accessibility = try run.arguments.value(of: .accessible).map { try Accessibility(commandName: $0) }
        func item<Item: KeychainItem>(_ attributes: [String: ItemValue], _ name: String?) -> Item {
            var item = Item(attributes: AttributeValues())
            for (name, value) in attributes { item.attributes[name] = value }
            item.accessGroup = group
            item.accessibility = accessibility
            if let name = label ?? name { item.label = name }
            return item
        }
        var certificates: [Entry] = []
        do {
            for (certificate, _) in content.certificates {
                guard let attributes = try certificate.newItemAttributes() else {
                    throw CommandError(.undecodable, "\(path.printable): a certificate has a malformed name")
                }
                certificates.append(Entry(certificate: (certificate, item(attributes, nil))))
            }
            for (key, name) in content.keys {
                // Without the hash, a certificate would never be found to belong to the key.
                var attributes = key.itemAttributes.merging(["klbl": .data(try key.publicKeyHash())]) { $1 }
                if key.isPrivate, run.arguments.has(.notExtractable) { attributes["extr"] = false }
                let index = certificates.firstIndex { entry in
                    key.isPrivate && entry.certificate?.item.publicKeyHash.map(ItemValue.data) == attributes["klbl"]
                }
                var entry = Entry()
                if let index { entry = certificates.remove(at: index) }
                let summary = entry.certificate?.content.subjectSummary
                entry.key = (key, item(attributes, name ?? summary ?? path.fileStem))
                entries.append(entry)
            }
        } catch let error as LibcryptoError {
            throw CommandError(.library(error), of: path)
        }
        entries += certificates
    }

    /// Stores what does not exist yet.
    func store(in transaction: inout KeychainTransaction) throws -> Counts {
        var counts = Counts()
        for entry in entries {
            var isNew = false
            if let (certificate, item) = entry.certificate {
                let bytes = certificate.bytes
                isNew = try transaction.addIfNew(item, bytes.span)
                if !isNew { try transaction.checkSame(item, bytes.span) }
            }
            if let (key, item) = entry.key {
                let isNewKey = try key.withBytes { bytes in try transaction.addIfNew(item, bytes) }
                isNew = isNew || isNewKey
            }
            counts.add(entry, isNew: isNew)
        }
        return counts
    }

    /// What would be stored in a vault that has nothing.
    var countsOfNewVault: Counts {
        entries.reduce(into: Counts()) { counts, entry in counts.add(entry, isNew: true) }
    }
}

extension KeychainTransaction {
    /// Adds an item unless it exists; returns whether it was added.
    fileprivate mutating func addIfNew(
        _ item: some KeychainItem,
        _ secret: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try add(item, secret: secret)
            return true
        } catch .duplicateItem {
            return false
        }
    }

    /// Throws if a certificate that exists is another one, which happens if an authority uses a number twice.
    fileprivate mutating func checkSame(_ item: Coffer.Certificate, _ content: Span<UInt8>) throws {
        let found = try items(
            Coffer.Certificate.self,
            where: .attribute("issr", .data(item.issuer)),
            .attribute("slnr", .data(item.serialNumber)),
            .synchronizable(.any)
        )
        for stored in found {
            guard try withSecret(of: stored.reference, { $0.isSame(as: content) }) != true else { return }
        }
        guard let other = found.first else { return }
        throw CommandError(
            .duplicate,
            "another certificate with the same issuer and serial number exists: \(FoundItem(other).line)",
            hints: ["`coffer rm --class certificate` deletes it"]
        )
    }
}

extension CommandRun {
    /// Reports what was imported, in the words of macOS.
    fileprivate func report(_ counts: CertificateImport.Counts, _ path: String) throws {
        let kinds = [
            (counts.identities, "identity", "identities"), (counts.keys, "key", "keys"),
            (counts.certificates, "certificate", "certificates"),
        ]
        guard kinds.contains(where: { $0.0 > 0 }) else {
            throw CommandError(.duplicate, "\(path.printable): everything in this file exists already")
        }
        if isJSON {
            try output.write(json: .object(kinds.map { ($0.2, JSON($0.0)) } + [("existing", JSON(counts.existing))]))
        } else {
            for (count, one, several) in kinds where count > 0 {
                let done = arguments.has(.dryRun) ? "would be imported" : "imported"
                try output.write(line: "\(count.counted(one, several)) \(done).")
            }
        }
        if counts.existing > 0 {
            messages.note("\(counts.existing.counted("existing item")) left unchanged")
        }
    }
}

extension String {
    /// The name of a file without its directory and its extension.
    fileprivate var fileStem: String {
        guard self != "-" else { return "imported key" }
        let name = split(separator: "/").last ?? ""
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
    }
}
