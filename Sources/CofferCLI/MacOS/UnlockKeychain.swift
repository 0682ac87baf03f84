internal import Coffer
internal import CofferBasics

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
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        let given = run.passphrase(of: .keychainPassword)
        guard try run.checkCanBeLocked(access) else { return }
        if let given {
            guard !given.isEmpty else {
                throw CommandError(.wrongSecret, "the empty passphrase does not open \(try access.path().printable)")
            }
            access.given = .passphrase(given)
        }
        let vault = try access.owned(for: .reading).vault
        try vault.leaveUnlocked(for: .keychainTimeout)
    }

    static let lockKeychain = Verb(
        "lock-keychain",
        .macOS,
        "Lock a vault that was unlocked for other commands",
        operands: [.optionalKeychain],
        options: [.all],
        details: "Programs that have the vault open already keep their keys until they end.",
        isLikeGetopt: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        guard try run.checkCanBeLocked(access) else { return }
        let (path, options) = (try access.path(), access.options)
        run.openVaults[path]?.lock()
        _ = try Vault.forgetUnlocked(at: path, options: options)
    }
}

extension Run {
    /// Whether a vault opens with a secret; says so if it does not.
    fileprivate func checkCanBeLocked(_ access: VaultAccess) throws -> Bool {
        let takesSecret = try access.takesSecret()
        if !takesSecret {
            messages.note("\(try access.path().printable) has no passphrase, and is never locked on this machine")
        }
        return takesSecret
    }
}
