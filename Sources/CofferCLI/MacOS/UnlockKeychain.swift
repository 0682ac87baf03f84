internal import Coffer
internal import KeyedArchive

extension Option {
    fileprivate static let withoutPassword = Option.ignored("-u", summary: "what opens the vault is tried anyway")
    fileprivate static let all = Option.ignored("-a", summary: "the default vault is the only one that is known")
}

extension Duration {
    /// How long a vault stays unlocked that `unlock-keychain` has unlocked: as long as a new keychain of macOS.
    static let keychainTimeout = Duration.seconds(300)
}

extension Verb {
    static let unlockKeychain = Verb(
        "unlock-keychain",
        .macOS,
        "Unlock a vault for other commands, for five minutes",
        operands: [.optionalKeychain],
        options: [.keychainPassword, .withoutPassword],
        details: """
            The keys lie with the kernel, and every program of the same user can use them. Without -p the passphrase comes from \
            wherever passphrases come from, or is asked for at the terminal. coffer unlock --for says another time.
            """,
        examples: [Example(call: "coffer unlock-keychain", purpose: "ask for the passphrase of the default vault")],
        isLikeGetopt: true
    ) { run throws(CommandError) in
        let access = try run.keychain(run.arguments.operand(0))
        let given = run.passphrase(of: .keychainPassword)
        if let given, !given.isEmpty { access.given = .passphrase(given) }
        let vault = try access.vault()
        if !vault.isUnlocked {
            guard given == nil else {
                throw CommandError(.wrongSecret, "the empty passphrase does not open \(vault.path.printable)")
            }
            try access.unlock(vault)
        }
        guard try run.checkCanBeLocked(vault) else { return }
        try commandErrors { () throws(VaultProblem) in try vault.leaveUnlocked(for: .keychainTimeout) }
    }

    static let lockKeychain = Verb(
        "lock-keychain",
        .macOS,
        "Lock a vault that was unlocked for other commands",
        operands: [.optionalKeychain],
        options: [.all],
        details: "Programs that have the vault open already keep their keys until they end.",
        isLikeGetopt: true
    ) { run throws(CommandError) in
        let access = try run.keychain(run.arguments.operand(0))
        run.openVaults[try access.path()]?.lock()
        guard let vault = try access.openedQuietly() else { return }
        guard try run.checkCanBeLocked(vault) else { return }
        try commandErrors { () throws(VaultProblem) in _ = try vault.forgetUnlocked() }
    }
}

extension Run {
    /// Whether a vault has a passphrase; says so if it has none.
    fileprivate func checkCanBeLocked(_ vault: Vault) throws(CommandError) -> Bool {
        let takesPassphrase = try commandErrors { () throws(VaultProblem) in try vault.takesPassphrase() }
        if !takesPassphrase {
            messages.note("\(vault.path.printable) has no passphrase, and is never locked on this machine")
        }
        return takesPassphrase
    }
}
