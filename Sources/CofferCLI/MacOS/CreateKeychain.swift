internal import Coffer
internal import CofferBasics

extension Option {
    static let keychainPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "the passphrase",
        isRepeatable: true
    )
    fileprivate static let askInWindow = Option.ignored("-P", summary: "the passphrase is asked for at the terminal")
}

extension Verb {
    static let createKeychain = Verb(
        "create-keychain",
        .macOS,
        "Make vaults, as coffer init does",
        operands: [Operand(name: "KEYCHAIN", presence: .rest, completion: .file)],
        options: [.keychainPassword, .askInWindow, .allowWeak],
        details: """
            Without -p the passphrase comes from wherever passphrases come from, or is asked for at the terminal, twice. With an \
            empty one the key of this machine protects the vault.

            A file that is there already is never touched.
            """,
        examples: [Example(call: "coffer create-keychain team.coffer", purpose: "ask for a passphrase, and make it")],
        isLikeGetopt: true
    ) { run in
        let paths = run.arguments.operands
        guard !paths.isEmpty else {
            throw CommandError.usage(
                "KEYCHAIN is missing",
                hints: ["usage: coffer create-keychain [OPTION...] KEYCHAIN..."]
            )
        }
        let given = run.passphrase(of: .keychainPassword)
        for path in paths {
            try run.checkGoesOn()
            let access = try run.keychain(path)
            try run.checkNothing(isAt: path)
            let protection = try run.protectionOfKeychain(given, at: path, access)
            run.openVaults[path] = try run.makeVault(at: path, protection)
            run.messages.note("made the vault \(path.printable)")
            guard protection.isByDevice else { continue }
            run.messages.note("no passphrase protects it, only the device key of this machine; coffer passwd sets one")
        }
    }
}

extension Run {
    /// The passphrase that an option gives, and says that others can read it.
    func passphrase(of option: Option) -> Passphrase? {
        guard let text = arguments.value(of: option) else { return nil }
        // Nobody is warned that an empty one can be read.
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
            "give it with --passphrase-file, or make the vault with coffer init, which needs none"
        }
        protection.passphrase = passphrase.isEmpty ? nil : passphrase
        return protection
    }
}
