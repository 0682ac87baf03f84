internal import Coffer
internal import KeyedArchive

extension Option {
    fileprivate static let oldPassword = Option(
        "-o",
        argument: .value("PASSWORD", .nothing),
        summary: "the passphrase until now",
        isRepeatable: true
    )
    fileprivate static let newPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "the new passphrase",
        isRepeatable: true
    )
}

extension Verb {
    static let setKeychainPassword = Verb(
        "set-keychain-password",
        .macOS,
        "Change the passphrase of a vault",
        operands: [.optionalKeychain],
        options: [.oldPassword, .newPassword],
        details: """
            Without -o the old passphrase comes from wherever passphrases come from, or is asked for at the terminal; without \
            -p the new one is asked for, twice. coffer passwd reads it from a file or a descriptor.

            All keys are made anew, so only the new passphrase opens the vault then: a recovery code has to be added again.
            """,
        isLikeGetopt: true
    ) { run throws(CommandError) in
        let access = try run.keychain(run.arguments.operand(0))
        // Keys that were left with the kernel do not let anybody change who opens the vault.
        access.usesKernelKeyring = false
        if let old = run.passphrase(of: .oldPassword) { access.given = .passphrase(old) }
        let vault = try access.vault()
        if !vault.isUnlocked { try access.unlock(vault) }
        let given = run.passphrase(of: .newPassword)
        let passphrase: Passphrase
        if let given {
            passphrase = given
        } else {
            passphrase = try run.twice(
                "New Password for \(vault.path.printable): ",
                "Retype New Password for \(vault.path.printable): ",
                "the new passphrase"
            ) {
                "coffer passwd reads it from a file or a descriptor"
            }
        }
        guard !passphrase.isEmpty else {
            throw .usage(
                "the new passphrase is empty; nothing was changed",
                hints: ["coffer passwd --remove removes it"]
            )
        }
        try run.changePassphrase(of: vault, to: passphrase)
    }
}

extension Run {
    /// Lets `passphrase` open the vault, with the key file if there is one, and nothing else.
    func changePassphrase(of vault: Vault, to passphrase: Passphrase) throws(CommandError) {
        let protection = VaultProtection(passphrase: passphrase, keyFile: arguments.value(of: .keyFile))
        let summary = try commandErrors { () throws(VaultProblem) in
            let summary = try vault.keyChange(to: protection).perform()
            // What lies with the kernel are the old keys.
            _ = try? vault.forgetUnlocked()
            return summary
        }
        for slot in summary.removedSlots {
            messages.warning("the \(slot.kind) \(slot.id) opens the vault no more; coffer slot add adds another")
        }
        if summary.lostItemCount > 0 { messages.warning("\(summary.lostItemCount) items went with the old keys") }
        messages.note(
            "the passphrase of \(vault.path.printable) is another one; copies made before still open with the old one"
        )
    }
}
