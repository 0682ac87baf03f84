internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension Option {
    fileprivate static let credentialClass = Option(
        "--class",
        argument: .value("CLASS", .words(KeychainClass.ofCredentials.map(\.shortName))),
        summary: "only items of this class: generic, internet or identity"
    )
}

extension Verb {
    static let kubectlHelper = Verb(
        "helper kubectl",
        .programs,
        "Print a token or a certificate for kubectl",
        operands: [.service, .optionalAccount],
        options: [.credentialClass],
        details: """
            Programs for Kubernetes run it if the user in their configuration has under exec the command coffer, and as \
            args helper, kubectl and NAME.

            The secret of the item is a token, or the ExecCredential that another program has printed. With --class \
            identity, NAME is the label of a certificate whose private key is in the vault too; both are printed. \
            What has expired is not printed.
            """,
        examples: [
            Example(call: "coffer set kubernetes kim", purpose: "store a token"),
            Example(
                call: "coffer helper kubectl kim --class identity",
                purpose: "print a certificate and its private key"
            ),
        ]
    ) { run in
        let version = try run.execCredentialVersion()
        var selection = try run.selection()
        if let name = run.arguments.value(of: .credentialClass) {
            selection.classes = [try KeychainClass(shortName: name, among: KeychainClass.ofCredentials)]
        }
        let keys = ["token", "clientCertificateData", "clientKeyData", "expirationTimestamp"]
        let values: [String: HeldSecret]
        if selection.classes == [.identity] {
            values = try run.certificateAndKey(selection)
        } else {
            let credential = try ServedCredential(run, selection)
            values = try credential.texts(of: keys.map { "status." + $0 }) ?? ["status.token": credential.secret]
        }
        let (certificate, key) = (values["status.clientCertificateData"], values["status.clientKeyData"])
        guard (certificate == nil) == (key == nil), certificate != nil || values["status.token"] != nil
        else {
            throw CommandError(
                .undecodable,
                "the credential \(selection.description) needs a token, or a certificate and its key"
            )
        }
        try run.check(expiry: values["status.expirationTimestamp"], of: selection)
        try run.output.write(
            #"{"apiVersion":"\#(version)","kind":"ExecCredential","status":{"#,
            members: keys.map { ($0, values["status." + $0]) },
            "}}",
            of: selection.description,
            for: "kubectl"
        )
    }
}

extension KeychainClass {
    fileprivate static let ofCredentials: [KeychainClass] = [.genericPassword, .internetPassword, .identity]
}

extension CommandRun {
    /// The version of ExecCredential that kubectl expects; v1 if it does not say.
    fileprivate func execCredentialVersion() throws -> String {
        let versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]
        guard let info = context.environment["KUBERNETES_EXEC_INFO"], !info.isEmpty else { return versions[0] }
        let texts: [String: HeldSecret]
        do {
            texts = try HeldSecret(copying: info.utf8Span.span)
                .texts(of: ["apiVersion", "spec.interactive"], literals: ["spec.interactive"])
        } catch {
            throw CommandError(.failure, "KUBERNETES_EXEC_INFO: \(CommandError(error).message)")
        }
        if texts["spec.interactive"]?.text == "false" { prompter.promptBlocker = "kubectl" }
        guard let version = versions.first(where: { texts["apiVersion"]?.text == AttributeText($0) }) else {
            throw CommandError(
                .failure,
                "KUBERNETES_EXEC_INFO: unsupported apiVersion \(texts["apiVersion"]?.text.shown ?? "(missing)")",
                hints: ["use \(versions[0]) in the configuration of kubectl"]
            )
        }
        return version
    }

    /// The credential with the certificate and the key of the only identity that matches, in PEM.
    fileprivate func certificateAndKey(_ selection: ItemSelection) throws -> [String: HeldSecret] {
        let content = try vaults.withUnlockedKeychain { keychain in
            try selection.content(.identities, in: keychain, self)
        }
        guard content.certificates.count == 1, content.keys.count == 1 else {
            throw CommandError(.ambiguous, "several identities match \(selection.description)")
        }
        var (certificate, key) = (content, content)
        (certificate.keys, key.certificates) = ([], [])
        return [
            "status.clientCertificateData": try certificate.pem, "status.clientKeyData": try key.pem,
            "status.expirationTimestamp": HeldSecret(
                copying: Timestamp.utc(content.certificates[0].certificate.end).utf8Span.span
            ),
        ]
    }
}

extension KeyFileContent {
    /// The content in PEM.
    fileprivate var pem: HeldSecret {
        get throws {
            var file = try written(as: .pemSequence, isText: true, passphrase: nil)
            defer { file.wipe() }
            return HeldSecret(copying: file.span)
        }
    }
}
