internal import Coffer
internal import CofferFleet
internal import VaultFiles

/// What a keychain is used for.
enum KeychainUse {
    /// Nothing changes.
    case reading
    /// Something may change; a signal does not stop that.
    case changing
    /// Like `changing`, and storing creates the default vault if none exists.
    case storing
}

/// Gives verbs access to the selected vault: opens it when needed, and asks for its passphrase when something locked is
/// needed.
final class VaultAccess {
    unowned let run: CommandRun
    /// The path of the vault, if an operand of the verb names it.
    private let named: String?
    /// What users call the vault, if not by its path.
    let place: String?
    /// The secret that an option of the verb gives, if there is one.
    var given: UnlockLadder.Secret?
    private let role: Role
    /// Whether this is a copy with other keys than the vault.
    var hasOtherKeys = false
    /// Whether the verb only examines the vault, so that one that was rolled back is accepted.
    var isExamining = false
    var hasWarnedAboutRollback = false

    init(_ run: CommandRun, at named: String? = nil) {
        self.run = run
        self.named = named
        place = nil
        role = .vault
    }

    /// Gives access to a copy of the vault.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - path: The path of the copy.
    ///   - place: What users call it, if not by its path.
    ///   - mayWrite: Whether it may be written.
    ///   - memory: The directory for what is remembered of it; nil to remember nothing.
    init(
        _ run: CommandRun,
        copyAt path: String,
        calledPlace place: String? = nil,
        mayWrite: Bool = false,
        memory: String? = nil
    ) {
        self.run = run
        named = path
        self.place = place
        role = .copy(mayWrite: mayWrite, memory: memory)
    }

    /// What the vault is to the verb.
    private enum Role {
        case vault
        /// A copy of the vault; in the directory `memory` is what this machine remembers of it.
        case copy(mayWrite: Bool, memory: String?)
    }

    /// Whether this is a copy of another vault.
    var isCopy: Bool { if case .copy = role { true } else { false } }

    /// The path of the vault.
    func path() throws -> String {
        if let named { return named }
        if let path = run.arguments.value(of: .vault) {
            guard !path.isEmpty else { throw CommandError.usage("--vault needs the path of a file") }
            return path
        }
        guard let path = locations.vault else {
            throw CommandError(
                .unavailable,
                "the location of the vault is unknown",
                hints: ["give its path with --vault, or set HOME or COFFER_VAULT"]
            )
        }
        return path
    }

    /// Whether the user named the vault, so that no other one may be used or created.
    var isNamed: Bool { named != nil || run.arguments.has(.vault) || locations.isVaultNamed }

    var locations: VaultLocations { VaultLocations(run.context.environment) }

    /// The options with which the vault is opened.
    var options: VaultOptions {
        var options = VaultOptions(locations: locations)
        options.discardsDamagedTail = run.arguments.has(.acceptRollback)
        options.acceptsRollback = run.arguments.has(.acceptRollback) || isExamining
        // That has time until the answer is printed: see `CommandRun.compactIfDue`.
        options.compactsWhenDue = false
        options.indexesInBackground = false
        run.context.adjust(&options)
        // What is wrong with it, `vault(for:)` says.
        if let fleet = try? run.fleet.get() { try? options.share(through: fleet) }
        guard case .copy(let mayWrite, let memory) = role else { return options }
        return options.forCopies(mayWrite: mayWrite, memory: memory)
    }

    /// Where to look for what opens the vault, apart from the user at the terminal.
    func ladder() throws -> UnlockLadder {
        let arguments = run.arguments
        var ladder = UnlockLadder(environment: run.context.environment)
        ladder.runsCommands = true
        ladder.keyFile = arguments.value(of: .keyFile)
        if isCopy, let path = arguments.value(of: .copyPassphraseFile) {
            ladder.secret = .passphraseFile(path)
            return ladder
        }
        var given: [UnlockLadder.Secret] = self.given.map { [$0] } ?? []
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
                    ? "only one of \(options) can be given" : "the passphrase was given twice; leave out \(options)"
            )
        }
        ladder.secret = given.first
        return ladder
    }

    /// The protection for a new vault at `path`, as far as it is given without asking the user.
    func givenProtection(of path: String) throws -> VaultProtection {
        let (ladder, options) = (try ladder(), options)
        return try VaultProtection.given(by: ladder, path: path, options: options).protection
    }

    private func recoveryCode(inFile path: String) throws -> RecoveryCode {
        try RecoveryCode(try Passphrase.inFile(path, of: .recoveryCode))
    }

    /// The groups that the command may use: all, unless entitlements say otherwise.
    ///
    /// New items go to the first one.
    func groups() throws -> AccessGroups {
        if let declared = try declaredGroups() { return declared }
        let environment = run.context.environment
        let application = ApplicationIdentifier.default(environment: environment, executable: "coffer")
        return AccessGroups(declared: [application, "*"])
    }

    /// The groups that entitlements declare, if there are entitlements.
    func declaredGroups() throws -> AccessGroups? {
        let context = run.context
        if let path = run.arguments.value(of: .entitlements) {
            return AccessGroups(try Entitlements.inFile(path, environment: context.environment))
        }
        return try Entitlements.declared(
            environment: context.environment,
            executable: context.executable ?? ""
        ).map { AccessGroups($0) }
    }

    /// The vault; throws if none exists.
    func vault(for use: KeychainUse = .reading, asking asks: Bool = true) throws -> Vault {
        let path = try path()
        if let opened = run.openVaults[path] {
            // Each line of an input decides for itself whether to accept a rollback.
            opened.acceptRollback(options.acceptsRollback)
            if use == .reading { warnAboutRollback(of: opened) } else { try accept(opened) }
            guard given != nil else { return opened }
            // A given secret must be right even if the vault is already open.
            let ladder = try ladder()
            try opened.unlock(with: ladder)
            return opened
        }
        let (ladder, options) = (try ladder(), options)
        let vault: Vault
        do {
            vault = try whileOpening(with: ladder) {
                try open(path, ladder, options)
            }
        } catch let error as VaultError where asks {
            vault = try asked(path, error)
        }
        return try take(vault, for: use)
    }

    /// The vault; nil if only the user could open it.
    func vaultWithoutAsking() throws -> Vault? {
        do {
            return try vault(asking: false)
        } catch {
            guard [.locked, .deviceKeyNeeded].contains(CommandError(error).code) else { throw error }
            return nil
        }
    }

    /// Opens a vault, which may be one that machines share.
    func open(_ path: String, _ ladder: UnlockLadder, _ options: VaultOptions) throws(VaultError) -> Vault {
        guard let fleet = try run.fleet.get() else { return try Vault.open(at: path, with: ladder, options: options) }
        return try fleet.open(at: path, with: ladder, options: options)
    }

    /// The vault; the default one is created if none exists.
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
            // Another process has just created it.
            guard error.kind == .fileExists else { throw error }
            return try vault(for: .storing)
        }
    }

    /// Registers an open vault and prints its warnings.
    func take(_ vault: Vault, for use: KeychainUse = .reading) throws -> Vault {
        run.openVaults[vault.path] = vault
        for warning in vault.warnings {
            if vault.isOlderCopy { run.messages.alarm(warning) } else { run.messages.warning(warning) }
        }
        if use != .reading {
            try accept(vault)
            // What opened the vault may open the keys that another machine has given it meanwhile.
            try vault.follow(with: ladder())
        }
        reportCondition(of: vault)
        mergeReceived(into: vault)
        return vault
    }

    /// Calls `body` with the keychain, after asking for the passphrase if something in it is locked.
    func withKeychain<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        let groups = try groups()
        let vault = use == .storing ? try vaultOrNew() : try vault(for: use)
        return try withKeychain(of: vault, groups, for: use, body)
    }

    /// Calls `body` with the keychain of a copy of the vault, which is unlocked.
    func withKeychain<Result>(ofCopy copy: Vault, _ body: (Keychain) throws -> Result) throws -> Result {
        try withKeychain(of: copy, groups(), for: .reading, body)
    }

    /// Calls `body` until the user has entered everything that it needs.
    ///
    /// The compiler makes a copy of this function for each verb, so what need not be in it is not.
    private func withKeychain<Result>(
        of vault: Vault,
        _ groups: AccessGroups,
        for use: KeychainUse,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        let keychain = keychain(of: vault, groups)
        var wrongAnswerCount = 0
        while true {
            do {
                guard use != .reading else { return try body(keychain) }
                defer { run.hasChangedItems = true }
                return try run.uninterrupted { try body(keychain) }
            } catch {
                try ask(for: error, in: keychain, of: vault, &wrongAnswerCount)
            }
        }
    }

    @inline(never)
    private func keychain(of vault: Vault, _ groups: AccessGroups) -> Keychain {
        var call = CallAuthentication(context: run.openVaults.authentication(for: vault.path))
        // The command asks itself, between two tries.
        call.mayAsk = false
        // Without `Vault.keychain`, which creates the groups: a verb that reads writes nothing.
        return Keychain(vault.store, groups: groups, passwordCost: vault.options.passphraseCost).authenticating(call)
    }

    /// Asks the user for what a call lacked, and throws the error if it is another one.
    @inline(never)
    private func ask(
        for error: any Error,
        in keychain: Keychain,
        of vault: Vault,
        _ wrongAnswerCount: inout Int
    ) throws {
        switch error {
        case KeychainError.locked where !vault.isUnlocked: try unlock(vault)
        case KeychainError.vault(let problem) where problem.kind == .secretNeeded:
            try unlockAsOwner(vault, for: problem)
        case KeychainError.authenticationRequired: try authenticate(in: keychain, of: vault, &wrongAnswerCount)
        default: throw error
        }
    }

    /// Unlocks the vault if needed and calls `body` with its keychain, for verbs that list all items.
    func withUnlockedKeychain<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result {
        let groups = try groups()
        let vault = try vault(for: use)
        if !vault.isUnlocked { try unlock(vault) }
        return try withKeychain(of: vault, groups, for: use, body)
    }
}

extension CommandRun {
    /// The path given as an operand, else that of the vault.
    ///
    /// - Parameter name: What the operand names, for messages.
    /// - Returns: The path.
    /// - Throws: `CommandError` if the path is empty or given twice.
    func pathOperand(of name: String = "the vault") throws -> String {
        guard let path = arguments.operand(0) else { return try vaults.path() }
        guard !arguments.has(.vault) else { throw CommandError.usage("the path of \(name) was given twice") }
        guard !path.isEmpty else { throw CommandError.usage("the path of \(name) is empty") }
        return path
    }
}
