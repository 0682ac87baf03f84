internal import Coffer
internal import VaultFiles

/// What a keychain is lent for.
enum KeychainUse {
    /// Nothing changes.
    case reading
    /// Something may change, which a signal does not stop.
    case changing
    /// The same, and what is stored first makes the vault, if there is none and nobody has named another.
    case storing
}

/// Gives the verbs the vault that is meant: opens it when it is needed, and asks for its passphrase when what is locked in
/// it is needed.
final class VaultAccess {
    unowned let run: Run
    /// The path of the vault, where an operand of the verb names it.
    private let named: String?
    /// What opens the vault, where an option of the verb says so.
    var given: UnlockLadder.Given?
    /// Whether the verb examines the vault: one that was rolled back too, without handing out what is in it.
    var isExamining = false
    var hasToldRollback = false

    init(_ run: Run, at named: String? = nil) {
        self.run = run
        self.named = named
    }

    /// The path of the vault.
    func path() throws -> String {
        if let named { return named }
        if let path = run.arguments.value(of: .vault) {
            guard !path.isEmpty else { throw CommandError.usage("--vault needs the path of a file") }
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
        options.acceptsRollback = run.arguments.has(.acceptRollback) || isExamining
        // Each call reads the log from its beginning: this much takes a few milliseconds.
        options.logByteCountLimit = 192 << 10
        run.surroundings.adjust(&options)
        return options
    }

    /// Where to look for what opens the vault, but for the person at the terminal.
    func ladder() throws -> UnlockLadder {
        let arguments = run.arguments
        var ladder = UnlockLadder(environment: run.surroundings.environment)
        ladder.runsCommands = true
        ladder.keyFile = arguments.value(of: .keyFile)
        var given: [UnlockLadder.Given] = self.given.map { [$0] } ?? []
        if let path = arguments.value(of: .passphraseFile) { given.append(.passphraseFile(path)) }
        if let number = try arguments.descriptor(of: .passphraseDescriptor) {
            given.append(.passphraseDescriptor(number))
        }
        if let path = arguments.value(of: .recoveryCodeFile) {
            given.append(.recoveryCode(try recoveryCode(inFile: path)))
        }
        guard given.count < 2 else {
            let options = "--passphrase-file, --passphrase-fd and --recovery-code-file"
            let isAmongThem = self.given == nil
            throw CommandError.usage(
                isAmongThem
                    ? "only one of \(options) can be given" : "the passphrase is given twice: leave \(options) out"
            )
        }
        ladder.given = given.first
        return ladder
    }

    /// What protects a vault that is made at `path`, as far as somebody says; nobody is asked.
    func givenProtection(of path: String) throws -> VaultProtection {
        let (ladder, options) = (try ladder(), options)
        return try VaultProtection.given(by: ladder, path: path, options: options).protection
    }

    private func recoveryCode(inFile path: String) throws -> RecoveryCode {
        try RecoveryCode(try Passphrase.inFile(path, of: .recoveryCode))
    }

    /// The groups that the command may use: all, unless entitlements say otherwise.
    ///
    /// What is added goes to the first.
    func groups() throws -> AccessGroups {
        if let declared = try declaredGroups() { return declared }
        let environment = run.surroundings.environment
        let application = ApplicationIdentifier.default(environment: environment, executable: "coffer")
        return AccessGroups(declared: [application, "*"])
    }

    /// The groups that entitlements declare, where there are some.
    func declaredGroups() throws -> AccessGroups? {
        let surroundings = run.surroundings
        if let path = run.arguments.value(of: .entitlements) { return AccessGroups(try Entitlements.inFile(path)) }
        return try Entitlements.declared(
            environment: surroundings.environment,
            executable: surroundings.executable ?? ""
        ).map { AccessGroups($0) }
    }

    /// The vault; an error if there is none.
    func vault(for use: KeychainUse = .reading) throws -> Vault {
        let path = try path()
        if let opened = run.openVaults[path] {
            // A line of the input accepts it for itself.
            opened.acceptRollback(options.acceptsRollback)
            if use == .reading { tellRollback(of: opened) } else { try accept(opened) }
            guard given != nil else { return opened }
            // What was given must fit, also where the vault is open already.
            let ladder = try ladder()
            try opened.unlock(with: ladder)
            return opened
        }
        let (ladder, options) = (try ladder(), options)
        let vault: Vault
        do {
            vault = try whileOpening(with: ladder) {
                try Vault.open(at: path, with: ladder, options: options)
            }
        } catch let error as VaultError {
            vault = try asked(path, error)
        }
        return try take(vault, for: use)
    }

    /// The vault, made if there is none and nobody has named another: the first thing that is stored makes it.
    func vaultOrNew() throws -> Vault {
        do {
            return try vault(for: .storing)
        } catch {
            let error = CommandError(error)
            guard error.code == .noVault, !isNamed else { throw error }
            return try made()
        }
    }

    private func made() throws -> Vault {
        let path = try path()
        let ladder = try ladder()
        try checkMayMake()
        do throws(VaultError) {
            let (vault, notice) = try Vault.createForFirstItem(
                at: path,
                with: ladder,
                options: options,
                replacesLost: run.arguments.has(.newVault)
            )
            run.messages.note(notice)
            run.openVaults[vault.path] = vault
            return vault
        } catch {
            // Another process was quicker.
            guard error.kind == .fileExists else { throw error }
            return try vault(for: .storing)
        }
    }

    /// Goes on with a vault that was opened, and says what somebody should look after.
    func take(_ vault: Vault, for use: KeychainUse = .reading) throws -> Vault {
        run.openVaults[vault.path] = vault
        for warning in vault.warnings { run.messages.warning(warning) }
        if use != .reading { try accept(vault) }
        judgeContent(of: vault)
        return vault
    }

    /// Lends `body` the keychain, after asking for the passphrase if something in it is locked.
    func withKeychain<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        let groups = try groups()
        let vault = use == .storing ? try vaultOrNew() : try vault(for: use)
        let keychain = vault.keychain(for: groups)
        do {
            return try lend(keychain, for: use, body)
        } catch KeychainError.locked where !vault.isUnlocked {
            // Somebody is asked, and it is done once more.
        }
        try unlock(vault)
        return try lend(keychain, for: use, body)
    }

    private func lend<Result>(
        _ keychain: Keychain,
        for use: KeychainUse,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        guard use != .reading else { return try body(keychain) }
        return try run.toItsEnd { try body(keychain) }
    }

    /// Lends `body` the keychain of a vault that is unlocked, or is now: who lists items means all that there are.
    func withUnlockedKeychain<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        let groups = try groups()
        let vault = try vault(for: use)
        if !vault.isUnlocked { try unlock(vault) }
        return try body(vault.keychain(for: groups))
    }
}

extension Run {
    /// The path that is an operand, or that of the vault.
    ///
    /// - Parameter name: What the operand names, for messages.
    /// - Returns: The path.
    /// - Throws: What makes no sense of it.
    func pathOperand(of name: String = "the vault") throws -> String {
        guard let path = arguments.operand(0) else { return try vaults.path() }
        guard !arguments.has(.vault) else { throw CommandError.usage("the path of \(name) is there twice") }
        guard !path.isEmpty else { throw CommandError.usage("the path of \(name) is empty") }
        return path
    }
}
