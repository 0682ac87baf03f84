internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let withoutPassword = Option.ignored("-u", summary: "any secret for the vault is tried anyway")
    fileprivate static let all = Option.ignored("-a", summary: "only the default vault is known")
}

extension Duration {
    /// How long `unlock-keychain` unlocks a vault: the timeout of a new keychain on macOS.
    static let keychainTimeout = Duration.seconds(300)
}

extension Verb {
    static let unlockKeychain = Verb(
        "security unlock-keychain",
        .macOS,
        "Unlock a vault for other commands, for five minutes",
        operands: [.optionalKeychain],
        options: [.keychainPassword, .withoutPassword],
        details: """
            The keys are kept in the kernel keyring, where every program of the same user can use them. Without -p the \
            passphrase is asked for at the terminal or comes from another source, such as --passphrase-file. \
            `coffer unlock --for` sets another time.
            """,
        examples: [Example(call: "coffer security unlock-keychain", purpose: "unlock the default vault")],
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        let given = run.passphrase(of: .keychainPassword)
        guard try run.checkCanBeLocked(access) else { return }
        if let given {
            guard !given.isEmpty else {
                throw CommandError(.wrongSecret, "an empty passphrase does not open \(try access.path().printable)")
            }
            access.given = .passphrase(given)
        }
        let vault = try access.openForKeyChange(for: .reading).vault
        try vault.keepUnlocked(for: .keychainTimeout)
    }

    static let lockKeychain = Verb(
        "security lock-keychain",
        .macOS,
        "Lock a vault that unlock-keychain has unlocked",
        operands: [.optionalKeychain],
        options: [.all],
        details: "Programs that already have the vault open keep their keys until they exit.",
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        guard try run.checkCanBeLocked(access) else { return }
        let (path, options) = (try access.path(), access.options)
        run.openVaults[path]?.lock()
        _ = try Vault.stopKeepingUnlocked(at: path, options: options)
    }
}

extension CommandRun {
    /// Whether a vault opens with a secret; prints a note if it does not.
    fileprivate func checkCanBeLocked(_ access: VaultAccess) throws -> Bool {
        let takesSecret = try access.takesSecret()
        if !takesSecret {
            messages.note("\(try access.path().printable) has no passphrase and is never locked on this machine")
        }
        return takesSecret
    }
}
