internal import Coffer
internal import CofferBasics

extension Option {
    static let removePassphrase = Option("--remove", summary: "remove it: the key of this machine opens the vault then")
    static let acceptLoss = Option(
        "--accept-loss",
        argument: .value("MACHINE", .nothing),
        summary: "a machine that is not here may lose its own items",
        isRepeatable: true
    )
}

extension Verb {
    static let passwd = Verb(
        "passwd",
        .vaults,
        "Set, change or remove the passphrase of a vault",
        options: [
            .newPassphraseFile, .newPassphraseDescriptor, .removePassphrase, .recoveryCode, .acceptLoss, .allowWeak,
        ],
        details: """
            The passphrase that there is comes from where passphrases come from, or is asked for; then the new one is asked \
            for twice. All keys are made anew, and everything is sealed under them, so that who has the old passphrase can \
            do nothing with the vault any more. Copies of the file that were made before still open with it.

            What else opens the vault needs its secret too: give a key file with --key-file. For a recovery code a new one \
            is made and printed, unless --recovery-code-file gives the one that there is. What is not given opens the vault \
            no more; that takes an answer on the terminal, or --force.

            With --remove, items that exist only while there is a passphrase go; that takes --force without a terminal.
            """,
        examples: [
            Example(call: "coffer passwd", purpose: "ask for the old one and the new one"),
            Example(call: "coffer passwd --passphrase-file old --new-passphrase-file new", purpose: "in a script"),
            Example(call: "coffer passwd --remove", purpose: "from now on the key of this machine opens the vault"),
        ]
    ) { run in
        let isRemoval = run.arguments.has(.removePassphrase)
        guard !isRemoval || (!run.arguments.has(.newPassphraseFile) && !run.arguments.has(.newPassphraseDescriptor))
        else { throw CommandError.usage("--remove sets no new passphrase") }
        let target = try run.vaults.owned()
        let slots = try target.vault.slots
        try isRemoval
            ? run.removePassphrase(of: target, slots)
            : run.setPassphrase(of: target, slots) {
                try run.givenNewPassphrase(for: target.vault.path)
            }
    }
}

extension Run {
    /// Sets the passphrase that `newPassphrase` gives, after it is sure that the others may go which nobody has given.
    func setPassphrase(
        of target: OwnedVault,
        _ slots: [VaultSlot],
        _ newPassphrase: () throws -> Passphrase
    ) throws {
        let passphrases = slots.filter(\.kind.needsPassphrase)
        let opened = try target.vault.slots(openedBy: target.secrets)
        let replaced = passphrases.first { opened.contains($0.id) } ?? passphrases.first
        let kept = slots.filter { $0.id != replaced?.id && !$0.isDevice }
        var renewal = try KeyRenewal(of: target, keeping: kept)
        // Before somebody is asked for the new one.
        try checkLosses(of: renewal)
        try renewal.setPassphrase(newPassphrase(), replacing: replaced, allowsWeak: arguments.has(.allowWeak))
        try warnOfWeakness(renewal.protection)
        if arguments.has(.recoveryCode) { try renewal.makeCode() }
        let deed = replaced == nil ? "set the passphrase of" : "changed the passphrase of"
        try changeKeys(of: target, to: renewal, deed: "\(deed) \(target.vault.path.printable)")
    }

    fileprivate func removePassphrase(
        of target: OwnedVault,
        _ slots: [VaultSlot]
    ) throws {
        let path = target.vault.path.printable
        let removed = slots.filter(\.kind.needsPassphrase)
        guard !removed.isEmpty else {
            throw CommandError(.notFound, "\(path) has no passphrase that could be removed")
        }
        var renewal = try KeyRenewal(of: target, keeping: slots.filter { !$0.kind.needsPassphrase })
        if removed.contains(where: { $0.kind == .passphraseAndKeyFile }), renewal.protection.isByDevice {
            renewal.protection.keyFile = target.secrets.keyFile
        }
        let opener = renewal.protection.isByDevice ? "the key of this machine" : "the key file"
        let refusal = CommandError(
            .usage,
            "without a passphrase \(opener) alone opens \(path), and items that exist only with a passphrase go",
            hints: ["--force removes it without asking"]
        )
        let question = """
            \(opener.prefix(1).uppercased())\(opener.dropFirst()) alone will open \(path), and items that exist only \
            with a passphrase go. Remove the passphrase?
            """
        try confirm(question, unasked: refusal)
        try checkLosses(of: renewal)
        if arguments.has(.recoveryCode) { try renewal.makeCode() }
        let deed = "removed the passphrase of \(path), which \(opener) opens now"
        try changeKeys(of: target, to: renewal, removing: removed, deed: deed)
        if renewal.protection.recoveryCode == nil {
            messages.note("coffer slot add recovery-code adds a code that opens it when all else is lost")
        }
    }
}
