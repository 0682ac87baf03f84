internal import Coffer
internal import CofferBasics

extension Option {
    static let recoveryCode = Option("--recovery-code", summary: "make a recovery code, and print it")
    fileprivate static let noDevice = Option("--no-device", summary: "let the key of this machine open nothing of it")
}

extension Verb {
    static let initialize = Verb(
        "init",
        .vaults,
        "Make a vault",
        operands: [.optionalPath],
        options: [.recoveryCode, .allowWeak, .noDevice],
        details: """
            The passphrase comes from the terminal, or from wherever else passphrases come from. Without one the key of this \
            machine protects the vault: who reads that file can open it, and without the file the vault is lost, unless \
            there is a recovery code.

            With a passphrase, the key of this machine still opens what is needed before the vault is unlocked. Whoever copies \
            the whole home directory has that key, and can test guesses of the names of items. With --no-device it opens \
            nothing: then nothing can be read before the vault is unlocked, and items that stay on one machine cannot be \
            stored. coffer slot add device gives the machine a part later.

            A file that is there already is never touched.
            """,
        examples: [
            Example(call: "coffer init", purpose: "the vault of programs that name none"),
            Example(call: "coffer init --recovery-code team.coffer", purpose: "another one, with a code for the safe"),
        ]
    ) { run in
        let path = try run.pathOperand(of: "the new vault")
        try run.checkNothing(isAt: path)
        var protection = try run.vaults.givenProtection(of: path)
        protection.includesThisMachine = !run.arguments.has(.noDevice)
        if protection.isByDevice, run.prompter.canAsk {
            let meaning = protection.includesThisMachine ? "nothing for the key of this machine alone" : nil
            protection.passphrase = try run.newPassphrase(for: path, whenEmpty: meaning)
        }
        guard protection.includesThisMachine || !protection.isByDevice else {
            throw CommandError.usage(
                "--no-device needs a passphrase or a key file: nothing else would open the vault",
                hints: ["give it with --passphrase-file, --passphrase-fd or --key-file"]
            )
        }
        let isAsked = run.arguments.has(.recoveryCode)
        let wantsCode = isAsked ? true : try run.prompter.confirms("Make a recovery code too?")
        let code = wantsCode ? try RecoveryCode() : nil
        protection.recoveryCode = code
        try run.toItsEnd { [protection] in
            let vault = try run.makeVault(at: path, protection)
            try run.tellOfNewVault(vault, protection, code)
        }
    }
}

extension Run {
    /// Throws if there is something at `path`, before anybody is asked for anything.
    func checkNothing(isAt path: String) throws {
        do throws(VaultError) {
            try Vault.checkNothing(isAt: path, options: vaults.options)
        } catch {
            guard error.kind == .fileExists else { return }
            var failure = CommandError(error)
            failure.hints = ["coffer doctor --vault \(path.shellWord) tells what it is"]
            throw failure
        }
    }

    /// Makes a vault at `path`, where nothing is.
    func makeVault(at path: String, _ protection: VaultProtection) throws -> Vault {
        var protection = protection
        protection.allowsWeakSecrets = arguments.has(.allowWeak)
        let create = { [protection] in
            try Vault.create(at: path, protection: protection, options: self.vaults.options)
        }
        let vault = try protection.passphrase == nil ? toItsEnd(create) : whileDerivingKey(create)
        for warning in vault.warnings { messages.warning(warning) }
        return vault
    }

    /// A new passphrase that somebody types twice; nil if it is empty.
    func newPassphrase(for path: String, whenEmpty meaning: String?) throws -> Passphrase? {
        let note = meaning.map { " (\($0))" } ?? ""
        let passphrase = try prompter.twice(
            "New passphrase for \(path.printable)\(note): ",
            byteCountLimit: Passphrase.byteCountLimit,
            for: "the new passphrase"
        )
        guard let passphrase else { throw CommandError(.failure, "nobody gave a passphrase; nothing was changed") }
        guard !passphrase.isEmpty else {
            guard meaning != nil else { throw CommandError.usage("the passphrase is empty; nothing was changed") }
            return nil
        }
        return passphrase
    }

    fileprivate func tellOfNewVault(
        _ vault: Vault,
        _ protection: VaultProtection,
        _ code: RecoveryCode?
    ) throws {
        messages.note("made the vault \(vault.path.printable)")
        if protection.isByDevice {
            let key = vault.unlocking.steps.first { if case .deviceKey = $0.source { true } else { false } }?.source
            messages.note(
                """
                no passphrase protects it, only the \(key?.description ?? "device key"): who reads that file can open the \
                vault\(code == nil ? ", and without it the vault is lost" : "")
                """
            )
            messages.note("coffer passwd sets a passphrase")
        }
        if code == nil {
            messages.note("coffer slot add recovery-code adds a code that opens it when all else is lost")
        }
        try tell(["vault": .string(vault.path)], code)
    }
}
