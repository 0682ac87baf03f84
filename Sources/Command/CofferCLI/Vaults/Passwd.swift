internal import Coffer
internal import CofferBasics

extension Option {
    static let removePassphrase = Option(
        "--remove",
        summary: "remove the passphrase; then the key of this machine opens the vault"
    )
    static let acceptLoss = Option(
        "--accept-loss",
        argument: .value("MACHINE", .nothing),
        summary: "accept that an absent machine loses its own items",
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
            The current passphrase is asked for or comes from another source, such as --passphrase-file; then the new \
            one is asked for twice. All keys are renewed and everything is encrypted anew, so that the old passphrase \
            no longer opens the vault. Earlier copies of the file still open with it. As in a compaction, deleted items \
            and earlier revisions stay as far as the vault keeps them (`coffer history`).

            Other ways to open the vault need their secrets too: give a key file with --key-file. A recovery code is \
            replaced by a new one, which is printed, unless --recovery-code-file gives the current one. Slots whose \
            secrets are not given are removed, after confirmation at the terminal or with --force.

            With --remove, items that require a passphrase are deleted; without a terminal that needs --force.
            """,
        examples: [
            Example(call: "coffer passwd", purpose: "ask for the old and the new passphrase"),
            Example(call: "coffer passwd --passphrase-file old --new-passphrase-file new", purpose: "for a script"),
            Example(call: "coffer passwd --remove", purpose: "let the key of this machine open the vault"),
        ]
    ) { run in
        let isRemoval = run.arguments.has(.removePassphrase)
        guard !isRemoval || (!run.arguments.has(.newPassphraseFile) && !run.arguments.has(.newPassphraseDescriptor))
        else { throw CommandError.usage("--remove cannot be combined with a new passphrase") }
        let target = try run.vaults.openForKeyChange()
        let slots = try target.vault.slots
        try isRemoval
            ? run.removePassphrase(of: target, slots)
            : run.setPassphrase(of: target, slots) {
                try run.givenNewPassphrase(for: target.vault.path)
            }
    }
}

extension CommandRun {
    /// Sets the passphrase that `newPassphrase` returns, after confirmation if slots are lost.
    func setPassphrase(
        of target: VaultForKeyChange,
        _ slots: [VaultSlot],
        _ newPassphrase: () throws -> Passphrase
    ) throws {
        let passphrases = slots.filter(\.kind.needsPassphrase)
        let opened = try target.vault.slots(openedBy: target.secrets)
        let replaced = passphrases.first { opened.contains($0.id) } ?? passphrases.first
        let kept = slots.filter { $0.id != replaced?.id && !$0.isDevice }
        var renewal = try KeyRenewal(of: target, keeping: kept)
        // Confirm losses before asking for the new passphrase.
        try checkLosses(of: renewal)
        try renewal.setPassphrase(newPassphrase(), replacing: replaced, allowsWeak: arguments.has(.allowWeak))
        try warnOfWeakness(renewal.protection)
        if arguments.has(.recoveryCode) { try renewal.makeCode() }
        let deed = replaced == nil ? "set" : "changed"
        try changeKeys(of: target, to: renewal, deed: "the passphrase of \(target.vault.path.printable) is \(deed)")
        makeClassKeys(of: target.vault)
    }

    fileprivate func removePassphrase(
        of target: VaultForKeyChange,
        _ slots: [VaultSlot]
    ) throws {
        let path = target.vault.path.printable
        let removed = slots.filter(\.kind.needsPassphrase)
        guard !removed.isEmpty else {
            throw CommandError(.notFound, "\(path) has no passphrase to remove")
        }
        var renewal = try KeyRenewal(of: target, keeping: slots.filter { !$0.kind.needsPassphrase })
        if removed.contains(where: { $0.kind == .passphraseAndKeyFile }), renewal.protection.isByDevice {
            renewal.protection.keyFile = target.secrets.keyFile
        }
        let opener = renewal.protection.isByDevice ? "the key of this machine" : "the key file"
        let refusal = CommandError(
            .usage,
            """
            confirmation is needed: without a passphrase \(opener) alone opens \(path), and items that require a \
            passphrase are deleted
            """,
            hints: ["repeat with --force to remove it without asking"]
        )
        let question = """
            \(opener.prefix(1).uppercased())\(opener.dropFirst()) alone will open \(path), and items that require a \
            passphrase will be deleted. Remove the passphrase?
            """
        try confirm(question, unasked: refusal)
        try checkLosses(of: renewal)
        if arguments.has(.recoveryCode) { try renewal.makeCode() }
        let deed = "the passphrase of \(path) is removed; \(opener) opens it now"
        try changeKeys(of: target, to: renewal, removing: removed, deed: deed)
        if renewal.protection.recoveryCode == nil {
            messages.note("`coffer key add recovery-code` adds a code that opens it if all else is lost")
        }
    }
}
