internal import Coffer
internal import CofferBasics

extension Option {
    static let recoveryCode = Option("--recovery-code", summary: "create and print a recovery code")
    fileprivate static let noDevice = Option("--no-device", summary: "give the key of this machine no access")
}

extension Verb {
    static let initialize = Verb(
        "init",
        .vaults,
        "Create a vault",
        operands: [.optionalPath],
        options: [.recoveryCode, .allowWeak, .noDevice],
        details: """
            The passphrase is asked for at the terminal or comes from another source, such as --passphrase-file. \
            Without one the key of this machine protects the vault: anyone who can read that file can open it, and if \
            the file is lost, so is the vault, unless there is a recovery code.

            With a passphrase, the key of this machine still opens what is needed before the vault is unlocked. \
            Whoever copies the whole home directory has that key and can test guesses of the names of items. With \
            --no-device it opens nothing: nothing can be read before the vault is unlocked, and items bound to one \
            machine cannot be stored. `coffer key add device` adds the machine later.

            An existing file is never changed.
            """,
        examples: [
            Example(call: "coffer init", purpose: "create the default vault"),
            Example(call: "coffer init --recovery-code team.coffer", purpose: "create another, with a recovery code"),
        ]
    ) { run in
        let path = try run.pathOperand(of: "the new vault")
        try run.checkNothing(isAt: path)
        var protection = try run.vaults.givenProtection(of: path)
        protection.includesThisMachine = !run.arguments.has(.noDevice)
        if protection.isByDevice, run.prompter.canAsk {
            let meaning = protection.includesThisMachine ? "empty to use only the key of this machine" : nil
            protection.passphrase = try run.newPassphrase(for: path, whenEmpty: meaning)
        }
        guard protection.includesThisMachine || !protection.isByDevice else {
            throw CommandError.usage(
                "--no-device needs a passphrase or a key file, or nothing would open the vault",
                hints: ["give it with --passphrase-file, --passphrase-fd or --key-file"]
            )
        }
        let isAsked = run.arguments.has(.recoveryCode)
        let question = "Create a recovery code, in case all else is lost?"
        let wantsCode = try isAsked || run.prompter.confirms(question, isUsual: true)
        let code = wantsCode ? try RecoveryCode() : nil
        protection.recoveryCode = code
        try run.uninterrupted { [protection] in
            let vault = try run.makeVault(at: path, protection)
            run.makeClassKeys(of: vault)
            try run.reportNewVault(vault, protection, code)
        }
    }
}

extension CommandRun {
    /// Throws if something exists at `path`, before the user is asked for anything.
    func checkNothing(isAt path: String) throws {
        do throws(VaultError) {
            try Vault.checkNothing(isAt: path, options: vaults.options)
        } catch {
            guard error.kind == .fileExists else { return }
            var failure = CommandError(error)
            failure.hints = ["run `coffer doctor --vault \(path.shellWord)` to see what it is"]
            throw failure
        }
    }

    /// Creates a vault at `path`, where nothing exists yet.
    func makeVault(at path: String, _ protection: VaultProtection) throws -> Vault {
        var protection = protection
        protection.allowsWeakSecrets = arguments.has(.allowWeak)
        let create = { [protection] in
            try Vault.create(at: path, protection: protection, options: self.vaults.options)
        }
        let vault = try protection.passphrase == nil ? uninterrupted(create) : whileDerivingKey(create)
        for warning in vault.warnings { messages.warning(warning) }
        return vault
    }

    /// Makes the keys that a session needs, and says if that fails.
    func makeClassKeys(of vault: Vault) {
        let known = vault.warnings
        vault.makeClassKeys()
        for warning in vault.warnings where !known.contains(warning) { messages.warning(warning) }
    }

    /// A new passphrase that the user types twice; nil if it is empty.
    func newPassphrase(for path: String, whenEmpty meaning: String?) throws -> Passphrase? {
        let note = meaning.map { " (\($0))" } ?? ""
        func typed() throws -> Passphrase {
            let passphrase = try prompter.twice(
                "New passphrase for \(path.printable)\(note): ",
                byteCountLimit: Passphrase.byteCountLimit,
                for: "the new passphrase"
            )
            guard let passphrase else { throw CommandError(.failure, "no passphrase was entered; nothing was changed") }
            return passphrase
        }
        var passphrase = try typed()
        let isEasy = passphrase.withBytes { PasswordStrength($0).bits < PasswordStrength.easyBits }
        if isEasy, !passphrase.isEmpty, !arguments.has(.allowWeak) {
            messages.alarm(
                "this passphrase is one of the first that are tried; use five or more random words, or type it again"
            )
            passphrase = try typed()
        }
        guard !passphrase.isEmpty else {
            guard meaning != nil else { throw CommandError.usage("the passphrase is empty; nothing was changed") }
            return nil
        }
        return passphrase
    }

    fileprivate func reportNewVault(
        _ vault: Vault,
        _ protection: VaultProtection,
        _ code: RecoveryCode?
    ) throws {
        messages.note("created the vault \(vault.path.printable)")
        let named = arguments.operand(0) == nil ? "" : " --vault \(vault.path.shellWord)"
        if protection.isByDevice {
            let key = vault.unlocking.steps.first { if case .deviceKey = $0.source { true } else { false } }?.source
            messages.note(
                """
                only the \(key?.description ?? "device key") protects it: anyone who can read that file can open the \
                vault\(code == nil ? ", and without it the vault is lost" : "")
                """
            )
            messages.note("set a passphrase with `coffer passwd\(named)`")
        } else {
            let means = code == nil ? protection.means : "\(protection.means) or the recovery code"
            messages.note(
                "it opens only with the \(means); `coffer unlock` keeps it open for a while, for all programs of this user"
            )
        }
        if code == nil {
            messages.note("`coffer key add recovery-code\(named)` adds a code that opens it if all else is lost")
        }
        try reportResult(["vault": .string(vault.path)], code)
    }
}

extension VaultProtection {
    /// What opens the vault, in words.
    fileprivate var means: String {
        [passphrase == nil ? nil : "passphrase", keyFile == nil ? nil : "key file"].compactMap { $0 }
            .joined(separator: " and the ")
    }
}
