internal import Coffer
internal import CofferBasics

extension Option {
    static let keychainPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "passphrase",
        isRepeatable: true
    )
    fileprivate static let askInWindow = Option.ignored("-P", summary: "the passphrase is asked for at the terminal")
}

extension Verb {
    static let createKeychain = Verb(
        "security create-keychain",
        .macOS,
        "Create vaults, like coffer init",
        operands: [Operand(name: "KEYCHAIN", presence: .rest, completion: .file)],
        options: [.keychainPassword, .askInWindow, .allowWeak],
        details: """
            Without -p the passphrase is asked for twice at the terminal or comes from another source, such as \
            --passphrase-file. With an empty one the key of this machine protects the vault.

            An existing file is never changed.
            """,
        examples: [
            Example(call: "coffer security create-keychain team.coffer", purpose: "ask for a passphrase and create it")
        ],
        usesGetoptSyntax: true
    ) { run in
        let paths = run.arguments.operands
        guard !paths.isEmpty else {
            throw CommandError.usage(
                "KEYCHAIN is missing",
                hints: ["usage: coffer security create-keychain [OPTION...] KEYCHAIN..."]
            )
        }
        let given = run.passphrase(of: .keychainPassword)
        for path in paths {
            try run.checkNotInterrupted()
            let access = try run.keychain(path)
            try run.checkNothing(isAt: path)
            let protection = try run.protectionOfKeychain(given, at: path, access)
            run.openVaults[path] = try run.makeVault(at: path, protection)
            run.messages.note("created the vault \(path.printable)")
            guard protection.isByDevice else { continue }
            run.messages.note("only the device key of this machine protects it; set a passphrase with `coffer passwd`")
        }
    }
}

extension CommandRun {
    /// The passphrase that an option gives; warns that others can read it.
    func passphrase(of option: Option) -> Passphrase? {
        guard let text = arguments.value(of: option) else { return nil }
        // An empty passphrase needs no warning.
        if !text.isEmpty { warnOfVisiblePassword(option.names[0]) }
        return Passphrase(text)
    }

    fileprivate func protectionOfKeychain(
        _ given: Passphrase?,
        at path: String,
        _ access: VaultAccess
    ) throws -> VaultProtection {
        if let given {
            let keyFile = arguments.value(of: .keyFile)
            return VaultProtection(passphrase: given.isEmpty ? nil : given, keyFile: keyFile)
        }
        var protection = try access.givenProtection(of: path)
        guard protection.isByDevice else { return protection }
        let name = path.printable
        let passphrase = try twice(
            "password for new keychain \(name): ",
            "retype password for new keychain \(name): ",
            "the passphrase"
        ) {
            "give it with --passphrase-file, or create the vault with `coffer init`, which needs none"
        }
        protection.passphrase = passphrase.isEmpty ? nil : passphrase
        return protection
    }
}
