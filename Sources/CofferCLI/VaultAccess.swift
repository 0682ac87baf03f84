internal import Coffer
internal import KeyedArchive
internal import VaultFiles

/// Gives the verbs the vault that is meant: opens it when it is needed, and asks for its passphrase when what is locked in
/// it is needed.
final class VaultAccess {
    /// How often somebody is asked who gives a wrong answer.
    private static let promptCount = 3

    unowned let run: Run
    /// The path of the vault, where an operand of the verb names it.
    private let named: String?
    /// What opens the vault, where an option of the verb says so.
    var given: UnlockLadder.Given?

    init(_ run: Run, at named: String? = nil) {
        self.run = run
        self.named = named
    }

    // MARK: - Which vault, and how

    /// The path of the vault.
    func path() throws(CommandError) -> String {
        if let named { return named }
        if let path = run.arguments.value(of: .vault) {
            guard !path.isEmpty else { throw .usage("--vault needs the path of a file") }
            return path
        }
        guard let path = places.vault else {
            throw CommandError(
                .unavailable,
                "nothing tells where the vault could be",
                hints: ["name it with --vault, or set HOME or COFFER_VAULT"]
            )
        }
        return path
    }

    /// Whether somebody has said which vault is meant, so that another one would be wrong.
    var isNamed: Bool { named != nil || run.arguments.has(.vault) || places.isVaultNamed }

    var places: VaultPlaces { VaultPlaces(run.surroundings.environment) }

    /// How the vault is used.
    var options: VaultOptions {
        var options = VaultOptions(places: places)
        options.discardsDamagedTail = run.arguments.has(.acceptRollback)
        run.surroundings.adjust(&options)
        return options
    }

    /// Where to look for what opens the vault, but for the person at the terminal.
    func ladder() throws(CommandError) -> UnlockLadder {
        let arguments = run.arguments
        var ladder = UnlockLadder(environment: run.surroundings.environment)
        ladder.runsCommands = true
        ladder.keyFile = arguments.value(of: .keyFile)
        var given: [UnlockLadder.Given] = self.given.map { [$0] } ?? []
        if let path = arguments.value(of: .passphraseFile) { given.append(.passphraseFile(path)) }
        if let text = arguments.value(of: .passphraseDescriptor) {
            guard let number = Int32(text), number >= 0 else {
                throw .usage("--passphrase-fd takes the number of a descriptor")
            }
            given.append(.passphraseDescriptor(number))
        }
        if let path = arguments.value(of: .recoveryCodeFile) {
            given.append(.recoveryCode(try recoveryCode(inFile: path)))
        }
        guard given.count < 2 else {
            let options = "--passphrase-file, --passphrase-fd and --recovery-code-file"
            let isAmongThem = self.given == nil
            throw .usage(
                isAmongThem
                    ? "only one of \(options) can be given" : "the passphrase is given twice: leave \(options) out"
            )
        }
        ladder.given = given.first
        return ladder
    }

    private func recoveryCode(inFile path: String) throws(CommandError) -> RecoveryCode {
        try commandErrors { () throws(VaultProblem) in
            try RecoveryCode(try Passphrase.inFile(path, of: .recoveryCode))
        }
    }

    /// The groups that the command may use: all, unless entitlements say otherwise.
    ///
    /// What is added goes to the first.
    func groups() throws(CommandError) -> AccessGroups {
        let surroundings = run.surroundings
        do throws(EntitlementsError) {
            if let path = run.arguments.value(of: .entitlements) {
                return AccessGroups(try Entitlements.inFile(path))
            }
            let declared = try Entitlements.declared(
                environment: surroundings.environment,
                executable: surroundings.executable ?? ""
            )
            if let declared { return AccessGroups(declared) }
        } catch {
            throw CommandError(error)
        }
        let application = ApplicationIdentifier.default(environment: surroundings.environment, executable: "coffer")
        return AccessGroups(declared: [application, "*"])
    }

    // MARK: - The vault

    /// The vault; an error if there is none.
    func vault() throws(CommandError) -> Vault {
        let path = try path()
        if let opened = run.openVaults[path] {
            guard given != nil else { return opened }
            // What was given must fit, also where the vault is open already.
            let ladder = try ladder()
            try commandErrors { () throws(VaultProblem) in try opened.unlock(with: ladder) }
            return opened
        }
        let (ladder, options) = (try ladder(), options)
        let vault: Vault
        do throws(VaultProblem) {
            vault = try whileDerivingKey(with: ladder) { () throws(VaultProblem) in
                try Vault.open(at: path, with: ladder, options: options)
            }
        } catch {
            vault = try asked(path, error)
        }
        return try take(vault)
    }

    /// The vault, made if there is none and nobody has named another: the first thing that is stored makes it.
    func vaultOrNew() throws(CommandError) -> Vault {
        do throws(CommandError) {
            return try vault()
        } catch {
            guard error.code == .noVault, !isNamed else { throw error }
            return try made()
        }
    }

    private func made() throws(CommandError) -> Vault {
        let path = try path()
        let ladder = try ladder()
        do throws(VaultProblem) {
            let (vault, notice) = try Vault.createForFirstItem(at: path, with: ladder, options: options)
            run.messages.note(notice)
            run.openVaults[vault.path] = vault
            return vault
        } catch {
            // Another process was quicker.
            guard error.kind == .fileExists else { throw CommandError(error) }
            return try vault()
        }
    }

    /// Goes on with a vault that was opened, and says what somebody should look after.
    func take(_ vault: Vault) throws(CommandError) -> Vault {
        run.openVaults[vault.path] = vault
        for warning in vault.warnings { run.messages.warning(warning) }
        try judgeContent(of: vault)
        return vault
    }

    func ladderOrProblem() throws(VaultProblem) -> UnlockLadder {
        do throws(CommandError) {
            return try ladder()
        } catch {
            throw VaultProblem(kind: .noSecret, description: error.message)
        }
    }

    // MARK: - Items

    /// Lends `body` the keychain, after asking for the passphrase if something in it is locked.
    func withKeychain<Result>(
        makingVault: Bool = false,
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        let groups = try groups()
        let vault = makingVault ? try vaultOrNew() : try vault()
        let keychain = vault.keychain(for: groups)
        do throws(KeychainError) {
            return try body(keychain)
        } catch {
            guard error == .locked, !vault.isUnlocked else { throw CommandError(error) }
        }
        try unlock(vault)
        return try commandErrors { () throws(KeychainError) in try body(keychain) }
    }

    /// Lends `body` the keychain of a vault that is unlocked, or is now: who lists items means all that there are.
    func withUnlockedKeychain<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        let groups = try groups()
        let vault = try vault()
        if !vault.isUnlocked { try unlock(vault) }
        return try commandErrors { () throws(KeychainError) in try body(vault.keychain(for: groups)) }
    }

    // MARK: - Asking

    /// Unlocks the vault with what somebody types.
    func unlock(_ vault: Vault) throws(CommandError) {
        guard run.prompter.canAsk else {
            throw CommandError(
                .locked,
                "\(vault.path.printable) is locked, and nothing here unlocks it",
                hints: [Self.sources]
            )
        }
        try ask(vault.path) { ladder throws(VaultProblem) in try vault.unlock(with: ladder) }
    }

    /// The vault, opened with what somebody types, where nothing else opens it.
    func asked(_ path: String, _ problem: VaultProblem) throws(CommandError) -> Vault {
        let isAboutSecret: Bool =
            switch problem.kind {
            case .secretNeeded, .deviceKeyNeeded: true
            default: false
            }
        guard isAboutSecret, run.prompter.canAsk else {
            var error = CommandError(problem)
            if problem.kind == .secretNeeded { error.hints.append(Self.sources) }
            if problem.kind == .noVault { error = noVault(at: path) }
            throw error
        }
        let options = options
        return try ask(path) { ladder throws(VaultProblem) in try Vault.open(at: path, with: ladder, options: options) }
    }

    /// That there is no vault, and what makes one.
    func noVault(at path: String) -> CommandError {
        let hint =
            isNamed
            ? "coffer init \(path.printable) makes one" : "coffer init makes one, and so does the first coffer set"
        return CommandError(.noVault, "there is no vault at \(path.printable)", hints: [hint])
    }

    /// Tries what somebody types, up to three times.
    func ask<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws(VaultProblem) -> Result
    ) throws(CommandError) -> Result {
        try answered(path) { ladder throws(CommandError) in
            try run.whileDerivingKey { () throws(CommandError) in
                try commandErrors { () throws(VaultProblem) in try open(ladder) }
            }
        }
    }

    /// Tries what somebody types, up to three times.
    func answered<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws(CommandError) -> Result
    ) throws(CommandError) -> Result {
        var ladder = try ladder()
        var attempt = 1
        while true {
            guard let answer = try run.prompter.passphrase(for: path) else {
                throw CommandError(.locked, "\(path.printable) stays locked: nobody gave its passphrase")
            }
            // A code has a checksum, so that a passphrase is not taken for one.
            let code = try? RecoveryCode(answer)
            ladder.given = code.map { .recoveryCode($0) } ?? .passphrase(answer)
            do throws(CommandError) {
                return try open(ladder)
            } catch {
                guard error.code == .wrongSecret, attempt < Self.promptCount else { throw error }
                run.messages.note("that does not open it; try again")
            }
            attempt += 1
        }
    }

    static let sources = """
        give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE, or run coffer unlock first
        """
}

/// What `body` returns; what it throws becomes an error of the command.
func commandErrors<Result: ~Copyable>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
    do throws(KeychainError) {
        return try body()
    } catch {
        throw CommandError(error)
    }
}

/// What `body` returns; what it throws becomes an error of the command.
func commandErrors<Result: ~Copyable>(_ body: () throws(VaultProblem) -> Result) throws(CommandError) -> Result {
    do throws(VaultProblem) {
        return try body()
    } catch {
        throw CommandError(error)
    }
}
